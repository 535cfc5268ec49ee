/**
 * Header fields that the framework itself sets and reads on every answer, without the runtime's validation of names
 * and values, which are ours and known to be right.
 *
 * Where the response is not the runtime's own, or somebody has patched `setHeader` or `getHeader`, these are the
 * documented calls.
 */
import type { ServerResponse } from 'node:http';
import { canWriteDirectly, native, OUT_HEADERS } from './native';

type Entry = [name: string, value: string | number | readonly string[]];
type Fields = Record<string, Entry | undefined>;

/**
 * A set of fields as the runtime keeps it, without `Object.prototype`, but made by a constructor: objects that get the
 * same fields in the same order share a shape, which makes reading and listing them quick.
 */
const FieldSet = function () {
  /* empty at first */
} as unknown as new () => Fields;
FieldSet.prototype = Object.create(null) as Fields;

interface Outgoing {
  _header: string | null;
}

function fieldsOf(res: ServerResponse): Record<symbol, Fields | null> {
  return res as unknown as Record<symbol, Fields | null>;
}

/**
 * Sets a field.
 * @param key the name in lower case
 * @param name the name as it is sent
 * @param value a value that needs no validation
 */
export function setField(res: ServerResponse, key: string, name: string, value: string): void {
  if (
    !canWriteDirectly ||
    res.setHeader !== native.setHeader ||
    (res as unknown as Outgoing)._header !== null
  ) {
    res.setHeader(name, value);
    return;
  }
  const outgoing = fieldsOf(res);
  const fields = (outgoing[OUT_HEADERS!] ??= new FieldSet());
  fields[key] = [name, value];
}

/** The value of a field as it was set, or undefined. @param key the name in lower case */
export function getField(res: ServerResponse, key: string): Entry[1] | undefined {
  if (!canWriteDirectly || res.getHeader !== native.getHeader) return res.getHeader(key);
  return fieldsOf(res)[OUT_HEADERS!]?.[key]?.[1];
}

/**
 * Removes a field. One that is not set is left alone: the runtime would note that it was removed, and that an answer
 * without it was wanted.
 * @param key the name in lower case
 */
export function removeField(res: ServerResponse, key: string): void {
  if (
    !canWriteDirectly ||
    res.removeHeader !== native.removeHeader ||
    (res as unknown as Outgoing)._header !== null
  ) {
    res.removeHeader(key);
    return;
  }
  const fields = fieldsOf(res)[OUT_HEADERS!];
  if (fields?.[key] !== undefined) delete fields[key];
}

/** Whether a field is known to be set under a name in just this spelling. @param key the name in lower case */
export function isSpelled(res: ServerResponse, key: string, name: string): boolean {
  return canWriteDirectly && fieldsOf(res)[OUT_HEADERS!]?.[key]?.[0] === name;
}
