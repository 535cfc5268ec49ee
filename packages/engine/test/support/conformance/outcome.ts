/** Describes in one line how a server responded to the bytes of a case. */
import { askPort, exchangeRaw, withServer } from '../http.js';
import type http from 'node:http';
import { Head } from '../lint-response/exchange.js';
import type { Case } from './case.js';

/** Sends the bytes of each case to one server on separate connections; returns the outcomes in the same order. */
export function outcomes(server: http.Server, cases: readonly Case[]): Promise<string[]> {
  return withServer(server, async port => {
    const file = await askPort(port, '/file/a.txt');
    return Promise.all(
      cases.map(async ({ bytes }) => {
        const sent = bytes
          .replace('$ETAG', file.headers.etag ?? '"none"')
          .replace('$DATE', file.headers['last-modified'] ?? 'never');
        const received = await exchangeRaw(port, Buffer.from(sent, 'latin1')).catch(() => Buffer.alloc(0));
        return describe(received.toString('latin1'), sent);
      }),
    );
  });
}

/** Describes the responses in order; `closed` if there are none. */
export function describe(received: string, sent: string): string {
  const answers: string[] = [];
  let rest = received;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (!rest.startsWith('HTTP/1.1 ') || end < 0) {
      answers.push(`${rest.length} bytes that are not a response`);
      break;
    }
    const head = new Head(rest.slice(0, end));
    const isFirstToHead = sent.startsWith('HEAD ') && answers.length === 0;
    const { content, length } = bodyOf(head, rest.slice(end + 4), isFirstToHead);
    answers.push(describeOne(head, content, sent));
    rest = rest.slice(end + 4 + length);
  }
  return answers.join(', ') || 'closed';
}

interface Body {
  content: string;
  /** Length of the body as sent. */
  length: number;
}

function bodyOf(head: Head, rest: string, toHead: boolean): Body {
  if (toHead || head.status < 200 || head.status === 204 || head.status === 304)
    return { content: '', length: 0 };
  if (head.has('transfer-encoding')) return chunkedBody(rest);
  if (!head.has('content-length')) return { content: rest, length: rest.length };
  const length = Number(head.get('content-length'));
  const content = rest.slice(0, length);
  return { content: content.length < length ? `${content} (cut off)` : content, length };
}

function chunkedBody(rest: string): Body {
  let content = '';
  let at = 0;
  for (;;) {
    const end = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.slice(at, end), 16);
    if (end < 0 || Number.isNaN(size)) return { content: `${content} (cut off)`, length: rest.length };
    if (size === 0) return { content, length: end + 4 };
    content += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** Describes a response by its status, its content if successful, and the headers that the case is about. */
function describeOne(head: Head, content: string, sent: string): string {
  const parts = [String(head.status)];
  const say = (what: string, name: string): void => {
    if (head.has(name)) parts.push(`${what}=${head.get(name)!}`);
  };
  const { status } = head;
  if (status === 205) parts.push(`length=${content.length}`);
  else if (status < 300 && content !== '') parts.push(shortened(content));
  if (status === 204 || status === 304 || head.has('transfer-encoding') || sent.includes('X-Length')) {
    say('length', 'content-length');
  }
  if (status === 304) say('type', 'content-type');
  if (status === 426 || sent.includes('/connection')) say('connection', 'connection');
  say('allow', 'allow');
  if (status === 302) say('location', 'location');
  if (status === 206 || status === 416) say('range', 'content-range');
  return parts.join(' ');
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Whether the specification allows an outcome. */
export function isRight(outcome: string, { right }: Case): boolean {
  return right.some(pattern => {
    const source = pattern
      .split('\\*')
      .map(part => part.split('*').map(escapeRegExp).join('[^]*'))
      .join('\\*');
    return new RegExp(`^${source}$`, 'i').test(outcome);
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
