// runs: each
/** The rules for every response in the tests: each detects violations, and reports them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { IncomingHttpHeaders } from 'node:http';
import { exemptionFor, exemptions } from '../support/lint-response/exemptions.js';
import type { Exchange, RequestSeen } from '../support/lint-response/exchange.js';
import { MessageStream } from '../support/lint-response/message-stream.js';
import type { Message } from '../support/lint-response/message-stream.js';
import { rules, streamRules } from '../support/lint-response/rules.js';
import { summarize } from '../support/lint-response/summary.js';

type Ask = Partial<RequestSeen>;

const NOW = 'Date: Sat, 21 Nov 2026 04:00:00 GMT';

/** Parses the bytes of a connection. */
function read(
  bytes: string,
  hasBody = true,
  pieceLength = 1,
): { messages: Message[]; broken: string[]; stream: MessageStream } {
  const messages: Message[] = [];
  const broken: string[] = [];
  const stream = new MessageStream({
    onHead: () => hasBody,
    onMessage: message => void messages.push(message),
    onBroken: (wrong, message) => {
      broken.push(wrong);
      if (message) messages.push(message);
    },
  });
  // Byte by byte unless there are too many, because the boundaries of writes must not matter.
  const buffer = Buffer.from(bytes, 'latin1');
  for (let start = 0; start < buffer.length; start += pieceLength)
    stream.feed(buffer.subarray(start, start + pieceLength));
  return { messages, broken, stream };
}

function exchange(
  lines: string[],
  content = '',
  { method = 'GET', target = '/', version = '1.1', headers = {} }: Ask = {},
): Exchange {
  const bytes = [...lines, '', content].join('\r\n');
  const { messages, stream } = read(bytes, method !== 'HEAD' && !/^HTTP\S* (?:1|204|304)/.test(bytes));
  const message = messages[0] ?? stream.open;
  return { request: { method, target, version, headers }, ...message! };
}

const broken = (one: Exchange): string[] =>
  rules.filter(rule => rule.check(one) !== undefined).map(({ id }) => id);
const ok = (...fields: string[]): string[] => ['HTTP/1.1 200 OK', NOW, ...fields];
const status = (code: number, ...fields: string[]): string[] => [`HTTP/1.1 ${code} x`, NOW, ...fields];
const asking = (headers: IncomingHttpHeaders, ask: Ask = {}): Ask => ({ ...ask, headers });

