/** Rules on the form of a message: status line, header lines, framing, connection. */
import * as grammar from './grammar.js';
import type { Exchange } from './exchange.js';
import { unless } from './rule.js';
import type { Rule } from './rule.js';

/** Headers that are not lists and may occur at most once (RFC 9110, section 5.3), each with its section. */
const SINGLETONS = [
  ['access-control-allow-origin', 'Fetch 3.3.3'],
  ['age', 'RFC 9111 5.1'],
  ['content-disposition', 'RFC 6266 4.1'],
  ['content-length', 'RFC 9110 8.6'],
  ['content-location', 'RFC 9110 8.7'],
  ['content-range', 'RFC 9110 14.4'],
  ['content-type', 'RFC 9110 8.3'],
  ['date', 'RFC 9110 6.6.1'],
  ['etag', 'RFC 9110 8.8.3'],
  ['expires', 'RFC 9111 5.3'],
  ['last-modified', 'RFC 9110 8.8.2'],
  ['location', 'RFC 9110 10.2.2'],
  ['retry-after', 'RFC 9110 10.2.3'],
  ['server', 'RFC 9110 10.2.4'],
  ['strict-transport-security', 'RFC 6797 6.1'],
  ['x-frame-options', 'RFC 7034 2.1'],
] as const;

/** Request headers that mean nothing in a response. */
const REQUEST_ONLY = [
  'host',
  'te',
  'expect',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'max-forwards',
];

/**
 * Headers that trailers must not contain (RFC 9110, section 6.5.1): framing, routing, authentication, controls,
 * content.
 */
const NO_TRAILER =
  /^(?:transfer-encoding|content-length|content-type|content-encoding|content-range|trailer|host|te|set-cookie|cache-control|age|expires|date|location|retry-after|vary|www-authenticate|proxy-authenticate|connection)$/i;

const isInterim = ({ head: { status } }: Exchange): boolean => status >= 100 && status < 200;

/** Returns the first header with a problem. */
function firstWrong(
  { head, trailers }: Exchange,
  wrong: (name: string, value: string, line: string) => boolean,
): string | undefined {
  const found = [...head.fields, ...trailers].find(({ name, value, line }) => wrong(name, value, line));
  return found && JSON.stringify(found.line);
}

