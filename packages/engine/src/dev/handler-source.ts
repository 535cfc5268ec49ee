/** Finds out from the source text of a handler what its parameters are. */

/** The parameters of a function with parentheses. */
const PARAMETERS = /^(?:async\b)?\s*(?:function\b\s*\*?)?\s*[\w$]*\s*\(([^()]*)\)/;

/**
 * `(err, req, res)`: the usual names in error handlers. The first alone is no evidence, because code may be minified.
 */
const ERROR_FIRST = /^\s*_?(?:err|error|e)\s*,\s*_*(?:req|request)\w*\s*,\s*_*(?:res|response|rsp)\w*/i;

/** Exactly two names, without defaults, rest parameters or destructuring. */
const TWO_NAMES = /^\s*[\w$]+\s*,\s*[\w$]+\s*,?\s*$/;

function parametersOf(fn: object): string {
  return PARAMETERS.exec(Function.prototype.toString.call(fn))?.[1] ?? '';
}

/** Whether a function looks like an error handler but does not have the four parameters of one. */
export function isBrokenErrorHandler(fn: { length: number }): boolean {
  return fn.length < 4 && ERROR_FIRST.test(parametersOf(fn));
}

/** Whether the first parameter of a function has the usual name of a request. */
export function isRequestFirst(fn: object): boolean {
  return /^\s*_*req(?:uest)?\b/i.test(parametersOf(fn));
}

/** Members that pass control on for some requests: `res.sendFile` and `res.download` do so for directories. */
const PASSES_ON = /\b(?:arguments|next|send[Ff]ile|download)\b/;

/** Whether a handler cannot pass control on: it has two parameters, and uses none of these names. */
export function isLast(fn: { length: number }): boolean {
  if (fn.length !== 2 || !TWO_NAMES.test(parametersOf(fn))) return false;
  return !PASSES_ON.test(Function.prototype.toString.call(fn));
}

/** The first parameter of a handler, in the spellings that programs use. */
const REQUEST = /^_*(?:r?|c|ctx|context|req\w*)$/i;

/** Names under which programs know a factory, if its function has another. */
const KNOWN_AS: Record<string, string> = { middlewareWrapper: 'cors' };

/**
 * Returns how to call a function that is registered as a handler, but creates handlers: one of our own, or one that takes
 * nothing but options.
 * @returns undefined unless its source is clear evidence
 */
export function factoryCall(fn: { length: number; name?: unknown }): string | undefined {
  if ('~factory' in fn) return fn['~factory'] as string;
  if (fn.length > 1) return undefined;
  const parameter = /^\s*([A-Za-z_$][\w$]*)\s*(?:=[^,]*)?$/.exec(parametersOf(fn))?.[1];
  if (parameter === undefined || REQUEST.test(parameter)) return undefined;
  if (/\barguments\b/.test(Function.prototype.toString.call(fn))) return undefined;
  const name = String(fn.name);
  return `${KNOWN_AS[name] ?? (name || 'f')}()`;
}

/** `req.params.id` */
const PARAM_READ = /(?<![\w$.])([A-Za-z_$][\w$]{0,30})\.params(?:\s{0,99}\))?\.([A-Za-z_$][\w$]*)/g;
/** `const { id } = req.params;` */
const PARAMS_TAKEN = /\{([^{}]{0,300})\}\s{0,5}=\s{0,5}([A-Za-z_$][\w$]{0,30})\.params\s{0,99}[;,\n]/g;

/** Returns the names of the parameters that a handler reads from `req.params`, by its source. */
export function paramsRead(fn: { length: number }): string[] {
  if (fn.length > 3) return [];
  const request = /^\s*([A-Za-z_$][\w$]*)/.exec(parametersOf(fn))?.[1];
  if (request === undefined) return [];
  const source = Function.prototype.toString.call(fn);
  const names: string[] = [];
  for (const [, holder, name] of source.matchAll(PARAM_READ)) if (holder === request) names.push(name!);
  for (const [, list, holder] of source.matchAll(PARAMS_TAKEN)) {
    if (holder !== request) continue;
    names.push(...list!.split(',').map(one => /^\s*([A-Za-z_$][\w$]*)/.exec(one)?.[1] ?? ''));
  }
  return [...new Set(names)].filter(name => name !== '' && !(name in Object.prototype));
}

/** Whether a handler uses `req.body` and does not read the stream itself, by its source. */
export function usesBody(fn: object): boolean {
  const source = Function.prototype.toString.call(fn);
  return BODY_READ.test(source) && !STREAM_READ.test(source);
}

/** `req.body` or `const { body } = req`. */
const BODY_READ = /\.body\b|\{[^{}]{0,200}\bbody\b[^{}]{0,200}\}\s{0,5}=/;
const STREAM_READ = /\.(?:on|once|pipe|setEncoding)\(|\bpipeline\(/;
