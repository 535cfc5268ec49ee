/**
 * Writes a response whose complete body is known: every response sent by `send`, `json` and the like. Runs its hooks,
 * and calls the writer of its kind of server, unless a tool has patched a method in between.
 */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { bufferOf } from '../protocol/bytes';
import type { Content } from './content';
import { native } from './native';
import { hasNativeSetter } from './fields';
import { gateOf } from './hook-gate';

/** The form in which a text would be passed to `res.end`, which determines how Node encodes the header block. */
export const enum TextForm {
  /** As a string: header block and text are encoded together in UTF-8. */
  text,
  /** As bytes: the header block is encoded in Latin-1. */
  bytes,
  /** As bytes of a text known to be ASCII. */
  asciiBytes,
}

/**
 * Writes a response of which nothing has been written.
 * @returns whether it did; if not, Node's methods must send the response
 */
export type Writer = (res: ServerResponse, body: Content | undefined, form: TextForm) => boolean;

/** The symbol under which a response holds the function of its kind of server that writes it in one piece. */
export const WRITER = Symbol('writes the response in one piece');

/**
 * The symbol under which a response stores the hooks of `@ristretto/response-hooks`, or of another package with the
 * same interface (docs/guide/response-hooks.md).
 */
const INTERCEPTOR = Symbol.for('ristretto.responseHook');

type Methods = Pick<ServerResponse, 'writeHead' | 'write' | 'end'>;

/** Runs the hooks of a response, whose methods it has replaced. */
export interface Interceptor {
  /** The methods that the response had before. */
  readonly originalMethods: Methods;
  /** Whether nothing has been sent, and no code has replaced the methods since, so that `respond` may be called. */
  canRespond(): boolean;
  /**
   * Runs the hooks, and then calls `send`, perhaps later.
   * @param form passed on to `send`
   * @throws what a hook throws
   */
  respond<Form>(
    body: string | Uint8Array,
    send: (res: ServerResponse, body: string | Uint8Array, form: Form, isChanged: boolean) => void,
    form: Form,
  ): void;
}

interface WrittenResponse extends ServerResponse {
  [WRITER]?: Writer;
  [INTERCEPTOR]?: Interceptor;
}

/** Writes the body and ends the response. */
export function writeContent(
  res: ServerResponse,
  body: Content | undefined,
  form: TextForm = TextForm.text,
): void {
  const interceptor = (res as WrittenResponse)[INTERCEPTOR];
  if (interceptor?.canRespond() !== true) writeNow(res, body, form, res);
  else if (body !== undefined) interceptor.respond(body, writeAfterHooks, form);
  else interceptor.respond('', writeNothingAfterHooks, form);
}

function writeAfterHooks(
  res: WrittenResponse,
  body: string | Uint8Array,
  form: TextForm,
  isChanged: boolean,
): void {
  const content = typeof body === 'string' ? body : bufferOf(body);
  writeNow(res, content, isChanged ? TextForm.text : form, res[INTERCEPTOR]!.originalMethods);
}

/** Without a body, as for HEAD, the length that has been set must stay: passing an empty one would make it 0. */
function writeNothingAfterHooks(
  res: WrittenResponse,
  body: string | Uint8Array,
  form: TextForm,
  isChanged: boolean,
): void {
  if (isChanged) writeAfterHooks(res, body, form, isChanged);
  else writeNow(res, undefined, form, res[INTERCEPTOR]!.originalMethods);
}

function writeNow(res: WrittenResponse, body: Content | undefined, form: TextForm, methods: Methods): void {
  const writer = res[WRITER];
  if (writer !== undefined && areNative(res, methods) && writer(res, body, form)) return;
  if (body === undefined) res.end();
  else if (typeof body !== 'string') res.end(body);
  else if (form === TextForm.text) res.end(body, 'utf8');
  else res.end(Buffer.from(body));
}

/** Whether no tool has patched a method that is called to send a complete response. */
function areNative(res: ServerResponse, { end, write, writeHead }: Methods): boolean {
  return (
    isNativeEnd(end) &&
    writeHead === native.writeHead &&
    write === native.write &&
    hasNativeSetter(res) &&
    hasNativeHeader(res)
  );
}

function hasNativeHeader(res: ServerResponse): boolean {
  const gate = gateOf(res);
  const method =
    gate === undefined
      ? (res as ServerResponse & { _implicitHeader: unknown })._implicitHeader
      : gate.headerMethod;
  return method === native._implicitHeader;
}

let fastEnd: unknown;
let beneathFastEnd: () => unknown;

/** Registers a method of ours that replaces `end`. @param beneath returns the method that it calls */
export function replaceEnd(end: unknown, beneath: () => unknown): void {
  fastEnd = end;
  beneathFastEnd = beneath;
}

/** Whether a method is Node's own `end`, or calls it directly. */
function isNativeEnd(end: unknown): boolean {
  return end === native.end || (end === fastEnd && beneathFastEnd() === native.end);
}

/**
 * Sends the last bytes of a file as a stream would, if `write` or `end` has been patched: tools that store or change
 * the body passed to `end` do not expect files there.
 * @returns whether it was patched; if not, nothing is sent
 */
export function endAsStream(res: ServerResponse, bytes: Buffer): boolean {
  const interceptor = (res as WrittenResponse)[INTERCEPTOR];
  const { write, end } = interceptor?.canRespond() === true ? interceptor.originalMethods : res;
  if (write === native.write && isNativeEnd(end)) return false;
  res.write(bytes);
  res.end();
  return true;
}
