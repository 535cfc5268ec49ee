/** What the source text of a handler says of its parameters. */

/** The parameters of a function: between the parentheses, or the one name in front of an arrow. */
const PARAMETERS = /^(?:async\b)?\s*(?:function\b\s*\*?)?\s*[\w$]*\s*\(([^()]*)\)/;

/** `(err, req, res)`: the names that error handlers have. The first alone says nothing in code that was minified. */
const ERROR_FIRST = /^\s*_?(?:err|error|e)\s*,\s*_*(?:req|request)\w*\s*,\s*_*(?:res|response|rsp)\w*/i;

/** Two names and nothing more: no default, no rest, no destructuring. */
const TWO_NAMES = /^\s*[\w$]+\s*,\s*[\w$]+\s*,?\s*$/;

function parametersOf(fn: object): string {
  return PARAMETERS.exec(Function.prototype.toString.call(fn))?.[1] ?? '';
}

/** Whether a function was meant as an error handler, but is none since it does not have four parameters. */
export function isBrokenErrorHandler(fn: { length: number }): boolean {
  return fn.length < 4 && ERROR_FIRST.test(parametersOf(fn));
}

/** Whether a handler can't pass control on: it takes two parameters, and gets `next` in no other way. */
export function isLast(fn: { length: number }): boolean {
  if (fn.length !== 2 || !TWO_NAMES.test(parametersOf(fn))) return false;
  return !/\b(?:arguments|next)\b/.test(Function.prototype.toString.call(fn));
}
