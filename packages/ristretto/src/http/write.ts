/**
 * The last step of an answer whose whole body is known: header block and body in one write to the socket.
 *
 * Runs on every request that is answered by `send`, `json` and their like. The runtime makes the same block in more
 * steps and sends it in more writes; what stands on the wire is the same. Whatever is out of the ordinary (somebody
 * has patched a function between here and the socket, fields that change the framing, a pipelined answer whose turn
 * has not come) takes the documented way, `res.end(body)`.
 */
import { ServerResponse as RuntimeResponse, STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { end } from './end';
import { hasOrdinaryFraming, headerBlock } from './header-block';
import { canWriteDirectly, native } from './native';
import { isReady, TextForm, writeWhole } from './one-write';
import type { NativeResponse } from './one-write';
import { hasNativeSetter } from './set-header';
import { hasNativeStore } from './store-header';

const runtime = RuntimeResponse.prototype;

const statusLines: (string | undefined)[] = [];

/** Sends the body and ends the response. */
export function respond(
  res: ServerResponse,
  body: string | Buffer | undefined,
  form: TextForm = TextForm.text,
): void {
  if (canWriteDirectly && isOrdinary(res as NativeResponse)) {
    const needsNoLength = isBodiless(res as NativeResponse);
    const content = needsNoLength ? '' : body;
    const block = content === undefined ? undefined : blockOf(res as NativeResponse, needsNoLength);
    if (block !== undefined) {
      if (needsNoLength) (res as NativeResponse)._hasBody = false;
      res.statusMessage = STATUS_CODES[res.statusCode]!;
      (res as NativeResponse)._header = block;
      writeWhole(res as NativeResponse, block, content!, form);
      return;
    }
  }
  if (body === undefined) res.end();
  else if (typeof body !== 'string') res.end(body);
  else if (form === TextForm.text) res.end(body, 'utf8');
  else res.end(Buffer.from(body));
}

/** Whether nothing about the response is out of the ordinary, and it is its turn on the socket. */
function isOrdinary(res: NativeResponse): boolean {
  return (
    res._header === null &&
    isReady(res) &&
    isUnpatched(res) &&
    res.statusMessage === undefined &&
    hasOrdinaryFraming(res) &&
    !(res._expect_continue && !res._sent100)
  );
}

/** Whether the answer has no body and need not tell a length: that to HEAD, and by its status. */
function isBodiless({ _hasBody, statusCode }: NativeResponse): boolean {
  return !_hasBody || statusCode === 204 || statusCode === 304;
}

function isUnpatched(response: NativeResponse): boolean {
  const res = response as unknown as Record<keyof typeof native, unknown>;
  return (
    (res.end === end || res.end === native.end) &&
    runtime.end === native.end &&
    res.writeHead === native.writeHead &&
    res.write === native.write &&
    hasNativeSetter(response) &&
    res._implicitHeader === native._implicitHeader &&
    hasNativeStore(response)
  );
}

/** The header block; undefined where a field or the status wants the runtime's own care. */
function blockOf(res: NativeResponse, needsNoLength: boolean): string | undefined {
  const { statusCode } = res;
  if (statusCode < 200) return undefined;
  const line = statusLines[statusCode] ?? statusLine(statusCode);
  return line === undefined ? undefined : headerBlock(res, line, needsNoLength);
}

function statusLine(statusCode: number): string | undefined {
  const reason = STATUS_CODES[statusCode];
  return reason === undefined
    ? undefined
    : (statusLines[statusCode] = `HTTP/1.1 ${String(statusCode)} ${reason}\r\n`);
}
