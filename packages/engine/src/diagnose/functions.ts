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

/** Members that pass control on for some requests: `res.sendFile` and `res.download` do so for directories. */
const PASSES_ON = /\b(?:arguments|next|send[Ff]ile|download)\b/;

/** Whether a handler cannot pass control on: it has two parameters, and uses none of these names. */
export function isLast(fn: { length: number }): boolean {
  if (fn.length !== 2 || !TWO_NAMES.test(parametersOf(fn))) return false;
  return !PASSES_ON.test(Function.prototype.toString.call(fn));
}
