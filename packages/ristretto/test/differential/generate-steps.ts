/** Random things that a handler does: what it reads of the request and how it prepares and sends an answer. */
import { FILE_NAMES } from './files.js';
import type { Random } from './random.js';
import type { Step, Value } from './description.js';

const TYPES = [
  'html',
  'json',
  'text/plain',
  'application/json',
  'text/*',
  '*/*',
  'png',
  'xml',
  '.txt',
  'urlencoded',
  'application/vnd.api+json',
  '+json',
  'nope',
  'text/html; charset=latin1',
];
const FIELDS = [
  'Content-Type',
  'X-One',
  'x-two',
  'Link',
  'Vary',
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'Content-Language',
  'Set-Cookie',
  'WWW-Authenticate',
];
const URLS = [
  '/',
  '/a/b?c=d#e',
  'http://example.com/x y',
  '../up',
  'back',
  'a/é',
  '//other.test/p',
  'https://u:p@h.test:8/%41?<>"',
  'http://google.com\\@apple.com',
  '?q=1',
  '',
  '/<script>',
  'mailto:a@b',
  'http://[::1]/',
];
const BODIES: Value[] = [
  '',
  'text',
  'é ü 漢',
  '<p>html</p>',
  { a: 1, b: ['x', null], '<': '&>\u2028' },
  [],
  [1, { a: 'b' }],
  true,
  false,
  null,
  404,
  204,
  { $: 'undefined' },
  { $: 'buffer', text: 'bytes\u00ff' },
  { $: 'buffer', text: '' },
  { $: 'bytes', text: 'abc' },
  { $: 'bigint', text: '5' },
  { $: 'circular' },
  { $: 'date', text: '2024-01-02T03:04:05Z' },
  { $: 'json', value: { made: 1 } },
  { skip: 1, a: { $: 'undefined' }, toString: 'x' },
  'x'.repeat(2000),
];
const ERRORS: Value[] = [
  { $: 'error', text: 'plain' },
  { $: 'error', text: 'teapot', status: 418 },
  { $: 'error', text: 'gone <b>', statusCode: 410, headers: { 'X-Err': '1' } },
  { $: 'error', text: 'odd', status: 200 },
  { $: 'error', text: 'big', status: 700 },
  { $: 'error', text: 'exposed', status: 503, expose: true, type: 'some.type' },
  'a string',
  '',
  0,
  5,
  { status: 409, message: 'object' },
  { $: 'undefined' },
  null,
  'route',
  'router',
  false,
];
const STATUSES: Value[] = [200, 201, 202, 204, 205, 206, 304, 400, 401, 404, 418, 500, 503, 299, 999, '404'];
const pickStatus = (random: Random) => random.pick(STATUSES);

