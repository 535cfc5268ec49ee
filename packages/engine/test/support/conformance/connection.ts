/** Connections: keep-alive and pipelining; and responses whose form depends on the request. */
import { RUNTIME, cases, head } from './case.js';
import type { Group } from './case.js';

const get = (path: string, ...fields: string[]): string => head(`GET ${path} HTTP/1.1`, 'Host: a', ...fields);

const connections = cases('RFC 9112 9', [
  ['keep-alive by default', get('/connection'), '200 connection=keep-alive*'],
  ['close', get('/connection', 'Connection: close'), '200 connection=close*'],
  ['close in a list, in another case', get('/connection', 'Connection: x, CLOSE'), '200 connection=close*'],
  ['HTTP/1.0 closes', head('GET /connection HTTP/1.0'), '200 connection=close*'],
  [
    'HTTP/1.0 with keep-alive',
    head('GET /connection HTTP/1.0', 'Connection: keep-alive'),
    ['200 connection=keep-alive*', '200 connection=close*'],
  ],
  [
    'HTTP/1.0 with keep-alive, two requests',
    head('GET /x HTTP/1.0', 'Connection: keep-alive') + head('GET /y HTTP/1.0'),
    ['200 GET /x, 200 GET /y', '200 GET /x'],
  ],
  ['keep-alive and close', get('/connection', 'Connection: keep-alive, close'), '200 connection=close*'],
  ['an unknown option', get('/connection', 'Connection: cup'), '200 connection=keep-alive*'],
  ['close in the second request', get('/x') + get('/y', 'Connection: close'), '200 GET /x, 200 GET /y'],
  [
    'data after close is not read',
    get('/x', 'Connection: close') + get('/y'),
    '200 GET /x',
    { open: RUNTIME },
  ],
  ['pipelined: responses in order', get('/x') + get('/y') + get('/z'), '200 GET /x, 200 GET /y, 200 GET /z'],
  ['pipelined: a slow response delays the next', get('/slow') + get('/y'), '200 slow, 200 GET /y'],
  [
    'pipelined: a request after chunks',
    head('POST /p HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked') + '1\r\nx\r\n0\r\n\r\n' + get('/y'),
    '200 POST /p "x", 200 GET /y',
  ],
  ['pipelined: HEAD has no content', head('HEAD /x HTTP/1.1', 'Host: a') + get('/y'), '200, 200 GET /y'],
  [
    'pipelined: unread content',
    head('POST /unread HTTP/1.1', 'Host: a', 'Content-Length: 5') + 'hello' + get('/y'),
    '200 unread, 200 GET /y',
  ],
  [
    'pipelined: a malformed request comes last',
    get('/x') + 'BAD\r\n\r\n' + get('/y'),
    '200 GET /x, 400',
    { open: RUNTIME },
  ],
  ['an empty line between two requests', get('/x') + '\r\n' + get('/y'), '200 GET /x, 200 GET /y'],
  ['Connection names an end-to-end header', get('/x', 'Connection: host'), ['200 GET /x', '400']],
  [
    'Keep-Alive from the client is ignored',
    get('/x', 'Connection: keep-alive', 'Keep-Alive: timeout=9999'),
    '200 GET /x',
  ],
  [
    'Proxy-Connection is ignored',
    get('/x', 'Proxy-Connection: close') + get('/y'),
    '200 GET /x, 200 GET /y',
    { open: RUNTIME },
  ],
]);

const REDIRECT =
  'Express sets the headers of the text that a redirect would have. A 304 ends with its header block, so framing is safe.';
const HEAD_RANGE = 'Express applies `Range` to HEAD as to GET. Safe: there is no content.';
const SUFFIX =
  'Express refuses a suffix that is longer than the file. Safe: the client asks again without `Range`.';
const WEAK_TAG =
  'Express compares tags as text. A client may join two versions of a file that changed within a millisecond.';
const LATER_DATE = 'Express accepts every date from that of the file on.';

const statuses = cases('RFC 9110 15', [
  ['204: no Content-Length', get('/status/204'), '204'],
  ['204 by end, with a length set', get('/length/204'), '204'],
  ['205: no content', get('/end/205'), '205 length=0'],
  ['304 by end, with a length set', get('/length/304', 'If-None-Match: *'), '304'],
  ['304 by redirect', get('/redirect/304', 'If-None-Match: *'), '304', { kept: REDIRECT }],
  ['an interim status as the final one', get('/status/102'), ['500*', '200*']],
  ['a status beyond 599', get('/status/999'), '500*'],
  ['both length and chunked set', get('/both'), ['200 both', '200 both length=4']],
  ['a length that is too long', get('/too-long'), ['200 short', '500*', 'closed']],
  ['a length that is too short', get('/too-short'), ['200 longer', '500*', 'closed']],
  ['chunks to HTTP/1.0', head('GET /chunks HTTP/1.0'), '200 chunks'],
  ['a Location with characters not allowed in a URI', get('/location'), '302 location=/%5E%7C%5B%5D%5C'],
  ['HEAD: the length of GET', head('HEAD /routes/nothing HTTP/1.1', 'Host: a', 'X-Length: 1'), '404'],
]);

