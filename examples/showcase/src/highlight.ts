/** Colors source code: a list of patterns for each language, tried in order at each position. */

type Rule = [kind: string, pattern: RegExp];

const words = (text: string) => new RegExp(`\\b(?:${text.replaceAll(' ', '|')})\\b`, 'i');
const STRING: Rule = ['string', /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/];
const NUMBER: Rule = ['number', /\b\d[\d_.]*\b/];

const SCRIPT: Rule[] = [
  ['comment', /\/\*[^]*?\*\/|\/\/[^\n]*/],
  STRING,
  ['string', /`(?:[^`\\]|\\[^])*`/],
  ['string', /(?<=[=(:,!&|?] ?|return )\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/],
  [
    'keyword',
    /\b(?:as|async|await|break|case|catch|class|const|continue|declare|default|delete|do|else|export|extends|false|finally|for|from|function|global|if|import|in|instanceof|interface|let|namespace|new|null|of|readonly|return|satisfies|static|super|switch|this|throw|true|try|type|typeof|undefined|void|while|yield)\b/,
  ],
  ['type', /\b[A-Z][A-Za-z]*[a-z][A-Za-z]*\b/],
  ['call', /\b[a-z_]\w*(?=\()/],
  NUMBER,
];
const SQL: Rule[] = [
  ['comment', /--[^\n]*/],
  STRING,
  [
    'keyword',
    words(
      'add after alter always and as begin by cascade check column conflict constraint create declare default delete do drop each else elsif end execute exists for from function generated if immutable in index insert into is key language not nothing null on or order perform primary references replace return returning returns row select set stored table then trigger unique update using values when where',
    ),
  ],
  [
    'type',
    words('boolean bytea event integer json text timestamp timestamptz tsquery tsvector uuid varchar void'),
  ],
  ['call', /\b[a-z_]\w*(?=\()/],
  NUMBER,
];
const TEMPLATE: Rule[] = [
  ['comment', /<!--[^]*?-->/],
  ['call', /<%[^]*?%>/],
  ['keyword', /<\/?[a-z][\w-]*|\/?>/],
  ['type', /\b[a-z-]+(?==")/],
  ['string', /"[^"<]*"/],
];
const STYLE: Rule[] = [
  ['comment', /\/\*[^]*?\*\//],
  STRING,
  ['keyword', /@[a-z-]+|:root|--[\w-]+/],
  ['call', /\b[a-z-]+(?=\()/],
  ['type', /\b[a-z-]+(?=:\s)/],
  ['number', /#[0-9a-f]{3,8}\b|-?\b\d[\d.]*(?:r?em|px|%|s|ms|fr|deg)?/],
];
const LANGUAGES: Record<string, Rule[]> = { ts: SCRIPT, js: SCRIPT, sql: SQL, ejs: TEMPLATE, css: STYLE };

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the lines of a file as HTML. The name's extension says which language it is. */
export function highlight(name: string, code: string): string[] {
  const rules = LANGUAGES[name.slice(name.lastIndexOf('.') + 1)] ?? [];
  const any = new RegExp(rules.map(([, { source }]) => `(${source})`).join('|') || '(?!)', 'g');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(any)) {
    const kind = rules[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0];
    html += escape(code.slice(end, match.index));
    // A token that spans several lines becomes one element for each line.
    html += escape(match[0]).replaceAll(/^.+$/gm, `<span class="${kind}">$&</span>`);
    end = match.index + match[0].length;
  }
  html += escape(code.slice(end));
  return html.replace(/\n$/, '').split('\n');
}