/** Reads of the request. */
function look(random: Random): Step {
  return random.weighted<Step>([
    [
      6,
      () => ({
        req: random.pick([
          'hostname',
          'host',
          'ip',
          'ips',
          'protocol',
          'secure',
          'subdomains',
          'xhr',
          'fresh',
          'stale',
          'path',
          'query',
          'body',
          'baseUrl',
          'originalUrl',
          'url',
          'method',
          'route.path',
          'route.methods',
          'cookies',
          'signedCookies',
          '_parsedUrl.pathname',
          'complete',
        ]),
      }),
    ],
    [2, () => ({ req: 'accepts', args: random.many<Value>(0, 3, () => random.pick(TYPES)) })],
    [1, () => ({ req: 'accepts', args: [random.many<Value>(0, 3, () => random.pick(TYPES))] })],
    [
      1,
      () => ({
        req: random.pick(['acceptsCharsets', 'acceptsCharset']),
        args: random.many<Value>(0, 2, () => random.pick(['utf-8', 'iso-8859-1', 'UTF-8', '*'])),
      }),
    ],
    [
      1,
      () => ({
        req: random.pick(['acceptsEncodings', 'acceptsEncoding']),
        args: random.many<Value>(0, 3, () => random.pick(['gzip', 'deflate', 'br', 'identity', '*'])),
      }),
    ],
    [
      1,
      () => ({
        req: random.pick(['acceptsLanguages', 'acceptsLanguage']),
        args: random.many<Value>(0, 3, () => random.pick(['en', 'en-US', 'de', 'fr', 'EN-gb', '*'])),
      }),
    ],
    [
      2,
      () => ({
        req: random.pick(['get', 'header']),
        args: [
          random.pick<Value>([
            'Host',
            'referer',
            'Referrer',
            'content-type',
            'X-Nothing',
            'cookie',
            'Accept',
          ]),
        ],
      }),
    ],
    [2, () => ({ req: 'is', args: random.many<Value>(0, 3, () => random.pick(TYPES)) })],
    [1, () => ({ req: 'is', args: [random.many<Value>(0, 3, () => random.pick(TYPES))] })],
    [
      1,
      () => ({
        req: 'param',
        args: [random.pick<Value>(['id', 'x', 'a', 'q']), ...(random.chance(0.5) ? ['fallback'] : [])],
      }),
    ],
    [
      2,
      () => ({
        req: 'range',
        args: [random.pick<Value>([10, 100, 1000, 0]), ...(random.chance(0.4) ? [{ combine: true }] : [])],
      }),
    ],
    [
      1,
      () => ({
        setting: random.pick([
          'env',
          'etag',
          'query parser',
          'trust proxy',
          'strict routing',
          'json spaces',
          'view engine',
          'trust proxy fn',
          'etag fn',
          'subdomain offset',
          'x-powered-by',
        ]),
      }),
    ],
    [
      0.2,
      () => ({
        req: random.pick(['get', 'range', 'header', 'accepts']),
        args: random.pick<Value[]>([[], [{ $: 'undefined' }], [null]]),
      }),
    ],
  ]);
}

const COOKIE_OPTIONS: Record<string, Value[]> = {
  domain: ['example.com', '.a.test', 'bad;domain'],
  path: ['/', '/a', '/b;x'],
  httpOnly: [true, false],
  secure: [true, false],
  maxAge: [0, 1000, 90_000, 1500.7, -5, null, '5000', 'x', { $: 'NaN' }],
  expires: [{ $: 'date', text: '2030-01-02T03:04:05Z' }, { $: 'date', text: 'bad' }, 0, 'x'],
  sameSite: [true, false, 'lax', 'Strict', 'none', 'NONE', 'bad', 0],
  priority: ['low', 'Medium', 'HIGH', 'bad', 5],
  partitioned: [true, false],
  signed: [true, false],
  encode: [{ $: 'function', text: 'encode' }],
};

/** A subset of the options with one of their values each. */
export function someOptions(
  random: Random,
  all: Record<string, Value[]>,
  share = 0.25,
): Record<string, Value> {
  const chosen: Record<string, Value> = {};
  for (const [name, values] of Object.entries(all)) {
    if (random.chance(share)) chosen[name] = random.pick(values);
  }
  return chosen;
}

