/** Rules on the requirements of each status, and on the statuses that a request allows. */
import type { Exchange } from './exchange.js';
import { parseContentRange } from './grammar.js';
import { unless } from './rule.js';
import type { Rule } from './rule.js';

const isBodiless = (status: number): boolean =>
  (status >= 100 && status < 200) || status === 204 || status === 304;

/** A status that requires a header. */
function wants(status: number, name: string, section: string): Rule {
  return {
    id: `${status}-${name}`,
    section,
    says: `A ${status} response has ${name}.`,
    check: ({ head }) => unless(head.status !== status || head.has(name), 'it is absent'),
  };
}

/** A condition under which a status is allowed. */
function conditional(status: number, pattern: RegExp, section: string, says: string): Rule {
  return {
    id: `${status}-asked`,
    section,
    says,
    check: ({ head, request }) =>
      unless(
        head.status !== status || Object.keys(request.headers).some(name => pattern.test(name)),
        'the request did not ask for it',
      ),
  };
}

/** Headers that describe content that a 304 does not have. */
const METADATA = ['content-encoding', 'content-language', 'content-length', 'content-range', 'content-type'];

/** Headers that a 304 and a 206 must have if the 200 has them (RFC 9110, sections 15.4.5 and 15.3.7). */
const KEPT = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary'];

/**
 * Headers about the connection or the moment, and those that a HEAD response may omit because they depend on the
 * content.
 */
const NOT_OF_HEAD =
  /^(?:date|connection|keep-alive|transfer-encoding|content-length|trailer|set-cookie|x-response-time|age|expires|last-modified|etag)$/;

/** Whether the two requests have the same headers, as far as these select a representation. */
function asksTheSame(one: Exchange, other: Exchange): boolean {
  const selecting = ({ request: { headers } }: Exchange): string =>
    JSON.stringify(
      Object.entries(headers)
        .filter(([name]) => name.startsWith('accept') || /^(?:authorization|cookie|origin|x-.*)$/.test(name))
        .sort(),
    );
  return selecting(one) === selecting(other);
}

/** The response to GET that an exchange is compared with. */
function twin(exchange: Exchange, status: number): Exchange | undefined {
  const { get } = exchange;
  return get?.head.status === status && asksTheSame(exchange, get) ? get : undefined;
}

function keepsFieldsOf200(exchange: Exchange): string | undefined {
  const full = twin(exchange, 200);
  if (!full) return undefined;
  const missing = KEPT.filter(name => full.head.has(name) && !exchange.head.has(name));
  return unless(missing.length === 0, `the 200 has ${missing.join()}`);
}

