/**
 * Headers of responses: setting, reading and removing them without Node's checks on each call.
 *
 * `setField` and its like are for headers that the framework uses on every response, whose names and values are ours and
 * need no validation. They use the public methods if the response is not Node's own, or if a tool has patched these. The
 * faster `res.getHeader`, `res.setHeader` and `res.removeHeader` are for headers that are set repeatedly to the same
 * value, such as those of security middleware: a name and value that Node has validated once are not validated again.
 * Whole lists of headers are set at once by a function for middleware.
 *
 * Saves 11 % of a request with the usual middleware on Node 24, and 6 % on Node 26.
 */
import type { ServerResponse } from 'node:http';
import { defineHidden } from './define-hidden';
import { addList, deferredOf, fieldOf, prepared, putField, takeField } from './header-store';
import type { FieldedResponse, FieldValue, HeaderList } from './header-store';
import { canWriteDirectly, native } from './native';

/** A name that Node has validated, and the last value. */
interface KnownField {
  /** The name in lower case. */
  key: string;
  value: string;
}

/** Names may come from clients, so the number of names and the length of values are limited. */
const MOST_NAMES = 256;
const LONGEST_VALUE = 1024;

/** Differs for every session, and must not be kept longer than its response. */
export const SECRET = 'set-cookie';

/** Headers whose removal Node records. */
const NOTED = new Set(['connection', 'content-length', 'date', 'transfer-encoding']);

/** How many functions more than in Express are between `res.json` and Node's `setHeader`. */
const OWN_LINES = 6;

/** Characters not allowed in a header value. Node may have accepted them if it was configured to be lenient. */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;

const known = new Map<string, KnownField>();

interface FieldFunctions {
  getHeader(name: string): FieldValue | undefined;
  setHeader(name: string, value: FieldValue): ServerResponse;
  removeHeader(name: string): void;
}

let nativeMethods: () => FieldFunctions;

/** Whether headers can be written directly to Node's store, because `setHeader` is not patched. */
export function hasNativeSetter(res: ServerResponse): boolean {
  return (
    res.setHeader === native.setHeader ||
    (res.setHeader === setHeader && nativeMethods().setHeader === native.setHeader)
  );
}

/** Whether headers can be removed directly from Node's store, because `removeHeader` is not patched. */
function hasNativeRemover(res: ServerResponse): boolean {
  return (
    res.removeHeader === native.removeHeader ||
    (res.removeHeader === removeHeader && nativeMethods().removeHeader === native.removeHeader)
  );
}

/** Whether headers can be read directly from Node's store, because `getHeader` is not patched. */
function hasNativeGetter(res: ServerResponse): boolean {
  return (
    res.getHeader === native.getHeader ||
    (res.getHeader === getHeader && nativeMethods().getHeader === native.getHeader)
  );
}

/** Mirrors `ServerResponse.prototype.getHeader`. */
function getHeader(this: FieldedResponse, name: string): FieldValue | undefined {
  const functions = nativeMethods();
  if (
    typeof name !== 'string' ||
    deferredOf(this) === undefined ||
    functions.getHeader !== native.getHeader
  ) {
    return functions.getHeader.call(this, name);
  }
  return fieldOf(this, known.get(name)?.key ?? name.toLowerCase())?.[1];
}

/** Mirrors `ServerResponse.prototype.setHeader`. */
function setHeader(this: FieldedResponse, name: string, value: FieldValue): ServerResponse {
  const field = known.get(name);
  const isSettable = this._header === null && nativeMethods().setHeader === native.setHeader;
  if (field !== undefined && isSettable && value === field.value) {
    // Uses the same string each time, so that later comparisons read no characters
    putField(this, field.key, name, field.value);
    return this;
  }
  const result = isSettable ? setBesideLists(this, name, value) : setNatively(this, name, value);
  if (isSettable && typeof value === 'string') remember(field, name, value);
  return result;
}

function setNatively(res: FieldedResponse, name: string, value: FieldValue): ServerResponse {
  const { setHeader } = nativeMethods();
  if (res._header === null) return setHeader.call(res, name, value);
  // Node throws now. V8 records ten frames, which the framework's own would fill: adds some for the line that responded
  // twice
  const { stackTraceLimit } = Error;
  if (stackTraceLimit > 0) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit + OWN_LINES);
  try {
    return setHeader.call(res, name, value);
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}