/** Changes to the answer before it is sent, and to the request for who comes next. */
function prepare(random: Random): Step {
  const value = () =>
    random.pick<Value>([
      'v',
      'a, b',
      'W/"tag"',
      'text/html',
      'é',
      ['one', 'two'],
      5,
      'Tue, 05 Mar 2024 06:07:08 GMT',
      '',
      'bad\nvalue',
      { $: 'undefined' },
      null,
      true,
    ]);
  return random.weighted<Step>([
    [3, () => ({ res: 'status', args: [pickStatus(random)] })],
    [3, () => ({ res: random.pick(['set', 'header']), args: [random.pick(FIELDS), value()] })],
    [1, () => ({ res: 'set', args: [{ 'X-A': 'a', 'x-b': ['b', 'c'], 'Content-Type': 'text/css' }] })],
    [1, () => ({ res: 'setHeader', args: [random.pick(FIELDS), random.pick<Value>(['v', ['a', 'b'], 7])] })],
    [
      1,
      () => ({
        res: random.pick(['removeHeader', 'get', 'getHeader']),
        args: [random.pick([...FIELDS, 'X-Powered-By'])],
      }),
    ],
    [2, () => ({ res: 'append', args: [random.pick(FIELDS), value()] })],
    [2, () => ({ res: random.pick(['type', 'contentType']), args: [random.pick(TYPES)] })],
    [
      2,
      () => ({
        res: 'vary',
        args: [
          random.pick<Value>(['Accept', 'accept-encoding', ['A', 'B'], '*', 'A, B', '', 'bad field', []]),
        ],
      }),
    ],
    [
      2,
      () => ({
        res: 'links',
        args: [random.pick<Value>([{ next: '/2' }, { next: '/2', last: 'http://e/?<>' }, {}])],
      }),
    ],
    [2, () => ({ res: 'location', args: [random.pick(URLS)] })],
    [
      2,
      () => ({
        res: 'cookie',
        args: [
          random.pick(['name', 'a b', 'x', 'é', 'session']),
          random.pick<Value>(['value', 'a b;c', { a: 1 }, 5, '', null, ['x']]),
          ...(random.chance(0.6) ? [someOptions(random, COOKIE_OPTIONS)] : []),
        ],
      }),
    ],
    [
      1,
      () => ({
        res: 'clearCookie',
        args: ['name', ...(random.chance(0.5) ? [someOptions(random, COOKIE_OPTIONS)] : [])],
      }),
    ],
    [
      1,
      () => ({
        res: 'attachment',
        args: random.many<Value>(0, 1, () =>
          random.pick(['a.txt', 'é€.pdf', 'a"b;c.html', 'dir/plans.json', '', '%41.png', 'no-ext']),
        ),
      }),
    ],
    [1, () => ({ put: 'res.statusCode', value: random.pick<Value>([404, 304, 204, 500, 201]) })],
    [0.3, () => ({ put: 'res.statusMessage', value: 'Own Reason' })],
    [0.5, () => ({ put: 'req.secret', value: random.pick<Value>(['secret', ['new', 'old']]) })],
    [
      0.5,
      () => ({
        put: 'req.url',
        value: random.pick<Value>(['/', '/a', '/foo/1?x=y', '/users/42', '?only', 'no-slash', '//a//b']),
      }),
    ],
    [0.3, () => ({ put: 'req.method', value: random.pick<Value>(['POST', 'GET', 'OPTIONS']) })],
    [0.3, () => ({ put: 'req.params', value: random.pick<Value>([{}, { id: 'own' }]) })],
    [0.3, () => ({ put: 'req.query', value: { own: 1 } })],
    [0.3, () => ({ put: 'res.locals', value: { name: 'local', deep: { a: 1 } } })],
    [0.5, () => ({ seen: random.pick(['statusCode', 'headersSent', 'locals', 'finished', 'charset']) })],
  ]);
}

const FILE_OPTIONS: Record<string, Value[]> = {
  maxAge: [0, 5000, '1d', '2 hours', 'x', 1e15, { $: 'NaN' }],
  root: [{ $: 'root' }, { $: 'root', text: '/sub' }],
  lastModified: [true, false],
  headers: [{ 'X-H': 'h', 'Content-Type': 'text/x-own' }, {}],
  dotfiles: ['allow', 'deny', 'ignore', 'bad'],
  acceptRanges: [true, false],
  cacheControl: [true, false],
  immutable: [true, false],
  etag: [true, false],
  extensions: [['html', 'htm'], 'html', false],
  index: ['index.html', false, ['x.html', 'index.html']],
  start: [0, 2],
  end: [3, 200],
};

function file(random: Random): Step {
  const name = random.pick(FILE_NAMES);
  const rooted = random.chance(0.5);
  const options = someOptions(random, FILE_OPTIONS, 0.2);
  if (rooted) options.root = { $: 'root' };
  const args: Value[] = [
    rooted ? name : random.chance(0.95) ? { $: 'root', text: `/${name}` } : random.pick<Value>([name, '', 5]),
  ];
  const method = random.pick(['sendFile', 'sendFile', 'download', 'sendfile']);
  if (method === 'download' && random.chance(0.5))
    args.push(random.pick<Value>(['named.txt', 'é.html', null]));
  if (Object.keys(options).length > 0 || random.chance(0.3)) args.push(options);
  if (random.chance(0.4))
    args.push({
      $: 'do',
      onError: true,
      steps: [
        random.pick([
          { res: 'send', args: ['no file'] },
          { next: [{ $: 'error', text: 'after file', status: 500 }] },
        ]) as unknown as Value,
      ],
    });
  return { res: method, args };
}

