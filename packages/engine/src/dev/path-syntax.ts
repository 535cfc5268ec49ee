/**
 * Detects paths that cannot match as intended: without a leading slash, or in the syntax of Express 5.
 */
import { reportsMistakes } from '../report/development';
import { captureStack } from './place';
import type { CapturedStack } from './place';
import { warnOnce } from './warn';

type Settings = Readonly<Record<string, unknown>>;

/** The settings of each router's application. */
const settingsOf = new WeakMap<object, Settings>();
/** The settings of applications that have a router, and where its creation was. */
const withRouter = new WeakMap<object, CapturedStack>();

/**
 * Literal text or a parameter at the start, so that a matching path would have to begin with a character other than a
 * slash. It is neither optional nor one of several alternatives.
 */
const WITHOUT_SLASH = /^(?:\.?[\w-]|:\w+(?![\w(*?]))(?![?{])[^|]*$/;

/** A whole segment `*name`: in Express 4, any text followed by `name`. */
const NAMED_STAR = /(?:^|[/{])(\*[A-Za-z_$][\w$]*)(?=$|[/}])/;
/** `{…}`: in Express 4, literal characters, unless it is a quantifier. */
const BRACES = /\{[^{}]*\}/g;
const TIMES = /^\{\d*(?:,\d*)?\}$/;

/** The remains of `(\\d+)` after the name of a parameter, in a string with one backslash. */
const LOST_BACKSLASH = /:\w+(\([dws](?:[+*?]|\{[\d,]+\})?\))/i;

/** A segment in the syntax of Next.js: in Express 4, any of these characters. Classes of two characters are usually intended. */
const BRACKETS = /(?<=\/)\[{1,2}(\.{3})?(id|[A-Za-z_]\w{2,})\]{1,2}(?=\/|$)/g;

/** Records a router's application, whose settings decide whether to warn of the router's paths. */
export function noteOwner(router: object, settings: Settings): void {
  settingsOf.set(router, settings);
  withRouter.set(settings, captureStack());
}

/** Returns where the application with these settings registered something first; undefined if it has not. */
export function firstRegistration(settings: object): CapturedStack | undefined {
  return withRouter.get(settings);
}

/** Returns the settings of the application that a router belongs to, if any. */
export function ownerOf(router: object): Settings | undefined {
  return settingsOf.get(router);
}

/**
 * Warns of each invalid path.
 * @param path as passed to the router; strings, and arrays of strings, are checked
 * @param syntax how the version of the API interprets a path
 */
export function warnOfPath(router: object, path: unknown, syntax: { hasLiteralBraces: boolean }): void {
  if (wantsWarnings(router)) warnOf(path, syntax.hasLiteralBraces ? problemOf : optionalTextIn);
}

/** Whether mistakes in a router are reported, according to the settings of its application if known. */
export function wantsWarnings(router: object): boolean {
  return reportsMistakes(settingsOf.get(router));
}

function warnOf(path: unknown, problemIn: typeof problemOf): void {
  if (Array.isArray(path)) {
    for (const one of path) warnOf(one, problemIn);
    return;
  }
  if (typeof path !== 'string') return;
  if (lacksSlash(path)) {
    const message = `The path '${path}' matches no request, because it does not begin with a slash. Write '/${path}'.`;
    warnOnce('RISTRETTO_PATH_WITHOUT_SLASH', message);
  }
  const problem = problemIn(path);
  if (problem !== undefined) {
    const written = withoutBraces(path);
    const value = written.includes('*') ? ', and read req.params[0]' : '';
    const suggestion = LOST_BACKSLASH.test(path)
      ? `'${path.replace(LOST_BACKSLASH, text => text.replace('(', '(\\\\'))}'`
      : problemIn === problemOf
        ? written + value
        : `'${path.replaceAll(BRACED_NAMES, ':$1')}'`;
    const message = `In the path '${path}', ${problem}. Write ${suggestion}.`;
    warnOnce('RISTRETTO_PATH_SYNTAX', message);
  }
}

/** Whether the path cannot match any request, because request paths begin with a slash. */
export function lacksSlash(path: string): boolean {
  return WITHOUT_SLASH.test(path);
}

/** Returns the first braces that have no meaning in Express 4. */
function bracesIn(path: string): RegExpExecArray | undefined {
  return [...path.matchAll(BRACES)].find(([braces]) => !TIMES.test(braces));
}

/** Removes escaped characters and regular expressions, because path syntax does not apply to them. */
function withoutLiterals(path: string): string {
  let rest = '';
  let depth = 0;
  let isInClass = false;
  for (let i = 0; i < path.length; i++) {
    const char = path[i]!;
    if (char === '\\') i++;
    else if (isInClass) isInClass = char !== ']';
    else if (char === '[') isInClass = true;
    else if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (depth === 0) rest += char;
  }
  return rest;
}

/** Returns what Express 4 matches for a part in another syntax; undefined if there is no such part. */
export function problemOf(path: string): string | undefined {
  const letters = LOST_BACKSLASH.exec(path)?.[1];
  if (letters !== undefined) {
    return `'${letters}' matches the letter ${letters[1]!}: in a string, a backslash is written twice`;
  }
  const [brackets] = path.match(BRACKETS) ?? [];
  if (brackets !== undefined)
    return `'${brackets}' matches one of these characters: parameters in brackets exist only in Next.js`;
  const syntax = withoutLiterals(path);
  const star = NAMED_STAR.exec(syntax)?.[1];
  if (star !== undefined) {
    const text = star.slice(1);
    return `'${star}' matches any path that ends with '${text}': named wildcards exist only in Express 5`;
  }
  const braces = bracesIn(syntax)?.[0];
  return (
    braces &&
    `'${braces}' matches these characters literally: braces have a meaning only in Express 5 and OpenAPI`
  );
}

/** A whole segment in braces behind another one, without a parameter: in Express 5, text that may be missing. */
const BRACED_NAMES = /(?<=[^/]\/)\{(\w+)\}(?=\/|$)/g;

/** Returns what is wrong with a parameter in the syntax of OpenAPI, for a version in which braces are optional parts. */
function optionalTextIn(path: string): string | undefined {
  const [[, name] = []] = path.matchAll(BRACED_NAMES);
  return name && `'{${name}}' is the optional text '${name}': parameters in braces exist only in OpenAPI`;
}

/**
 * Converts a path from the syntax of Express 5, OpenAPI or Next.js to that of Express 4, in quotes; to an array if it takes
 * several.
 * @example withoutBraces('/files{/:name}/*rest'); // "'/files/:name?/*'"
 */
export function withoutBraces(path: string): string {
  const written = path
    .replace(BRACKETS, (_, dots, name: string) => (dots === undefined ? `{${name}}` : '*'))
    .replace(/\*[A-Za-z_$][\w$]*/g, '*')
    .replace(/(^|\/)\{(\w+)\}(?=$|\/)/g, '$1:$2')
    .replace(/\{\*\}/g, '*')
    .replace(/\{([/.]:\w+)\}/g, '$1?');
  const paths = [...new Set(withAndWithout(written))].map(one => `'${one}'`);
  return paths.length === 1 ? paths[0]! : `[${paths.join(', ')}]`;
}

/** Returns all variants of a path with optional parts in braces. */
function withAndWithout(path: string): string[] {
  const group = bracesIn(path);
  if (group === undefined) return [path];
  const [before, after] = [path.slice(0, group.index), path.slice(group.index + group[0].length)];
  return [...withAndWithout(before + after), ...withAndWithout(before + group[0].slice(1, -1) + after)];
}
