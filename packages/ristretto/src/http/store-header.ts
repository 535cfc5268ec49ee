/**
 * The step in which a response makes its header block, quicker where nothing about it is out of the ordinary. It is
 * what `writeHead` ends with, and so what is left of an answer's way when somebody has patched `writeHead` or `end`.
 */
import { ServerResponse } from 'node:http';
import { hasOrdinaryFraming, headerBlock } from './header-block';
import { hide } from './hidden';
import { canWriteDirectly, native, OUT_HEADERS } from './native';
import type { NativeResponse } from './one-write';
import type { Fields, FieldStore } from './set-header';

interface StoreFunction {
  _storeHeader(firstLine: string, fields: unknown): void;
}

const runtime = ServerResponse.prototype as unknown as StoreFunction;

let beneath: () => StoreFunction;

/** Whether nobody has patched the step. */
export function hasNativeStore(res: ServerResponse): boolean {
  const { _storeHeader } = res as unknown as StoreFunction;
  return (
    (_storeHeader === storeHeader || _storeHeader === native._storeHeader) &&
    runtime._storeHeader === native._storeHeader
  );
}

function storeHeader(this: NativeResponse, firstLine: string, fields: unknown): void {
  const block = isOrdinary(this, fields) ? headerBlock(this, firstLine, false) : undefined;
  if (block === undefined) {
    beneath()._storeHeader.call(this, firstLine, fields);
    return;
  }
  this._contentLength = Number((fields as Fields)['content-length']![1]);
  this._header = block;
  this._headerSent = false;
}

/** Whether the fields are those that were set one by one, with a length among them. */
function isOrdinary(res: NativeResponse, fields: unknown): boolean {
  return (
    fields !== null &&
    fields === (res as unknown as FieldStore)[OUT_HEADERS!] &&
    res.statusCode >= 200 &&
    hasOrdinaryFraming(res) &&
    runtime._storeHeader === native._storeHeader
  );
}

/**
 * Gives responses this `_storeHeader`.
 * @param prototype one that inherits from the runtime's
 */
export function storeHeadersQuickly(prototype: object): void {
  if (!canWriteDirectly) return;
  beneath = hide(prototype, { _storeHeader: storeHeader });
}
