/** A keep-alive connection that sends requests one after another and reads each response to its exact end. */
import net from 'node:net';
import zlib from 'node:zlib';
import type { Ask } from './description.js';

export interface WireAnswer {
  /** 'answer', or how it went wrong: 'timeout', 'cut' (closed inside a response), 'closed' (closed before it). */
  state: string;
  status: string;
  /** The headers as received, in order. */
  fields: [string, string][];
  body: string;
}

/** How long a response may take, in milliseconds counted in units of `PAUSE`. */
export const PATIENCE = Number(process.env.DIFFERENTIAL_PATIENCE ?? 1_500);
/**
 * The longest single wait that is counted, in milliseconds. If the process stalls during a wait, at most one pause is
 * counted, and data that has arrived is read before the next one.
 */
const PAUSE = 50;

/** Returns the bytes of a request. */
export function requestBytes(ask: Ask): Buffer {
  const lines = [`${ask.method} ${ask.target} HTTP/${ask.version ?? '1.1'}`];
  const given = new Set(ask.headers.map(([name]) => name.toLowerCase()));
  if (!given.has('host')) lines.push('Host: example.test');
  for (const [name, value] of ask.headers) lines.push(`${name}: ${value}`);
  let body = Buffer.from(ask.body ?? '', 'latin1');
  if (ask.coding !== undefined) {
    lines.push(`Content-Encoding: ${ask.coding}`);
    body = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }[ask.coding](body);
  }
  if (ask.body !== undefined) {
    if (ask.chunked) {
      lines.push('Transfer-Encoding: chunked');
      const size = body.length.toString(16);
      const chunk = body.length > 0 ? [Buffer.from(`${size}\r\n`), body, Buffer.from('\r\n')] : [];
      body = Buffer.concat([...chunk, Buffer.from('0\r\n\r\n')]);
    } else if (!given.has('content-length')) {
      lines.push(`Content-Length: ${body.length}`);
    }
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Returns the response at the start of the text (latin1) and its length; undefined while it is incomplete. */
export function parse(
  text: string,
  method: string,
  ended: boolean,
): { answer: WireAnswer; length: number } | undefined {
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, split).split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const field = (name: string) => fields.find(([one]) => one.toLowerCase() === name)?.[1];
  const code = statusLine.slice(9, 12);
  const whole = (body: string, length: number) => ({
    answer: { state: 'answer', status: statusLine, fields, body },
    length,
  });
  const start = split + 4;
  if (code === '101') return whole('', start);
  if (code.startsWith('1')) return parseAfter(text, start, method, ended);
  if (method === 'HEAD' || code === '204' || code === '304') return whole('', start);
  if (/chunked/i.test(field('transfer-encoding') ?? '')) return chunks(text, start, whole);
  const length = field('content-length');
  if (length !== undefined) {
    const end = start + Number(length);
    return text.length >= end ? whole(text.slice(start, end), end) : undefined;
  }
  return ended ? whole(text.slice(start), text.length) : undefined;
}

/** Returns the response that follows an interim one, such as 100 Continue. */
function parseAfter(text: string, at: number, method: string, ended: boolean): ReturnType<typeof parse> {
  const final = parse(text.slice(at), method, ended);
  return final && { answer: final.answer, length: final.length + at };
}

function chunks(
  text: string,
  start: number,
  whole: (body: string, length: number) => { answer: WireAnswer; length: number },
): ReturnType<typeof parse> {
  let body = '';
  for (let at = start; ;) {
    const line = text.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(at, line), 16);
    if (text.length < line + 4 + size) return undefined;
    if (size === 0) return whole(body, line + 4);
    body += text.slice(line + 2, line + 2 + size);
    at = line + 4 + size;
  }
}

export class Wire {
  private socket: net.Socket | undefined;
  private received = '';
  private wake: () => void = () => undefined;

  constructor(
    private readonly port: number,
    private readonly patience = PATIENCE,
  ) {}

  /** Sends a request and resolves with the response; never rejects. */
  async ask(ask: Ask): Promise<WireAnswer> {
    const reused = this.socket !== undefined;
    const answer = await this.exchange(ask);
    // The server may close an idle connection just as a request is sent on it.
    if (answer.state === 'closed' && reused) return this.exchange(ask);
    return answer;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  private async exchange(ask: Ask): Promise<WireAnswer> {
    const socket = this.connect();
    socket.write(requestBytes(ask));
    for (let left = this.patience; ; left -= await this.news()) {
      const ended = this.socket !== socket;
      const whole = parse(this.received, ask.method, ended);
      if (whole) return this.finish(whole.answer, whole.length);
      if (ended) return this.failed(this.received === '' ? 'closed' : 'cut');
      if (left <= 0) return this.failed('timeout');
    }
  }

  private connect(): net.Socket {
    this.received = '';
    if (this.socket) return this.socket;
    const socket = net.connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    this.socket = socket;
    const closed = () => {
      if (this.socket === socket) this.socket = undefined;
      this.wake();
    };
    socket.setEncoding('latin1');
    socket.on('data', (text: unknown) => {
      this.received += String(text);
      this.wake();
    });
    socket.on('error', closed).on('close', closed).on('end', closed);
    return socket;
  }

  /** Waits for data or for the end of the connection; resolves with the number of milliseconds to count. */
  private news(): Promise<number> {
    return new Promise(resolve => {
      // Timers run first in a turn of the event loop; sockets are read before the immediate runs.
      const timer = setTimeout(() => setImmediate(resolve, PAUSE), PAUSE);
      this.wake = () => {
        clearTimeout(timer);
        resolve(1);
      };
    });
  }

  private finish(answer: WireAnswer, length: number): WireAnswer {
    if (this.received.length > length) answer.body += `[EXTRA BYTES: ${this.received.slice(length)}]`;
    const closes = answer.fields.some(([name, value]) => /^connection$/i.test(name) && /close/i.test(value));
    if (closes || this.received.length > length) this.close();
    return answer;
  }

  private failed(state: string): WireAnswer {
    const partial = this.received;
    this.close();
    // Where a response was cut off depends on timing: only its status line is returned.
    return { state, status: partial.slice(0, partial.indexOf('\r\n')), fields: [], body: '' };
  }
}
