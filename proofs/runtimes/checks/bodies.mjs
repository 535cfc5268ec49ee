/** Bodies: how the parsers handle requests, and how responses are framed and compressed. */
import zlib from 'node:zlib';
import { gets } from './check.mjs';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const jsonOf = async response => JSON.parse((await response).body);

export default [
  {
    name: 'parses JSON',
    ask: ({ post }) => post('/bodies/json', '{"a":["é"]}', JSON_TYPE),
    expected: { status: 200, body: '{"a":["é"]}' },
  },
  {
    name: 'parses JSON that comes in chunks, without a length',
    ask: async ({ raw }) => {
      const head = 'POST /bodies/json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
      const connection = raw().send(
        `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n`,
      );
      await new Promise(resolve => setTimeout(resolve, 50));
      const text = await connection.send('3\r\n:1}\r\n0\r\n\r\n').end();
      return text.includes('{"a":1}');
    },
    expected: true,
  },
  {
    name: 'parses forms',
    ask: ({ post }) =>
      post('/bodies/form', 'a[b]=1&c=%C3%A9+x', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    expected: { body: '{"a":{"b":"1"},"c":"é x"}' },
  },
  {
    name: 'decodes text in another charset',
    ask: ({ post }) =>
      post('/bodies/text', Buffer.from('h\u00e9', 'latin1'), {
        'Content-Type': 'text/plain; charset=latin1',
      }),
    expected: { body: '"hé"' },
  },
  {
    name: 'reads four megabytes of bytes',
    ask: ({ post }) =>
      jsonOf(post('/bodies/raw', Buffer.alloc(4_000_000), { 'Content-Type': 'application/octet-stream' })),
    expected: { isBuffer: true, length: 4_000_000 },
  },
  {
    name: 'inflates compressed bodies',
    ask: ({ post }) =>
      post('/bodies/json', zlib.gzipSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
    expected: { body: '{"a":1}' },
  },
  {
    name: 'runs two parsers one after the other',
    ask: ({ post }) => post('/bodies/twice', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    expected: { body: '{"a":"1"}' },
  },
  {
    name: 'responds 413 above the limit',
    ask: ({ post }) => post('/bodies/json', JSON.stringify('x'.repeat(2000)), JSON_TYPE),
    expected: { status: 413, body: '{"type":"entity.too.large"}' },
  },
  {
    name: 'responds 400 to malformed JSON',
    ask: ({ post }) => post('/bodies/json', '{"a":', JSON_TYPE),
    expected: { status: 400, body: '{"type":"entity.parse.failed"}' },
  },
  {
    name: 'responds 415 to an unknown charset',
    ask: ({ post }) => post('/bodies/json', '{}', { 'Content-Type': 'application/json; charset=none' }),
    expected: { status: 415, body: '{"type":"charset.unsupported"}' },
  },
  {
    name: 'continues when the client expects it',
    ask: async ({ raw }) => {
      const connection = raw().send(
        'POST /bodies/json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n' +
          'Content-Type: application/json\r\nContent-Length: 7\r\n\r\n',
      );
      await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
      return (await connection.send('{"a":1}').end()).includes('{"a":1}');
    },
    expected: true,
  },
  {
    name: 'serves the next request behind a body that nobody read',
    ask: async ({ raw }) => {
      const unread = `POST /bodies/unread HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`;
      const next = 'GET /routing/users/next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const text = await raw()
        .send(unread + next)
        .end();
      return [text.includes('not read'), text.includes('"name":"next"')];
    },
    expected: [true, true],
  },
  {
    name: 'pipes a request into its response',
    ask: async ({ post }) => (await post('/bodies/echo', 'x'.repeat(300_000))).body.length,
    expected: 300_000,
  },
  {
    name: 'iterates over a request',
    ask: ({ post }) => post('/bodies/iterated', 'x'.repeat(300_000)),
    expected: { body: '{"length":300000}' },
  },
  {
    name: 'compresses a response with the middleware compression',
    ask: async ({ get }) => {
      const { headers, bytes } = await get('/bodies/compressed', { 'Accept-Encoding': 'gzip' });
      return { encoding: headers['content-encoding'], length: zlib.gunzipSync(bytes).length };
    },
    expected: { encoding: 'gzip', length: 1200 },
  },
  gets('sends what is written in chunks', '/bodies/written', {
    body: 'one two three',
    headers: { 'transfer-encoding': 'chunked', 'content-length': undefined },
  }),
  gets('sends trailers', '/bodies/trailers', { body: 'body', trailers: { 'x-sum': '4' } }),
];
