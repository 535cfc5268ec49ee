/** Paths that can't match what they were written for: without a leading slash, or in the syntax of Express 5. */
import { reportsMistakes } from './gate';
import { warnOnce } from './warn';

type Settings = Readonly<Record<string, unknown>>;

/** The settings of the applications that routers were made by. */
const settingsOf = new WeakMap<object, Settings>();

/**
 * A text or a parameter at the start, so that a path has to begin with another character than a slash. It is neither
 * optional nor one of several alternatives.
 */
const WITHOUT_SLASH = /^(?:\.?[\w-]|:\w+(?![\w(*?]))(?![?{])[^|]*$/;

/** A whole segment `*name`: in Express 4, any text with `name` behind it. */
const NAMED_STAR = /(?:^|[/{])(\*[A-Za-z_$][\w$]*)(?=$|[/}])/;
/** `{…}`: in Express 4, these characters, unless there is a number of times in it. */
const BRACES = /\{[^{}]*\}/g;
const TIMES = /^\{\d*(?:,\d*)?\}$/;

/** Remembers the application of a router, whose settings say whether to warn of the router's paths. */
export function noteOwner(router: object, settings: Settings): void {
  settingsOf.set(router, settings);
}

/**
 * Warns of each path that is wrong.
 * @param path as it was given to the router: text, and arrays of it, are checked
 * @param problem finds what is no syntax of paths; Express 5 throws for it
 */
export function warnOfPath(router: object, path: unknown, problem = problemOf): void {
  if (wantsWarnings(router)) warnOf(path, problem);
}

/** Whether mistakes in a router are reported: the application that it was made by, if one is known, wants it. */
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
    const value = path.includes('*') ? ', and read req.params[0]' : '';
    const message = `In the path '${path}', ${problem}. Write ${asInExpress4(path)}${value}.`;
    warnOnce('RISTRETTO_PATH_SYNTAX', message);
  }
}

/** Whether no path of a request can match, because those begin with a slash. */
export function lacksSlash(path: string): boolean {
  return WITHOUT_SLASH.test(path);
}

/** The first of the braces that have no meaning in Express 4. */
function bracesIn(path: string): RegExpExecArray | undefined {
  return [...path.matchAll(BRACES)].find(([braces]) => !TIMES.test(braces));
}

/** Leaves out what is taken literally or as a regular expression, and so is not in the syntax of paths. */
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

/** What a part of the path that is no syntax of Express 4 does instead; undefined where there is none. */
export function problemOf(path: string): string | undefined {
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

/**
 * What a path in the syntax of Express 5 or OpenAPI is in that of Express 4, in quotes; an array where that is several.
 * @example asInExpress4('/files{/:name}/*rest'); // "'/files/:name?/*'"
 */
export function asInExpress4(path: string): string {
  const written = path
    .replace(/\*[A-Za-z_$][\w$]*/g, '*')
    .replace(/(^|\/)\{(\w+)\}(?=$|\/)/g, '$1:$2')
    .replace(/\{\*\}/g, '*')
    .replace(/\{([/.]:\w+)\}/g, '$1?');
  const paths = [...new Set(withAndWithout(written))].map(one => `'${one}'`);
  return paths.length === 1 ? paths[0]! : `[${paths.join(', ')}]`;
}

/** The paths that one with optional parts in braces stands for. */
function withAndWithout(path: string): string[] {
  const group = bracesIn(path);
  if (group === undefined) return [path];
  const [before, after] = [path.slice(0, group.index), path.slice(group.index + group[0].length)];
  return [...withAndWithout(before + after), ...withAndWithout(before + group[0].slice(1, -1) + after)];
}