export const statusRules: Rule[] = [
  {
    id: 'bodiless-length',
    section: 'RFC 9110 8.6',
    says: '1xx, 204, and 2xx to CONNECT have no Content-Length.',
    check: ({ head, request }) => {
      const none =
        head.status < 200 || head.status === 204 || (request.method === 'CONNECT' && head.status < 300);
      return unless(
        !none || !head.has('content-length'),
        `Content-Length: ${head.get('content-length') ?? ''}`,
      );
    },
  },
  {
    id: 'bodiless-transfer-encoding',
    section: 'RFC 9112 6.1',
    says: '1xx, 204, 304, and 2xx to CONNECT have no Transfer-Encoding.',
    check: ({ head, request }) => {
      const none = isBodiless(head.status) || (request.method === 'CONNECT' && head.status < 300);
      return unless(!none || !head.has('transfer-encoding'), 'it is present');
    },
  },
  {
    id: 'date',
    section: 'RFC 9110 6.6.1',
    says: '2xx, 3xx and 4xx have a Date.',
    check: ({ head }) => unless(head.status < 200 || head.status >= 500 || head.has('date'), 'it is absent'),
  },
  {
    id: '101-asked',
    section: 'RFC 9110 15.2.2',
    says: '101 is sent only if the request has Upgrade, and names the protocol.',
    check: ({ head, request }) =>
      unless(
        head.status !== 101 || (head.has('upgrade') && request.headers.upgrade !== undefined),
        'the request did not ask for it',
      ),
  },
  {
    id: '205-content',
    section: 'RFC 9110 15.3.6',
    says: '205 has no content.',
    check: ({ head, length }) => unless(head.status !== 205 || length === 0, `${length} bytes`),
  },
  conditional(206, /^range$/, 'RFC 9110 15.3.7', '206 is sent only if the request has Range.'),
  {
    id: 'range-method',
    section: 'RFC 9110 14.2',
    says: 'Range applies to GET only: 206 and 416 are not sent for another method.',
    check: ({ head, request }) =>
      unless(request.method === 'GET' || !(head.status === 206 || head.status === 416), request.method),
  },
  {
    id: '206-content-range',
    section: 'RFC 9110 15.3.7',
    says: '206 has either Content-Range or the type multipart/byteranges.',
    check: ({ head }) => {
      if (head.status !== 206) return undefined;
      const isMultipart = /^multipart\/byteranges\b/i.test(head.get('content-type') ?? '');
      return unless(isMultipart !== head.has('content-range'), isMultipart ? 'both' : 'neither');
    },
  },
  {
    id: '206-length',
    section: 'RFC 9110 15.3.7.1',
    says: 'The content of a 206 has the length given by its Content-Range.',
    check: ({ head, framing, length }) => {
      const range = head.status === 206 ? parseContentRange(head.get('content-range') ?? '') : undefined;
      if (range?.first === undefined) return undefined;
      const promised = range.last! - range.first + 1;
      const stated = Number(head.get('content-length') ?? promised);
      const sent = framing === 'none' ? promised : length;
      return unless(
        promised === stated && promised === sent,
        `${promised} promised, ${stated} stated, ${sent} sent`,
      );
    },
  },
  {
    id: '206-fields',
    section: 'RFC 9110 15.3.7',
    says: '206 has Cache-Control, Content-Location, Date, ETag, Expires and Vary if the 200 has them.',
    check: exchange => (exchange.head.status === 206 ? keepsFieldsOf200(exchange) : undefined),
  },
  {
    id: 'content-range-status',
    section: 'RFC 9110 14.4',
    says: 'Only 206 and 416 have Content-Range.',
    check: ({ head }) =>
      unless(head.status === 206 || head.status === 416 || !head.has('content-range'), `on ${head.status}`),
  },
  ...[301, 302, 303, 307, 308].map((status, at) =>
    wants(status, 'location', `RFC 9110 15.4.${[2, 3, 4, 8, 9][at]!}`),
  ),
  {
    id: '304-asked',
    section: 'RFC 9110 15.4.5',
    says: '304 is sent only for a conditional GET or HEAD.',
    check: ({ head, request: { method, headers } }) =>
      unless(
        head.status !== 304 ||
          (/^(?:GET|HEAD)$/.test(method) &&
            Boolean(headers['if-none-match'] ?? headers['if-modified-since'])),
        `${method} without a condition`,
      ),
  },
  {
    id: '304-metadata',
    section: 'RFC 9110 15.4.5',
    says: '304 does not describe content: it has no Content-Type, -Encoding, -Language, -Length or -Range.',
    check: ({ head }) => {
      const found = METADATA.filter(name => head.status === 304 && head.has(name));
      return unless(found.length === 0, found.join());
    },
  },
  {
    id: '304-fields',
    section: 'RFC 9110 15.4.5',
    says: '304 has Cache-Control, Content-Location, Date, ETag, Expires and Vary if the 200 has them.',
    check: exchange => (exchange.head.status === 304 ? keepsFieldsOf200(exchange) : undefined),
  },
  wants(401, 'www-authenticate', 'RFC 9110 15.5.2'),
  wants(405, 'allow', 'RFC 9110 15.5.6'),
  wants(407, 'proxy-authenticate', 'RFC 9110 15.5.8'),
  {
    id: '408-close',
    section: 'RFC 9110 15.5.9',
    says: '408 has Connection: close.',
    check: ({ head }) =>
      unless(head.status !== 408 || head.list('connection').includes('close'), 'it has no close'),
  },
  conditional(412, /^if-/, 'RFC 9110 15.5.13', '412 is sent only if the request has a precondition.'),
  wants(416, 'content-range', 'RFC 9110 15.5.17'),
  conditional(416, /^range$/, 'RFC 9110 15.5.17', '416 is sent only if the request has Range.'),
  conditional(417, /^expect$/, 'RFC 9110 15.5.18', '417 is sent only if the request has Expect.'),
  wants(426, 'upgrade', 'RFC 9110 15.5.22'),
  {
    id: 'head-fields',
    section: 'RFC 9110 9.3.2',
    says: 'HEAD has the same fields as GET.',
    check: exchange => {
      const full = exchange.request.method === 'HEAD' ? twin(exchange, exchange.head.status) : undefined;
      if (!full) return undefined;
      const names = ({ head }: Exchange): string[] =>
        [...new Set(head.fields.map(({ name }) => name.toLowerCase()))]
          .filter(name => !NOT_OF_HEAD.test(name))
          .sort();
      const [ours, theirs] = [names(exchange), names(full)];
      return unless(ours.join() === theirs.join(), `HEAD: ${ours.join()}; GET: ${theirs.join()}`);
    },
  },
  {
    id: 'head-length',
    section: 'RFC 9110 8.6',
    says: 'The Content-Length of HEAD is the same as that of GET.',
    check: exchange => {
      const full = exchange.request.method === 'HEAD' ? twin(exchange, exchange.head.status) : undefined;
      const stated = exchange.head.get('content-length');
      if (!full || full.framing === 'close' || stated === undefined) return undefined;
      return unless(Number(stated) === full.length, `${stated}, and GET has ${full.length}`);
    },
  },
];