/** Responses that break a rule, by rule, each optionally with content and a request. */
const BAD: Record<string, [lines: string[], content?: string, ask?: Ask][]> = {
  'status-line': [[['HTTP/1.1 200', NOW]], [['HTTP/1.1 20 OK', NOW]]],
  version: [[['HTTP/1.0 200 OK', NOW]]],
  'status-range': [[status(999)], [status(600)]],
  'final-status': [[status(102)], [['HTTP/1.1 102 x', 'Content-Length: 4']]],
  'interim-http-1.0': [[['HTTP/1.1 100 Continue'], '', { version: '1.0' }]],
  reason: [[['HTTP/1.1 200 O\x07K', NOW]]],
  'field-name': [[ok('A B: c')], [ok('A : b')], [ok('A')]],
  'field-value': [[ok('A: b\0c')], [ok('A: b\x7f')], [ok('A: b\nc')]],
  'field-folding': [[ok('A: b', ' c')]],
  'request-field': [[ok('Host: a')]],
  'length-and-chunks': [[ok('Content-Length: 1', 'Transfer-Encoding: chunked'), '0\r\n\r\n']],
  'transfer-encoding': [
    [ok('Transfer-Encoding: chunked, gzip')],
    [ok('Transfer-Encoding: chunked, chunked'), '0\r\n\r\n'],
  ],
  'transfer-encoding-http-1.0': [[ok('Transfer-Encoding: chunked'), '0\r\n\r\n', { version: '1.0' }]],
  trailer: [[ok('Transfer-Encoding: chunked'), '0\r\nContent-Length: 1\r\n\r\n']],
  connection: [[ok('Connection: a b')], [ok('Connection: close, cache-control')]],
  'keep-alive-named': [[ok('Keep-Alive: timeout=5')], [ok('Connection: close', 'Upgrade: a')]],
  'close-answered': [[ok('Connection: keep-alive'), '', asking({ connection: 'a, Close' })]],
  delimited: [[ok('Connection: keep-alive'), 'x']],
  'form-accept-ranges': [[ok('Accept-Ranges:')]],
  'form-access-control-allow-credentials': [[ok('Access-Control-Allow-Credentials: false')]],
  'form-access-control-allow-headers': [[ok('Access-Control-Allow-Headers: a b')]],
  'form-access-control-allow-methods': [[ok('Access-Control-Allow-Methods: GET;PUT')]],
  'form-access-control-allow-origin': [[ok('Access-Control-Allow-Origin: http://a, http://b')]],
  'form-access-control-expose-headers': [[ok('Access-Control-Expose-Headers: "a"')]],
  'form-access-control-max-age': [[ok('Access-Control-Max-Age: -1s')]],
  'form-age': [[ok('Age: -1')]],
  'form-allow': [[ok('Allow: GET HEAD')], [ok('Allow: GET,')]],
  'form-cache-control': [[ok('Cache-Control: max-age = 1')], [ok('Cache-Control: a;b')]],
  'form-content-disposition': [[ok('Content-Disposition: attachment; filename=a b')]],
  'form-content-encoding': [[ok('Content-Encoding: g/zip')]],
  'form-content-language': [[ok('Content-Language: de_DE')]],
  'form-content-length': [[ok('Content-Length: -1')], [ok('Content-Length: 1, 1')]],
  'form-content-location': [[ok('Content-Location: /a#b')]],
  'form-content-range': [
    [status(206, 'Content-Range: bytes 1-0/5'), '', asking({ range: 'x' })],
    [status(206, 'Content-Range: bytes 0-5/5'), '', asking({ range: 'x' })],
    [status(416, 'Content-Range: bytes 0-1'), '', asking({ range: 'x' })],
  ],
  'form-content-type': [[ok('Content-Type: text')], [ok('Content-Type: text/html; charset = x')]],
  'form-date': [
    [['HTTP/1.1 200 OK', 'Date: Sun, 21 Nov 2026 04:00:00 GMT']],
    [['HTTP/1.1 200 OK', 'Date: now']],
  ],
  'form-etag': [[ok('ETag: a')], [ok('ETag: w/"a"')], [ok('ETag: "a"b"')]],
  'form-expires': [[ok('Expires: 0')]],
  'form-last-modified': [[ok('Last-Modified: Saturday, 21-Nov-26 04:00:00 GMT')]],
  'form-link': [[ok('Link: /a; rel=next')], [ok('Link: </a>,')]],
  'form-location': [[ok('Location: /a b')], [ok('Location: /%zz')], [ok('Location: /a#b#c')]],
  'form-proxy-authenticate': [[ok('Proxy-Authenticate: Basic realm="a')]],
  'form-retry-after': [[ok('Retry-After: soon')]],
  'form-set-cookie': [
    [ok('Set-Cookie: a')],
    [ok('Set-Cookie: a=b,c')],
    [ok('Set-Cookie: a=b; Expires=Sat, 21-Nov-2026 04:00:00 GMT')],
    [ok('Set-Cookie: a=b; Max-Age=x')],
    [ok('Set-Cookie: a=b; Domain=a_b')],
    [ok('Set-Cookie: a=b; Path')],
    [ok('Set-Cookie: a=b; Secure=1')],
    [ok('Set-Cookie: a=b; SameSite=Some')],
    [ok('Set-Cookie: a=b; Priority=Urgent')],
    [ok('Set-Cookie: a=b; Path=/; path=/')],
    [ok('Set-Cookie: a=b; Cup=1')],
  ],
  'form-strict-transport-security': [[ok('Strict-Transport-Security: includeSubDomains')]],
  'form-trailer': [[ok('Trailer: a b')]],
  'form-upgrade': [[ok('Connection: upgrade', 'Upgrade: a/b/c')]],
  'form-vary': [[ok('Vary: a b')]],
  'form-www-authenticate': [[ok('WWW-Authenticate: Basic realm="a')]],
  'form-x-content-type-options': [[ok('X-Content-Type-Options: sniff')]],
  'form-x-frame-options': [[ok('X-Frame-Options: ALLOWALL')]],
  'cookie-once': [[ok('Set-Cookie: a=1; Path=/', 'Set-Cookie: a=2; path=/')]],
  'cookie-none-secure': [[ok('Set-Cookie: a=1; SameSite=None')], [ok('Set-Cookie: __Host-a=1; Path=/')]],
  'vary-star': [[ok('Vary: *, Accept')]],
  'not-from-the-future': [[ok('Last-Modified: Sat, 21 Nov 2026 04:00:02 GMT')]],
  'cors-credentials': [[ok('Access-Control-Allow-Credentials: true', 'Access-Control-Allow-Origin: *')]],
  'accept-ranges-none': [[ok('Accept-Ranges: none, bytes')]],
  'bodiless-length': [
    [status(204, 'Content-Length: 0')],
    [ok('Content-Length: 0'), '', { method: 'CONNECT' }],
  ],
  'bodiless-transfer-encoding': [
    [status(204, 'Transfer-Encoding: chunked')],
    [status(304, 'Transfer-Encoding: chunked')],
  ],
  date: [[['HTTP/1.1 200 OK']], [['HTTP/1.1 404 Not Found']]],
  '101-asked': [[['HTTP/1.1 101 x']], [['HTTP/1.1 101 x', 'Connection: upgrade', 'Upgrade: a']]],
  '205-content': [[status(205, 'Content-Length: 1'), 'x']],
  '206-asked': [[status(206, 'Content-Range: bytes 0-0/5'), 'x']],
  'range-method': [[status(416, 'Content-Range: bytes */5'), '', asking({ range: 'x' }, { method: 'HEAD' })]],
  '206-content-range': [
    [status(206), '', asking({ range: 'x' })],
    [
      status(206, 'Content-Type: multipart/byteranges; boundary=a', 'Content-Range: bytes 0-1/5'),
      '',
      asking({ range: 'x' }),
    ],
  ],
  '206-length': [
    [status(206, 'Content-Range: bytes 0-1/5', 'Content-Length: 1'), 'x', asking({ range: 'x' })],
  ],
  'content-range-status': [[ok('Content-Range: bytes 0-1/5')]],
  '301-location': [[status(301)]],
  '302-location': [[status(302)]],
  '303-location': [[status(303)]],
  '307-location': [[status(307)]],
  '308-location': [[status(308)]],
  '304-asked': [[status(304)], [status(304), '', asking({ 'if-none-match': '*' }, { method: 'PUT' })]],
  '304-metadata': [[status(304, 'Content-Type: a/b'), '', asking({ 'if-none-match': '*' })]],
  '401-www-authenticate': [[status(401)]],
  '405-allow': [[status(405)]],
  '407-proxy-authenticate': [[status(407)]],
  '408-close': [[status(408)]],
  '412-asked': [[status(412)]],
  '416-content-range': [[status(416), '', asking({ range: 'x' })]],
  '416-asked': [[status(416, 'Content-Range: bytes */5')]],
  '417-asked': [[status(417)]],
  '426-upgrade': [[status(426)]],
};

