/** Random requests: aimed at the patterns of an application, with valid and invalid headers and bodies. */
import type { Ask, Case, Layer } from './description.js';
import { FILE_NAMES } from '../../packages/engine/test/support/files.js';
import { anyPath, disturbed, instance } from './generate-path.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';

const METHODS = words('GET GET GET GET GET HEAD POST POST PUT DELETE PATCH OPTIONS PROPFIND M-SEARCH');
const QUERIES = [
  ...words(`a=1 a=1&a=2 a[b]=c a[]=1&a[]=2 q=%20%zz callback=cb callback=a.b[0];x
    callback=%3Cscript%3E callback[]=x __proto__=1 a[__proto__][b]=1 &&=&a a[1]=x&a[0]=y a.b=c a%5Bb%5D=1
    é=ü toString=1 a[b][c][d][e][f][g]=deep x=1?y=2 a=b=c a+b=c+d`),
  '',
];

const FIELDS: Record<string, string[]> = {
  Accept: [
    ...['*/*', 'text/html', 'application/json', 'text/html;q=0.5, application/json'],
    ...['image/*, text/plain;q=0.3', 'text/html;level=1', 'application/xml;q=0, */*;q=0.1', '', 'garbage'],
    ...['text/*;q=0.8, text/plain;q=0.9', 'application/vnd.api+json'],
  ],
  'Accept-Charset': ['utf-8', 'iso-8859-1;q=0.5, utf-8;q=0.1', '*', 'x'],
  'Accept-Encoding': ['gzip', 'gzip, deflate, br', 'identity;q=0', '*;q=0.5, gzip;q=0', ''],
  'Accept-Language': [
    'en',
    'en-US,en;q=0.5',
    'de;q=0.9, fr;q=0.8, *;q=0.1',
    'nonsense;;q=x',
    'fr-CH, fr;q=0.9',
  ],
  Range: [
    ...words(`bytes=0-3 bytes=2- bytes=-2 bytes=0-0,4-5 bytes=5-1 bytes=100- items=0-5
      bytes=abc`),
    ...['bytes=0-3, 2-5', 'bytes=', 'bytes=0-9999999', 'bytes 0-3'],
  ],
  'If-None-Match': ['*', '"x"', 'W/"x"', 'W/"4-18e", "y"', 'W/"7-Ru5jBtjPqQaSmkaPvRZ0hIUYyYo"', '"bytes"'],
  'If-Match': ['*', '"x"', 'W/"a-18e0d0b9f3b"'],
  'If-Modified-Since': [
    'Tue, 05 Mar 2024 06:07:08 GMT',
    'Wed, 01 Jan 2020 00:00:00 GMT',
    'Fri, 01 Jan 2100 00:00:00 GMT',
    'garbage',
  ],
  'If-Unmodified-Since': ['Tue, 05 Mar 2024 06:07:08 GMT', 'Wed, 01 Jan 2020 00:00:00 GMT', 'x'],
  'If-Range': ['"x"', 'W/"a-18e"', 'Tue, 05 Mar 2024 06:07:08 GMT', 'Wed, 01 Jan 2020 00:00:00 GMT', 'x'],
  'Cache-Control': ['no-cache', 'max-age=0', 'no-store, no-cache'],
  Cookie: ['a=1; b=2', 'name=s%3Avalue.sig', 'garbage'],
  Host: words(`example.com a.b.example.com:8080 tobi.ferrets.example.com [::1]:3000 [::1]
    127.0.0.1 1.2.3.4:80 localhost`),
  'X-Forwarded-For': [
    '1.2.3.4',
    '10.0.0.1, 127.0.0.1',
    '203.0.113.9, 10.1.2.3, 127.0.0.1',
    '::1',
    'unknown, 1.1.1.1',
    ' 8.8.8.8 ,9.9.9.9 ',
  ],
  'X-Forwarded-Host': ['forwarded.test', 'a.test:81, b.test', '[::2]:80', 'sub.a.b.test'],
  'X-Forwarded-Proto': ['https', 'http', 'https, http', ' https ', 'x'],
  'X-Requested-With': ['XMLHttpRequest', 'xmlhttprequest', 'x'],
  Referer: ['/from', 'http://example.test/page?x=<y>', 'http://other.test//evil'],
  Referrer: ['/referrer'],
  Connection: ['close', 'keep-alive'],
  'X-One': ['x'],
};

