/** Rewrites calls of `express.urlencoded`, whose option `extended` is no longer true by default in Express 5. */
import { argumentsIn, isDot, literal, MODULES } from './code';
import type { Code } from './code';
import type { Rest } from './rest-of-5';
import type { Token } from './tokens';

const MEMBER = 'urlencoded';

/** @param leave is called for each use that may rely on the default, but can't be rewritten with certainty */
export function rewriteUrlencoded(code: Code, leave: (id: Rest, token: Token) => void): void {
  const { tokens } = code;
  const members = [...tokens.keys()].filter(at => isMember(code, at));
  const { names, bindings } = bindingsIn(code, members);
  const uses = members.filter(at => !bindings.has(at));
  for (const name of names) {
    const ofName = [...tokens.keys()].filter(at => isReference(tokens, at, name) && !bindings.has(at));
    // Any other use may give the name another meaning, as a parameter does
    if (ofName.every(at => isCall(tokens, at))) uses.push(...ofName);
    else for (const at of ofName) if (!saysExtended(code, at)) leave('urlencoded', tokens[at]!);
  }
  for (const at of uses) if (!isCall(tokens, at) || !addOption(code, at)) leave('urlencoded', tokens[at]!);
}

/** Whether a token is the member of the module, as in `express.urlencoded` and `require('express').urlencoded`. */
function isMember({ tokens, modules }: Code, at: number): boolean {
  if (tokens[at]!.text !== MEMBER || !isDot(tokens[at - 1])) return false;
  const receiver = tokens[at - 2]!;
  return receiver.text === ')' ? isLoaded(tokens, receiver.partner! - 1) : modules.has(receiver.text);
}

/** Whether `require('express')` or `import('express')` begins at a token. */
function isLoaded(tokens: readonly Token[], at: number): boolean {
  const isLoad = /^(?:require|import)$/.test(tokens[at]?.text ?? '') && tokens[at + 3]?.text === ')';
  return isLoad && MODULES.has(literal(tokens[at + 2]) ?? '');
}

/**
 * Finds the names to which the member is bound.
 * @param members the indexes of the member
 * @returns the names, and the indexes of the names and members in the bindings
 */
function bindingsIn(code: Code, members: readonly number[]): { names: Set<string>; bindings: Set<number> } {
  const { tokens } = code;
  const names = new Set<string>();
  const bindings = new Set<number>();
  const bind = (name: number, member: number) => {
    names.add(tokens[name]!.text);
    bindings.add(name).add(member);
  };
  for (const at of members) {
    // As in `const parse = express.urlencoded;`
    const start = tokens[at - 2]!.text === ')' ? tokens[at - 2]!.partner! - 1 : at - 2;
    const isDeclared = /^(?:const|let|var)$/.test(tokens[start - 3]?.text ?? '');
    if (isDeclared && tokens[start - 1]!.text === '=' && isEnd(tokens[at + 1])) bind(start - 2, at);
  }
  for (const [close, { text, partner }] of tokens.entries()) {
    if (text !== '}' || !isFromModule(code, close)) continue;
    for (let at = partner! + 1; at < close; at++) {
      if (tokens[at]!.text !== MEMBER || !/^[{,]$/.test(tokens[at - 1]!.text)) continue;
      // As in `{ urlencoded: parse }` and `{ urlencoded as parse }`
      bind(/^(?::|as)$/.test(tokens[at + 1]!.text) ? at + 2 : at, at);
    }
  }
  return { names, bindings };
}

/** Whether braces bind members of the module: `import { … } from 'express'`, `const { … } = express`. */
function isFromModule({ tokens, modules }: Code, close: number): boolean {
  const from = close + 2;
  if (tokens[close + 1]?.text === 'from') {
    const open = tokens[close]!.partner!;
    const isImport = [tokens[open - 1], tokens[open - 3]].some(token => token?.text === 'import');
    return isImport && MODULES.has(literal(tokens[from]) ?? '');
  }
  if (tokens[close + 1]?.text !== '=') return false;
  const start = tokens[from]?.text === 'await' ? from + 1 : from;
  if (isLoaded(tokens, start)) return isEnd(tokens[start + 4]);
  return modules.has(tokens[from]?.text ?? '') && isEnd(tokens[from + 1]);
}

/** Whether an expression ends before a token. */
function isEnd(token: Token | undefined): boolean {
  return token === undefined || /^[;,)]$/.test(token.text) || (token.isFirst && /^[\w$@#]/.test(token.text));
}

/** Whether a token is the name, and neither a member nor a key. */
function isReference(tokens: readonly Token[], at: number, name: string): boolean {
  if (tokens[at]!.text !== name || isDot(tokens[at - 1])) return false;
  return !(/^[{,]$/.test(tokens[at - 1]?.text ?? '') && tokens[at + 1]?.text === ':');
}

/** Whether a call begins at a token, and no declaration of a function or a method. */
function isCall(tokens: readonly Token[], at: number): boolean {
  if (tokens[at + 1]?.text !== '(' || tokens[at - 1]?.text === 'function') return false;
  return tokens[tokens[at + 1]!.partner! + 1]?.text !== '{';
}

/** Whether the options of a call say what `extended` is. */
function saysExtended({ tokens }: Code, at: number): boolean {
  if (!isCall(tokens, at) || tokens[at + 2]!.text !== '{') return false;
  const options = tokens.slice(at + 3, tokens[at + 2]!.partner);
  return options.some(token => (literal(token) ?? token.text) === 'extended');
}

/** Adds the option that was the default to a call. @returns false if its options are not a literal */
function addOption(code: Code, at: number): boolean {
  const { tokens } = code;
  if (saysExtended(code, at)) return true;
  const open = tokens[at + 1]!;
  const [options] = argumentsIn(tokens, at + 1, open.partner!);
  if (options === undefined) {
    code.replace(open.end, tokens[open.partner!]!.start, '{ extended: true }');
    return true;
  }
  const first = tokens[options.from]!;
  if (first.text !== '{') return false;
  // In front of the others, so that one of a spread object still counts
  const isEmpty = first.partner === options.from + 1;
  code.replace(first.end, first.end, isEmpty ? ' extended: true ' : ' extended: true,');
  return true;
}
