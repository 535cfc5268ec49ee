/** All rules: those on one response, and those on the bytes of a connection, whose violations `tap.ts` detects. */
import { words } from '../random.js';
import type { Exchange } from './exchange.js';
import * as grammar from './grammar.js';
import { parseContentRange } from './grammar.js';

/** The type of rules. */
export interface Rule {
  /** A short name, for reports and exemptions. */
  id: string;
  /** Where it is written. */
  section: string;
  /** The requirement, in a sentence. */
  says: string;
  /** Returns the problem with the exchange, or undefined. */
  check(exchange: Exchange): string | undefined;
}

/** The sentence that describes the problem, if there is one. */
export function unless(right: boolean, wrong: string): string | undefined {
  return right ? undefined : wrong;
}

// Rules on the values of single headers: each has the form that its section defines.

/** Headers whose every line must have a certain form. */
const FORMS: [name: string, section: string, form: RegExp | ((value: string) => boolean)][] = [
  ['accept-ranges', 'RFC 9110 14.3', grammar.someTokens],
  ['access-control-allow-credentials', 'Fetch 3.3.3', /^true$/],
  ['access-control-allow-headers', 'Fetch 3.3.3', grammar.tokens],
  ['access-control-allow-methods', 'Fetch 3.3.3', grammar.tokens],
  ['access-control-allow-origin', 'Fetch 3.3.3', /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+)$/],
  ['access-control-expose-headers', 'Fetch 3.3.3', grammar.tokens],
  ['access-control-max-age', 'Fetch 3.3.3', grammar.digits],
  ['age', 'RFC 9111 5.1', grammar.digits],
  ['allow', 'RFC 9110 10.2.1', grammar.tokens],
  ['cache-control', 'RFC 9111 5.2', grammar.cacheControl],
  ['content-disposition', 'RFC 6266 4.1', grammar.disposition],
  ['content-encoding', 'RFC 9110 8.4', grammar.tokens],
  ['content-language', 'RFC 9110 8.5', grammar.languages],
  ['content-length', 'RFC 9110 8.6', grammar.digits],
  ['content-location', 'RFC 9110 8.7', value => grammar.uriReference.test(value) && !value.includes('#')],
  ['content-range', 'RFC 9110 14.4', value => grammar.parseContentRange(value) !== undefined],
  ['content-type', 'RFC 9110 8.3', grammar.mediaType],
  ['date', 'RFC 9110 5.6.7', grammar.isDate],
  ['etag', 'RFC 9110 8.8.3', grammar.entityTag],
  ['expires', 'RFC 9111 5.3', grammar.isDate],
  ['last-modified', 'RFC 9110 8.8.2', grammar.isDate],
  ['link', 'RFC 8288 3', grammar.link],
  ['location', 'RFC 9110 10.2.2', grammar.uriReference],
  ['proxy-authenticate', 'RFC 9110 11.7.1', grammar.challenge],
  ['retry-after', 'RFC 9110 10.2.3', value => grammar.digits.test(value) || grammar.isDate(value)],
  ['strict-transport-security', 'RFC 6797 6.1', grammar.strictTransportSecurity],
  ['trailer', 'RFC 9110 6.6.2', grammar.tokens],
  ['upgrade', 'RFC 9110 7.8', grammar.upgrade],
  ['vary', 'RFC 9110 12.5.5', grammar.tokens],
  ['www-authenticate', 'RFC 9110 11.6.1', grammar.challenge],
  ['x-content-type-options', 'Fetch 3.6', /^nosniff$/i],
  ['x-frame-options', 'RFC 7034 2.1', /^(?:deny|sameorigin)$/i],
];

