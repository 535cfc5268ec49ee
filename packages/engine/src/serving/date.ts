/**
 * The `Date` line of a header block (RFC 9110, section 6.6.1), in Node's format, cached until the end of the second.
 */
import { OutgoingMessage } from 'node:http';
import { Socket } from 'node:net';

interface HeaderMaker {
  _header: string | null;
  _storeHeader(firstLine: string, headers: null): void;
}

/** Captured at load time, because tests may replace it with their own clock. */
const { now } = Date;

let line = '';

/** Its timer is Node's internal one, which keeps running if a test replaces the global timers. */
let clock: Socket | undefined;

/** Returns the line with its line break. */
export function dateLine(): string {
  if (line === '') {
    line = freshLine();
    clock ??= new Socket().on('timeout', forget);
    clock.setTimeout(1000 - (now() % 1000));
  }
  return line;
}

/** Has Node create the line, because its internal clock is not replaced by tests. */
function freshLine(): string {
  const message = new OutgoingMessage() as OutgoingMessage & HeaderMaker;
  message.sendDate = true;
  message._storeHeader('', null);
  const header = message._header!;
  const start = header.indexOf('Date: ');
  return header.slice(start, header.indexOf('\r\n', start) + 2);
}

function forget(): void {
  line = '';
}