const MEDIA = [
  ...['application/json', 'application/json; charset=utf-8'],
  ...['application/json; charset=utf-16le', 'application/json;charset=bogus'],
  ...['application/x-www-form-urlencoded'],
  ...['application/x-www-form-urlencoded; charset=iso-8859-1', 'text/plain'],
  ...['text/plain; charset=latin1'],
  ...words(`application/octet-stream application/vnd.api+json text/html garbage
    application/x-any`),
  'multipart/form-data; boundary=x',
  '',
];
const BODIES = [
  ...['{"a":1,"b":[1,{"c":null}]}', '[1,2]', '"text"', '{bad', '', ' '],
  ...words('5 null {"__proto__":{"x":1}} refuse a=1&b[c]=2&d[]=3 a=%zz&b=+x a=1&a=2&c'),
  'plain text \xe9',
  '\xef\xbb\xbf{"bom":1}',
  'x'.repeat(300),
  '{"a":"' + 'y'.repeat(120_000) + '"}',
  Array.from({ length: 30 }, (_, i) => `p${i}=${i}`).join('&'),
  'a[b][c][d][e][f][g][h]=1',
  '\x00\x01\xff',
  '  {"space":1}',
  '{"a":1}}',
];

/**
 * The file server and guards before it must see the same path: if a path is ambiguous (dot segments, doubled or encoded
 * slashes, needlessly encoded letters), the file server redirects or rejects it, unlike the oracle. Applications with a
 * file server do not get such paths.
 */
const URL_NAMES = FILE_NAMES.filter(name => !/(^|\/)\.\.?\//.test(name));

/** Returns a request for the application of the case. */
export function request(random: Random, { layers }: Pick<Case, 'layers'>): Ask {
  const method = random.chance(0.9) ? random.pick(METHODS) : 'TRACE';
  const ask: Ask = { method, target: target(random, layers), headers: [] };
  if (random.chance(0.5)) {
    for (const name of random.many(1, 4, () => random.pick(Object.keys(FIELDS)))) {
      if (!ask.headers.some(([one]) => one === name)) ask.headers.push([name, random.pick(FIELDS[name]!)]);
    }
    if (random.chance(0.05)) ask.headers.push(['X-Forwarded-Host', 'second.test']);
  }
  if (random.chance(method === 'POST' || method === 'PUT' || method === 'PATCH' ? 0.85 : 0.05))
    addBody(random, ask);
  if (random.chance(0.02)) ask.version = '1.0';
  return ask;
}

function addBody(random: Random, ask: Ask): void {
  ask.body = random.pick(BODIES);
  if (random.chance(0.95)) ask.headers.push(['Content-Type', random.pick(MEDIA)]);
  if (random.chance(0.15)) ask.coding = random.pick(['gzip', 'deflate']);
  else if (random.chance(0.03))
    ask.headers.push(['Content-Encoding', random.pick(['gzip', 'identity', 'zstd-x', 'IDENTITY'])]);
  if (random.chance(0.15)) ask.chunked = true;
}

function target(random: Random, layers: Layer[]): string {
  const path = random.weighted([
    [12, () => disturbed(random, throughLayers(random, layers))],
    [2, () => anyPath(random)],
    [
      0.2,
      () => random.pick(['*', '//', '/?', '/#x', 'http://example.test/a/b?c', '/a?b?c', '/..', '/%2e%2e/a']),
    ],
  ]);
  // A request line allows no spaces and nothing outside latin1.
  const clean = path.replace(/[^!-ÿ]/g, '');
  const rooted = /^(\/|\*$|http:)/.test(clean) ? clean : `/${clean}`;
  const single = servesFiles(layers) ? oneReading(rooted) : rooted;
  return random.chance(0.3) ? `${single}?${random.pick(QUERIES)}` : single;
}

/** Returns the path without its ambiguous parts. */
function oneReading(target: string): string {
  const decoded = target
    .replace(/%2f|%2e|%5c|\\/gi, '')
    .replace(/%(?:[46][1-9a-f]|[57][0-9a]|3[0-9])/gi, decodeURIComponent);
  const segments = decoded.split('/');
  return segments
    .filter((segment, index) => !/^\.{0,2}$/.test(segment) || index === segments.length - 1)
    .join('/')
    .replace(/\/\.{1,2}$/, '/');
}

function servesFiles(layers: Layer[]): boolean {
  return layers.some(layer => layer.kind === 'static' || servesFiles(layer.layers ?? []));
}

/** Returns a path that leads through mounts to a layer of the application. */
function throughLayers(random: Random, layers: Layer[]): string {
  const reachable = layers.filter(({ kind }) => kind !== 'param' && kind !== 'body' && kind !== 'query');
  if (reachable.length === 0) return anyPath(random);
  const layer = random.pick(reachable);
  const here = instance(random, layer.path).replace(/\/$/, '');
  if (layer.layers) return here + throughLayers(random, layer.layers);
  if (layer.kind === 'static') return `${here}/${encodeURI(random.pick(URL_NAMES))}`;
  if (layer.kind === 'use' && random.chance(0.6)) return here + anyPath(random);
  return here || '/';
}
