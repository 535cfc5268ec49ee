/**
 * Headers that the framework itself sets and reads on every response, without Node's validation of names and values,
 * which are ours and known to be valid.
 *
 * Where the response is not Node's own, or `setHeader` or `getHeader` is patched, these are the documented calls.
 */
import type { ServerResponse } from 'node:http';
import { canWriteDirectly, native, OUT_HEADERS } from './native';
import { hasNativeRemover, hasNativeSetter, putField, takeField } from './set-header';
import type { FieldedResponse, Fields, FieldStore, FieldValue } from './set-header';

/** Headers about an HTTP/1.1 connection, which no other carrier has (RFC 9113, section 8.2.2). */
export const OF_CONNECTION = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

function fieldsOf(res: ServerResponse): Fields | null {
  return (res as unknown as FieldStore)[OUT_HEADERS!]!;
}

/**
 * Sets a field.
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

/** The value of a field as it was set, or undefined. @param key the name in lower case */
export function getField(res: ServerResponse, key: string): FieldValue | undefined {
  if (!canWriteDirectly || res.getHeader !== native.getHeader) return res.getHeader(key);
  return fieldsOf(res)?.[key]?.[1];
}

/**
 * Removes a field. One that is not set is left alone: Node would note that it was removed, and that a response
 * without it was wanted. Only where it checks lengths does the note count: it keeps that of an attempt that failed.
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

/** Whether a field is known to be set under a name in just this spelling. @param key the name in lower case */
export function isSpelled(res: ServerResponse, key: string, name: string): boolean {
  return canWriteDirectly && fieldsOf(res)?.[key]?.[0] === name;
}
