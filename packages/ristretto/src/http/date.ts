/** The line `Date` of a header block (RFC 9110, section 6.6.1), as Node writes it, kept for the rest of the second. */
import { OutgoingMessage } from 'node:http';
import { Socket } from 'node:net';

interface HeaderMaker {
  _header: string | null;
  _storeHeader(firstLine: string, headers: null): void;
}

/** Taken when loaded: later it may be a test's own clock. */
const { now } = Date;

let line = '';

/** Its timer is Node's own, which goes on where a test has replaced the global ones. */
let clock: Socket | undefined;

/** The line with its end. */
export function dateLine(): string {
  if (line === '') {
    line = freshLine();
    clock ??= new Socket().on('timeout', forget);
    clock.setTimeout(1000 - (now() % 1000));
  }
  return line;
}

/** Asks Node: it has a clock that tests do not replace. */
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
