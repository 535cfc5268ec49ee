/**
 * Prepares an error for the default error handler, so that reading a malformed one neither fails nor ends the process.
 *
 * Errors come from anywhere: they may have no prototype, getters that throw, or the headers of an upstream server. The
 * default error handler reads `status`, `statusCode`, `headers`, `stack` and `toString`, some of them more than once,
 * and some where an exception cannot be caught.
 */
import { isError } from '../realms';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { types } from 'node:util';
import { uploadProblem } from '../protocol/errors';

type Headers = Record<string, unknown>;

/** The members that the default error handler reads. */
const MEMBERS = ['status', 'statusCode', 'headers', 'stack', 'toString'] as const;

type Readable = Readonly<Partial<Record<(typeof MEMBERS)[number], unknown>>>;

/** In newer versions of Node, `stack` is an accessor whose getter is shared by all errors. */
const getStack = Object.getOwnPropertyDescriptor(new Error(), 'stack')?.get;

/**
 * Returns the error itself if it is safe to read. Otherwise returns an object that inherits from it, with the members
 * as they were read once; if the status cannot be read, does the same for what its getter threw.
 */
export function presentable(err: unknown): unknown {
  try {
    return soundOrCopy(err);
  } catch (thrown) {
    try {
      return thrown ? soundOrCopy(thrown) : unreadable();
    } catch {
      return unreadable();
    }
  }
}

function unreadable(): Error {
  return new Error('The error cannot be read');
}

/** @throws whatever reading the status throws */
function soundOrCopy(err: unknown): unknown {
  if ((typeof err !== 'object' && typeof err !== 'function') || err === null) return err;
  const status = statusOf(err);
  const text = stackOrMessage(err);
  // Headers are sent only with a status
  const headers = status === undefined ? {} : headersOf(err);
  if (typeof text === 'string' && headers !== undefined && isSound(err)) return err;

  const notes = [coerced(text) ?? String(unreadable())];
  if (headers === undefined) notes.push('(sent without its headers, which are malformed)');
  const values = { status, statusCode: undefined, headers, stack: notes.join('\n'), toString: undefined };
  return Object.create(err, Object.getOwnPropertyDescriptors(values));
}

export function statusOf(err: Readable): number | undefined {
  for (const name of ['status', 'statusCode'] as const) {
    const status = err[name];
    if (typeof status === 'number' && status >= 400 && status < 600) return status;
  }
  return undefined;
}

/**
 * Sets `status`, `type` and `expose` of errors of multer and of malformed forms. Their messages contain only names
 * that the client sent.
 */
export function addUploadStatus(err: unknown): void {
  try {
    if (!isError(err) || statusOf(err) !== undefined) return;
    const upload = uploadProblem(err);
    if (upload !== undefined) Object.assign(err, upload, { expose: true });
  } catch {
    // The error is frozen, or reading it throws: it is used unchanged
  }
}

/** The stack, or else the error as a string; empty if it has neither, undefined if it cannot be read. */
function stackOrMessage(err: Readable): unknown {
  try {
    const { stack } = err;
    if (stack) return stack;
    return (typeof err.toString === 'function' && (err as { toString: () => unknown }).toString()) || '';
  } catch {
    return undefined;
  }
}

/** The value as a string; undefined if it cannot be converted, such as a symbol. */
function coerced(value: unknown): string | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an object's text is what Express shows
    return value === undefined || typeof value === 'symbol' ? undefined : String(value);
  } catch {
    return undefined;
  }
}

/** A copy of the headers as strings, empty if there are none; undefined if they cannot be sent. */
function headersOf(err: Readable): Headers | undefined {
  const copy = Object.create(null) as Headers;
  try {
    const { headers } = err;
    if (!headers || typeof headers !== 'object') return copy;
    for (const [name, value] of Object.entries(headers)) {
      if (isTrailer(name)) continue;
      validateHeaderName(name);
      for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one as string);
      copy[name] = Array.isArray(value) ? value.map(String) : String(value);
    }
    return copy;
  } catch {
    return undefined;
  }
}

/** Whether the members have the same value on every read, and reading them runs no foreign code. */
function isSound(err: Readable): boolean {
  if (!MEMBERS.every(name => isData(err, name))) return false;
  const headers = err.headers as Headers | null | undefined;
  if (typeof headers !== 'object' || headers === null) return true;
  return Object.keys(headers).every(
    name => isData(headers, name) && !isObject(headers[name]) && !isTrailer(name),
  );
}

/** The page has a length, and Node rejects trailers beside it by an exception that nothing would catch. */
const isTrailer = (name: string): boolean => name.toLowerCase() === 'trailer';

function isData(object: object, name: string): boolean {
  for (let link: object | null = object; link !== null; link = Object.getPrototypeOf(link) as object | null) {
    if (types.isProxy(link)) return false;
    const property = Object.getOwnPropertyDescriptor(link, name);
    if (property !== undefined) return property.get === undefined || property.get === getStack;
  }
  return true;
}

/** Whether a value is an object; an array counts as one only if it is a proxy or holds objects. */
function isObject(value: unknown): boolean {
  if (Array.isArray(value) && !types.isProxy(value)) return value.some(isObject);
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