export const messageRules: Rule[] = [
  {
    id: 'status-line',
    section: 'RFC 9112 4',
    says: 'The status line consists of the version, a space, three digits, a space, and an optional reason phrase.',
    check: ({ head }) => unless(/^HTTP\/\d\.\d \d{3} [^]*$/.test(head.statusLine), head.statusLine),
  },
  {
    id: 'version',
    section: 'RFC 9110 2.5',
    says: 'The version is HTTP/1.1, the highest that the server conforms to.',
    check: ({ head }) => unless(head.version === 'HTTP/1.1', head.version),
  },
  {
    id: 'status-range',
    section: 'RFC 9110 15',
    says: 'The status is between 100 and 599.',
    check: ({ head: { status } }) => unless(status >= 100 && status <= 599, String(status)),
  },
  {
    id: 'final-status',
    section: 'RFC 9110 15.2',
    says: 'The status of a final response is not 1xx.',
    check: exchange =>
      unless(
        !isInterim(exchange) || !(exchange.head.has('content-length') || exchange.head.has('date')),
        'a final 1xx',
      ),
  },
  {
    id: 'interim-http-1.0',
    section: 'RFC 9110 15.2',
    says: 'No interim response is sent to an HTTP/1.0 client.',
    check: exchange => unless(!isInterim(exchange) || exchange.request.version !== '1.0', 'sent to HTTP/1.0'),
  },
  {
    id: 'reason',
    section: 'RFC 9112 4',
    says: 'The reason phrase contains only visible characters, spaces and tabs.',
    check: ({ head: { reason } }) => unless(grammar.reasonPhrase.test(reason), JSON.stringify(reason)),
  },
  {
    id: 'field-name',
    section: 'RFC 9110 5.1',
    says: 'A field name is a token, directly followed by a colon.',
    check: exchange =>
      firstWrong(exchange, (name, _value, line) => !grammar.token.test(name) || !line.includes(':')),
  },
  {
    id: 'field-value',
    section: 'RFC 9110 5.5',
    says: 'A field value contains no control characters, such as CR, LF or NUL.',
    check: exchange => firstWrong(exchange, (_name, value) => !grammar.fieldValue.test(value)),
  },
  {
    id: 'field-folding',
    section: 'RFC 9112 5.2',
    says: 'No field value is folded across several lines.',
    check: exchange => firstWrong(exchange, (_name, _value, line) => /^[ \t]/.test(line)),
  },
  ...SINGLETONS.map(([name, section]): Rule => ({
    id: `once-${name}`,
    section,
    says: `There is at most one ${name}.`,
    check: ({ head }) => unless(head.all(name).length <= 1, head.all(name).join(' | ')),
  })),
  {
    id: 'request-field',
    section: 'RFC 9110 6.3',
    says: 'A response has no field that is for requests only.',
    check: ({ head }) => {
      const found = REQUEST_ONLY.filter(name => head.has(name));
      return unless(found.length === 0, found.join());
    },
  },
  {
    id: 'length-and-chunks',
    section: 'RFC 9112 6.2',
    says: 'A response with Transfer-Encoding has no Content-Length.',
    check: ({ head }) =>
      unless(!head.has('transfer-encoding') || !head.has('content-length'), 'both are present'),
  },
  {
    id: 'transfer-encoding',
    section: 'RFC 9112 6.1',
    says: 'The last transfer coding is chunked, and it is applied only once.',
    check: ({ head }) => {
      const codings = head.list('transfer-encoding');
      const isRight =
        codings.length === 0 ||
        (codings.at(-1) === 'chunked' && codings.indexOf('chunked') === codings.length - 1);
      return unless(isRight || !head.has('transfer-encoding'), codings.join());
    },
  },
  {
    id: 'transfer-encoding-http-1.0',
    section: 'RFC 9112 6.1',
    says: 'No transfer coding is sent to an HTTP/1.0 client.',
    check: ({ head, request }) =>
      unless(request.version !== '1.0' || !head.has('transfer-encoding'), 'sent to HTTP/1.0'),
  },
  {
    id: 'trailer',
    section: 'RFC 9110 6.5.1',
    says: 'Trailers contain no fields that frame, route or describe the message.',
    check: ({ trailers }) => {
      const found = trailers.filter(({ name }) => NO_TRAILER.test(name));
      return unless(found.length === 0, found.map(({ name }) => name).join());
    },
  },
  {
    id: 'connection',
    section: 'RFC 9110 7.6.1',
    says: 'Connection is a list of tokens, and names no end-to-end field.',
    check: ({ head }) => {
      const options = head.list('connection');
      const isRight = options.every(
        option =>
          grammar.token.test(option) && !/^(?:cache-control|content-|date|etag|set-cookie|vary)/.test(option),
      );
      return unless(isRight, options.join());
    },
  },
  {
    id: 'keep-alive-named',
    section: 'RFC 9110 7.6.1',
    says: 'Keep-Alive, Proxy-Connection and Upgrade are hop-by-hop: if present, Connection names them.',
    check: ({ head }) => {
      const found = ['keep-alive', 'proxy-connection', 'upgrade'].filter(
        name => head.has(name) && !head.list('connection').includes(name),
      );
      return unless(
        found.length === 0,
        `${found.join()} without Connection: ${head.get('connection') ?? ''}`,
      );
    },
  },
  {
    id: 'close-answered',
    section: 'RFC 9112 9.6',
    says: 'The response to a request with Connection: close has Connection: close.',
    check: exchange => {
      const { head, request } = exchange;
      const asked = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(request.headers.connection ?? '');
      return unless(
        !asked || isInterim(exchange) || head.list('connection').includes('close'),
        'it has no close',
      );
    },
  },
  {
    id: 'delimited',
    section: 'RFC 9112 9.3',
    says: 'A response whose body has no length does not keep the connection alive.',
    check: ({ head, framing }) =>
      unless(
        framing !== 'close' || !head.list('connection').includes('keep-alive'),
        'keep-alive without a length',
      ),
  },
];