describe('response linter', () => {
  for (const rule of rules) {
    test(`${rule.id}: ${rule.says}`, () => {
      assert.match(rule.section, /^(?:RFC \d{4}(?:bis)?|Fetch) [\d.]+$/);
      const cases =
        BAD[rule.id] ??
        (rule.id.startsWith('once-') ? twice(rule.id.slice('once-'.length)) : OTHERWISE[rule.id]);
      assert.ok(cases !== undefined, 'no response here breaks it');
      for (const one of cases) assert.ok(broken(exchange(...one)).includes(rule.id), one[0].join(' | '));
    });
  }

  test('docs: state the actual number of rules', () => {
    const document = path.join(__dirname, '../../../../docs/proofs/conformance.md');
    assert.match(fs.readFileSync(document, 'utf8'), new RegExp(`checked against ${rules.length} rules`));
  });

  test('HEAD, 206 and 304: are compared with the response to GET', () => {
    const full = exchange(ok('Vary: a', 'ETag: "a"', 'Content-Type: a/b', 'Content-Length: 4'), 'four');
    const seen = (lines: string[], ask: Ask, get = full): string[] =>
      broken({ ...exchange(lines, '', ask), get });
    const head = { method: 'HEAD' };
    assert.deepEqual(seen(ok('Vary: a', 'Content-Type: a/b', 'Content-Length: 4'), head), []);
    assert.deepEqual(seen(ok('Vary: a', 'Content-Type: a/b', 'Content-Length: 5'), head), ['head-length']);
    assert.deepEqual(seen(ok('Vary: a'), head), ['head-fields']);
    assert.deepEqual(seen(ok('Vary: a'), asking({ accept: 'x' }, head)), []);
    assert.deepEqual(seen(status(304, 'Vary: a'), asking({ 'if-none-match': '"a"' })), ['304-fields']);
    const part = status(206, 'Content-Range: bytes 0-0/4', 'Content-Length: 1', 'ETag: "a"');
    assert.deepEqual(broken({ ...exchange(part, 'f', asking({ range: 'x' })), get: full }), ['206-fields']);
  });

  test('exemptions: each has a reason and matches only what it names', () => {
    for (const { reason, rule } of exemptions) {
      assert.ok(reason.length > 10);
      assert.ok(
        rules.some(({ id }) => rule.test(id)),
        reason,
      );
    }
    const rule = rules.find(({ id }) => id === 'form-etag')!;
    const violation = { rule, exchange: exchange(ok('ETag: a')), wrong: 'a', origin: 'ours' } as const;
    assert.equal(exemptionFor('res.send.test.ts', violation), undefined);
    assert.ok(exemptionFor('settings.responses.test.ts', violation));
  });

  test('summary: adds up the processes and names unused exemptions', () => {
    const note = {
      rules: 2,
      counts: { ours: 2, bare: 1, oracle: 5 },
      oracle: { a: 1 },
      exempted: { [exemptions[0]!.reason]: 1 },
    };
    const { violations, lines } = summarize([note, note, { violation: 'one' }], true);
    assert.equal(violations, 1);
    assert.match(lines[0]!, /^responses: 6 checked by 2 rules, 1 violations, 2 exempted$/);
    assert.match(lines[1]!, /10, 2 violations/);
    assert.equal(lines.length, 3 + exemptions.length - 1);
    assert.equal(summarize([], false).lines.length, 2);
  });
});