/** What sends the answer. */
export function answer(random: Random): Step {
  const reply = (text: string): Value => ({
    $: 'do',
    steps: [{ res: random.pick(['send', 'json']), args: [text] }] as unknown as Value,
  });
  return random.weighted<Step>([
    [8, () => ({ res: 'send', args: [random.pick(BODIES)] })],
    [
      0.4,
      () => ({
        res: random.pick(['send', 'json', 'jsonp']),
        args: [random.pick<Value>([200, 404]), random.pick(BODIES)],
      }),
    ],
    [5, () => ({ res: 'json', args: [random.pick(BODIES)] })],
    [3, () => ({ res: 'jsonp', args: [random.pick(BODIES)] })],
    [2, () => ({ res: 'sendStatus', args: [pickStatus(random)] })],
    [
      3,
      () => ({
        res: 'redirect',
        args: [
          ...(random.chance(0.4) ? [random.pick<Value>([301, 303, 307, 308, 200])] : []),
          random.pick(URLS),
        ],
      }),
    ],
    [0.2, () => ({ res: 'redirect', args: ['/a', 301] })],
    [
      2,
      () => ({
        res: 'format',
        args: [
          Object.fromEntries(
            random
              .many(0, 4, () => random.pick(TYPES))
              .concat(random.chance(0.4) ? ['default'] : [])
              .map(type => [type, reply(type)]),
          ),
        ],
      }),
    ],
    [6, () => file(random)],
    [
      2,
      () => ({
        res: 'render',
        args: [
          random.pick<Value>([
            'one',
            'one.tpl',
            'dir',
            'missing',
            'two.other',
            'broken',
            { $: 'root', text: '/views/one.tpl' },
          ]),
          ...(random.chance(0.6) ? [{ name: 'n', ...(random.chance(0.3) ? { cache: true } : {}) }] : []),
          ...(random.chance(0.2) ? [reply('rendered')] : []),
        ],
      }),
    ],
    [
      2,
      () => ({
        res: 'end',
        args: random.many<Value>(0, 1, () => random.pick<Value>(['end', 'é', { $: 'buffer', text: 'raw' }])),
      }),
    ],
  ]);
}

/** An answer that is sent before the call returns: what follows it is then no race. */
function atOnce(random: Random): Step {
  return { res: random.pick(['send', 'json', 'jsonp']), args: [random.pick(BODIES)] };
}

/** A handler's steps: reads, changes, and how it ends; `sends` is the share of those that answer. */
export function steps(random: Random, sends: number): Step[] {
  const list: Step[] = [
    ...random.many(0, 3, () => look(random)),
    ...random.many(0, 3, () => prepare(random)),
  ];
  const end = random.weighted<Step[]>([
    [sends * 10, () => [answer(random)]],
    [
      sends * 0.3,
      () => [
        { res: 'write', args: ['part '] },
        { res: 'end', args: ['last'] },
      ],
    ],
    [
      sends * 0.3,
      () => [
        { res: 'writeHead', args: [202, { 'X-Head': 'w' }] },
        { res: 'end', args: ['head'] },
      ],
    ],
    [sends * 0.05, () => [{ res: 'write', args: ['part'] }, { throw: { $: 'error', text: 'too late' } }]],
    [sends * 0.15, () => [atOnce(random), { next: [] }]],
    [sends * 0.15, () => [atOnce(random), { throw: { $: 'error', text: 'after the answer' } }]],
    [(1 - sends) * 10, () => [{ next: [] }]],
    [(1 - sends) * 1.5, () => [{ next: ['route'] }]],
    [(1 - sends) * 1, () => [{ next: ['router'] }]],
    [(1 - sends) * 1.2, () => [{ next: [random.pick(ERRORS)] }]],
    [(1 - sends) * 1, () => [{ throw: random.pick(ERRORS) }]],
  ]);
  return random.chance(0.1) ? [...list, { later: end }] : [...list, ...end];
}