/** A server may ignore a range, as bare `node:http` does here. */
const ranged = (fields: string[], ...right: string[]): [bytes: string, right: string[]] => [
  get('/file/a.txt', ...fields),
  [...right, '200 hello'],
];

const ranges = cases('RFC 9110 14.2', [
  ['a range', ...ranged(['Range: bytes=0-1'], '206 he range=bytes 0-1/5')],
  ['a unit in another case', ...ranged(['Range: Bytes=0-1'], '206 he range=bytes 0-1/5')],
  ['a range without an end', ...ranged(['Range: bytes=3-'], '206 lo range=bytes 3-4/5')],
  ['a range beyond the end', ...ranged(['Range: bytes=3-99'], '206 lo range=bytes 3-4/5')],
  ['the last bytes', ...ranged(['Range: bytes=-2'], '206 lo range=bytes 3-4/5')],
  [
    'more last bytes than there are',
    ...ranged(['Range: bytes=-99'], '206 hello range=bytes 0-4/5'),
    { kept: SUFFIX },
  ],
  ['a range whose end is before its start', ...ranged(['Range: bytes=3-1'], '416*')],
  ['two ranges', ...ranged(['Range: bytes=0-0,2-2'], '206*')],
  [
    'a range in HEAD is ignored',
    head('HEAD /file/a.txt HTTP/1.1', 'Host: a', 'Range: bytes=0-1'),
    '200',
    { kept: HEAD_RANGE },
  ],
  ['a range that can’t be satisfied', ...ranged(['Range: bytes=9-'], '416 range=bytes \\*/5')],
  [
    'the same in HEAD is ignored',
    head('HEAD /file/a.txt HTTP/1.1', 'Host: a', 'Range: bytes=9-'),
    '200',
    { kept: HEAD_RANGE },
  ],
  ['another unit is ignored', get('/file/a.txt', 'Range: cups=0-1'), '200 hello'],
  ['a malformed range is ignored', get('/file/a.txt', 'Range: bytes=x'), ['200 hello', '416*']],
  ['If-Range with another tag', get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: "x"'), '200 hello'],
  [
    'If-Range with a weak tag',
    get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: $ETAG'),
    '200 hello',
    { kept: WEAK_TAG },
  ],
  ['If-Range with the date', ...ranged(['Range: bytes=0-1', 'If-Range: $DATE'], '206 he range=bytes 0-1/5')],
  [
    'If-Range with a later date',
    get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: Fri, 01 Jan 2100 00:00:00 GMT'),
    '200 hello',
    { kept: LATER_DATE },
  ],
]);

const conditions = cases('RFC 9110 13.1', [
  ['If-None-Match with the tag', get('/file/a.txt', 'If-None-Match: $ETAG'), '304'],
  [
    'If-None-Match with the tag, in HEAD',
    head('HEAD /file/a.txt HTTP/1.1', 'Host: a', 'If-None-Match: $ETAG'),
    '304',
  ],
  ['If-None-Match with a list', get('/file/a.txt', 'If-None-Match: "x", $ETAG'), '304'],
  ['If-None-Match in two lines', get('/file/a.txt', 'If-None-Match: "x"', 'If-None-Match: $ETAG'), '304'],
  ['If-None-Match comes before Range', get('/file/a.txt', 'If-None-Match: $ETAG', 'Range: bytes=0-1'), '304'],
  ['If-None-Match with a star', get('/file/a.txt', 'If-None-Match: *'), '304'],
  ['If-None-Match with another tag', get('/file/a.txt', 'If-None-Match: "x"'), '200 hello'],
  [
    'If-None-Match overrides If-Modified-Since',
    get('/file/a.txt', 'If-None-Match: "x"', 'If-Modified-Since: $DATE'),
    '200 hello',
  ],
  ['If-Modified-Since with the date', get('/file/a.txt', 'If-Modified-Since: $DATE'), '304'],
  [
    'If-Modified-Since in the format of RFC 850',
    get('/file/a.txt', 'If-Modified-Since: Friday, 01-Jan-49 00:00:00 GMT'),
    '304',
  ],
  [
    'If-Modified-Since in the format of asctime',
    get('/file/a.txt', 'If-Modified-Since: Fri Jan  1 00:00:00 2100'),
    '304',
  ],
  ['If-Modified-Since that is not a date', get('/file/a.txt', 'If-Modified-Since: yesterday'), '200 hello'],
  ['If-Match with a star', get('/file/a.txt', 'If-Match: *'), '200 hello'],
  [
    'If-Match overrides If-Unmodified-Since',
    get('/file/a.txt', 'If-Match: *', 'If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT'),
    '200 hello',
  ],
  ['If-Match with a weak tag', get('/file/a.txt', 'If-Match: $ETAG'), '412*'],
  ['If-Match with another tag', get('/file/a.txt', 'If-Match: "x"'), '412*'],
  [
    'If-Unmodified-Since with an earlier date',
    get('/file/a.txt', 'If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT'),
    '412*',
  ],
  [
    'If-Unmodified-Since that is not a date',
    get('/file/a.txt', 'If-Unmodified-Since: yesterday'),
    '200 hello',
  ],
]);

export const connection: Group[] = [
  { name: 'Connections', cases: connections },
  { name: 'Responses', cases: statuses },
  { name: 'Ranges', cases: ranges },
  { name: 'Conditions', cases: conditions },
];