/** Returns a response that repeats a header which may occur only once. */
const twice = (name: string): [string[]][] => [[ok(`${name}: 1`, `${name}: 1`)]];

/** Rules that a single response cannot break: these have separate tests. */
const OTHERWISE: Record<string, []> = Object.fromEntries(
  [
    'head-fields',
    'head-length',
    '304-fields',
    '206-fields',
    ...Object.values(streamRules).map(({ id }) => id),
  ].map(id => [id, []]),
);

describe('response linter, framing', () => {
  const problems = (...args: Parameters<typeof read>): string => read(...args).broken.join();
  const head = (...fields: string[]): string => [...ok(...fields), '', ''].join('\r\n');

  test('messages: are parsed one after another, with any framing', () => {
    const { messages, stream } = read(
      `${head('Content-Length: 2')}ab${head('Transfer-Encoding: chunked')}1\r\nx\r\n0\r\n\r\n${head('Connection: close')}rest`,
    );
    assert.deepEqual(
      messages.map(({ length, framing }) => [length, framing]),
      [
        [2, 'length'],
        [1, 'chunked'],
      ],
    );
    assert.equal(stream.end(), undefined);
    assert.deepEqual([messages[2]?.length, messages[2]?.framing], [4, 'close']);
  });
  test('broken: reports bytes that do not fit the framing', () => {
    assert.match(problems(`${head('Content-Length: 1')}ab`), /1 bytes after the end of the message: "b"/);
    assert.match(problems(`${head('Content-Length: 4')}body`, false), /after the end of the message/);
    assert.match(problems(`${head('Transfer-Encoding: chunked')}x\r\n`), /a chunk of the size "x"/);
    assert.match(problems(`${head('Transfer-Encoding: chunked')}1\r\nab\r\n`), /a chunk is followed by "b"/);
    assert.match(problems(head('Content-Length: x')), /no length/);
    assert.match(problems(`HTTP/1.1 ${'x'.repeat(1 << 20)}`, true, 1 << 16), /without an end/);
  });
  test('unfinished: is reported as open and can be abandoned', () => {
    const { stream } = read(`${head('Content-Length: 4')}ab`);
    assert.equal(stream.end()?.length, 2);
    stream.abandon();
    assert.equal(stream.open, undefined);
  });
});