function setBesideLists(res: FieldedResponse, name: string, value: FieldValue): ServerResponse {
  const deferred = typeof name === 'string' ? deferredOf(res) : undefined;
  if (deferred === undefined || deferred.listed(name.toLowerCase()) !== undefined)
    return setNatively(res, name, value);
  return deferred.callWithout(() => setNatively(res, name, value));
}

/** Mirrors `ServerResponse.prototype.removeHeader`. */
function removeHeader(this: FieldedResponse, name: string): void {
  if (
    typeof name === 'string' &&
    this._header === null &&
    nativeMethods().removeHeader === native.removeHeader
  ) {
    const key = known.get(name)?.key ?? name.toLowerCase();
    if (!NOTED.has(key)) {
      takeField(this, key);
      return;
    }
  }
  nativeMethods().removeHeader.call(this, name);
}

/**
 * Sets and removes headers in one call, as `setHeader` and `removeHeader` would: for middleware, see docs/guide/response-hooks.md.
 * @param list is not read again if the same one is passed another time
 */
function setHeaders(this: FieldedResponse, list: HeaderList): void {
  const isDirect =
    canWriteDirectly &&
    this._header === null &&
    hasNativeSetter(this) &&
    hasNativeRemover(this) &&
    // Virtual responses do not send lines.
    (this as { _storeHeader?: unknown })._storeHeader === native._storeHeader;
  const ready = isDirect ? prepared(list) : null;
  if (ready !== null && addList(this, ready)) return;
  for (const [name, value] of list) {
    if (value === undefined) this.removeHeader(name);
    else this.setHeader(name, value);
  }
}

function remember(field: KnownField | undefined, name: string, value: string): void {
  if (value.length > LONGEST_VALUE || INVALID.test(value)) return;
  if (field !== undefined) {
    field.value = value;
  } else if (known.size < MOST_NAMES) {
    const key = name.toLowerCase();
    if (key !== SECRET) known.set(name, { key, value });
  }
}

/** The property of a response under which middleware finds `setHeaders`. */
const SET_HEADERS = Symbol.for('ristretto.setHeaders');

/**
 * Adds these methods to a prototype.
 * @param prototype one that inherits from Node's
 */
export function setHeadersQuickly(prototype: object): void {
  nativeMethods = defineHidden(prototype, { getHeader, setHeader, removeHeader });
  Object.defineProperty(prototype, SET_HEADERS, { value: setHeaders });
}

/** Headers that describe an HTTP/1.1 connection, which other protocols do not have (RFC 9113, section 8.2.2). */
export const OF_CONNECTION = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Sets a header.
 * @param key the name in lower case
 * @param name the name as it is sent
 * @param value a value that needs no validation
 */
export function setField(res: ServerResponse, key: string, name: string, value: string): void {
  if (!canWriteDirectly || !hasNativeSetter(res) || (res as FieldedResponse)._header !== null) {
    res.setHeader(name, value);
  } else {
    putField(res as FieldedResponse, key, name, value);
  }
}

/** Returns the value of a header as it was set, or undefined. @param key the name in lower case */
export function getField(res: ServerResponse, key: string): FieldValue | undefined {
  if (!canWriteDirectly || !hasNativeGetter(res)) return res.getHeader(key);
  return fieldOf(res as FieldedResponse, key)?.[1];
}

/**
 * Removes a header. Does nothing if it is not set: Node would record the removal, and then not add the header by
 * itself. With `strictContentLength` the record matters: it survives an attempt that failed.
 * @param key the name in lower case
 */
export function removeField(res: ServerResponse, key: string): void {
  if (
    !canWriteDirectly ||
    res.strictContentLength ||
    !hasNativeRemover(res) ||
    (res as FieldedResponse)._header !== null
  ) {
    res.removeHeader(key);
    return;
  }
  takeField(res as FieldedResponse, key);
}

/** Whether a header is known to be set with exactly this spelling. @param key the name in lower case */
export function isSpelled(res: ServerResponse, key: string, name: string): boolean {
  return canWriteDirectly && fieldOf(res as FieldedResponse, key)?.[0] === name;
}
