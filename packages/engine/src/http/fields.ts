/**
 * Sets and reads headers that the framework uses on every response, without Node's validation of names and values,
 * because these are ours and known to be valid.
 *
 * Falls back to the public methods if the response is not Node's own, or `setHeader` or `getHeader` is patched.
 */
import type { ServerResponse } from 'node:http';
import { fieldOf, putField, takeField } from './header-store';
import type { FieldedResponse, FieldValue } from './header-store';
import { canWriteDirectly } from './native';
import { hasNativeGetter, hasNativeRemover, hasNativeSetter } from './set-header';

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
