/** Explains the errors about values that are registered as handlers but are no functions. */
import { shown } from '../shown';
import { isRequestFirst } from './handler-source';
import { explainError, warnOnce } from './warn';

/**
 * Adds what the value is, where it stands, and what to do.
 * @param call the call in the program, such as `GET /users` or `app.use('/api')`
 * @param position the position among the handlers, counted from 1; undefined if the value is the only one
 */
export function explainHandler(error: Error, value: unknown, call: string, position?: number): Error {
  const which = position === undefined ? `${call} got` : `Handler ${position} of '${call}' is`;
  explainError(error, [`${which} ${describe(value)}`]);
  return error;
}

/** Adds the value to the error about the path of a registration. */
export function explainPath(error: Error, path: unknown): Error {
  explainError(error, [`Got ${shown(path)}.`]);
  return error;
}

/** Warns of a handler of `app.ws()` that takes the request first. */
export function checkSocketHandler(handler: object): void {
  if (!isRequestFirst(handler)) return;
  const message =
    'A handler of app.ws() has a request as its first parameter, but is called with (socket, req): swap the two.';
  warnOnce('RISTRETTO_SOCKET_HANDLER', message);
}

function describe(value: unknown): string {
  if (value === undefined) {
    return 'undefined: is it exported under this name, does its module not import this one in turn, and is it passed without a call?';
  }
  if (isObject(value) && typeof value.then === 'function')
    return 'a promise: await it, and pass its value; or pass the async function itself, without a call.';
  if (isObject(value) && typeof value.default === 'function') {
    return `${shown(value)}, the exports of a module: pass its \`default\`.`;
  }
  if (isObject(value)) {
    const names = Object.keys(value).filter(name => typeof value[name] === 'function');
    if (names.length > 0) return `${shown(value)}: pass one of its functions, such as \`.${names[0]!}\`.`;
  }
  return `${shown(value)}: pass a function.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