const fieldRules: Rule[] = [
  ...FORMS.map(([name, section, form]): Rule => ({
    id: `form-${name}`,
    section,
    says: `${name} matches its grammar.`,
    check: ({ head }) => {
      const isRight = typeof form === 'function' ? form : (value: string) => form.test(value);
      const wrong = head.all(name).find(value => !isRight(value));
      return wrong === undefined ? undefined : JSON.stringify(wrong);
    },
  })),
  {
    id: 'form-set-cookie',
    section: 'RFC 6265 4.1.1',
    says: 'Set-Cookie has a name-value pair, then known attributes, each at most once.',
    check: ({ head }) => head.all('set-cookie').map(grammar.wrongCookie).find(Boolean),
  },
  {
    id: 'cookie-once',
    section: 'RFC 6265 4.1.1',
    says: 'Cookies with the same name, domain and path are set at most once.',
    check: ({ head }) => {
      const keys = head.all('set-cookie').map(value => {
        const attribute = (name: string) => new RegExp(`; ${name}=([^;]*)`, 'i').exec(value)?.[1] ?? '';
        return [value.split('=')[0], attribute('domain'), attribute('path')].join(' ');
      });
      return unless(new Set(keys).size === keys.length, head.all('set-cookie').join(' | '));
    },
  },
  {
    id: 'cookie-none-secure',
    section: 'RFC 6265bis 4.1.2.7',
    says: 'A cookie with SameSite=None, or a name that begins with __Secure- or __Host-, has the Secure attribute.',
    check: ({ head }) => {
      const needs = /; samesite=none(?:;|$)|^__(?:Secure|Host)-/i;
      return head.all('set-cookie').find(value => needs.test(value) && !/; secure(?:;|$)/i.test(value));
    },
  },
  {
    id: 'vary-star',
    section: 'RFC 9110 12.5.5',
    says: 'An asterisk is the only member of Vary.',
    check: ({ head }) => {
      const members = head.list('vary');
      return unless(!members.includes('*') || members.length === 1, members.join());
    },
  },
  {
    id: 'not-from-the-future',
    section: 'RFC 9110 8.8.2.1',
    says: 'Last-Modified is not more than a second later than Date.',
    check: ({ head }) => {
      const modified = Date.parse(head.get('last-modified') ?? '');
      const date = Date.parse(head.get('date') ?? '');
      // A comparison with no date is false. Node renews the date by a timer, which may be late for a file just written.
      return unless(
        !(modified > date + 1000),
        `${head.get('last-modified') ?? ''}, but the Date is ${head.get('date') ?? ''}`,
      );
    },
  },
  {
    id: 'cors-credentials',
    section: 'Fetch 3.3.5',
    says: 'If credentials are allowed, the allowed origin is not an asterisk.',
    check: ({ head }) =>
      unless(
        !head.has('access-control-allow-credentials') || head.get('access-control-allow-origin') !== '*',
        'an asterisk',
      ),
  },
  {
    id: 'accept-ranges-none',
    section: 'RFC 9110 14.3',
    says: 'Accept-Ranges: none is the only value, and is not sent with 206.',
    check: ({ head }) => {
      const units = head.list('accept-ranges');
      return unless(!units.includes('none') || (units.length === 1 && head.status !== 206), units.join());
    },
  },
];

// Rules on the form of a message: status line, header lines, framing, connection.

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
const REQUEST_ONLY = words('host te expect if-match if-none-match if-modified-since if-range max-forwards');

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

const messageRules: Rule[] = [
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

/** Rules on the requirements of each status, and on the statuses that a request allows. */
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

const statusRules: Rule[] = [
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

const streamRule = (id: string, section: string, says: string): Rule => ({
  id,
  section,
  says,
  check: () => undefined,
});

/** Violated by bytes between messages, not by a message. */
export const streamRules = {
  framing: streamRule(
    'framing',
    'RFC 9112 6.3',
    'The body has the length that its framing gives; HEAD, 1xx, 204 and 304 have no body; nothing follows the message.',
  ),
  short: streamRule('short', 'RFC 9110 8.6', 'A response that has been sent is complete.'),
  afterClose: streamRule(
    'after-close',
    'RFC 9112 9.6',
    'No response follows a response with Connection: close.',
  ),
};
export const rules: Rule[] = [...messageRules, ...fieldRules, ...statusRules, ...Object.values(streamRules)];
