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
    'data after close is not read',
    get('/x', 'Connection: close') + get('/y'),
    '200 GET /x',
    { open: RUNTIME },
  ],
  ['pipelined: responses in order', get('/x') + get('/y') + get('/z'), '200 GET /x, 200 GET /y, 200 GET /z'],
  ['pipelined: a slow response delays the next', get('/slow') + get('/y'), '200 slow, 200 GET /y'],
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

const statuses = cases('RFC 9110 15', [
  ['204: no Content-Length', get('/status/204'), '204'],
  ['204 by end, with a length set', get('/length/204'), '204'],
  ['205: no content', get('/end/205'), '205 length=0'],
  ['304 by end, with a length set', get('/length/304', 'If-None-Match: *'), '304'],
  ['304 by redirect', get('/redirect/304', 'If-None-Match: *'), '304'],
  ['an interim status as the final one', get('/status/102'), ['500*', '200*']],
  ['a status beyond 599', get('/status/999'), '500*'],
  ['both length and chunked set', get('/both'), ['200 both', '200 both length=4']],
  ['a length that is too long', get('/too-long'), ['200 short', '500*', 'closed']],
  ['a length that is too short', get('/too-short'), ['200 longer', '500*', 'closed']],
  ['chunks to HTTP/1.0', head('GET /chunks HTTP/1.0'), '200 chunks'],
  ['a Location with characters not allowed in a URI', get('/location'), '302 location=/%5E%7C%5B%5D%5C'],
  ['HEAD: the length of GET', head('HEAD /routes/nothing HTTP/1.1', 'Host: a', 'X-Length: 1'), '404'],
]);

const ranges = cases('RFC 9110 14.2', [
  ['a range', get('/file/a.txt', 'Range: bytes=0-1'), '206 he range=bytes 0-1/5'],
  ['a range in HEAD is ignored', head('HEAD /file/a.txt HTTP/1.1', 'Host: a', 'Range: bytes=0-1'), '200'],
  ['a range that can’t be satisfied', get('/file/a.txt', 'Range: bytes=9-'), '416 range=bytes \\*/5'],
  ['the same in HEAD is ignored', head('HEAD /file/a.txt HTTP/1.1', 'Host: a', 'Range: bytes=9-'), '200'],
  ['another unit is ignored', get('/file/a.txt', 'Range: cups=0-1'), '200 hello'],
  ['a malformed range is ignored', get('/file/a.txt', 'Range: bytes=x'), ['200 hello', '416*']],
  ['If-Range with another tag', get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: "x"'), '200 hello'],
  ['If-Range with a weak tag', get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: $ETAG'), '200 hello'],
  [
    'If-Range with the date',
    get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: $DATE'),
    '206 he range=bytes 0-1/5',
  ],
  [
    'If-Range with a later date',
    get('/file/a.txt', 'Range: bytes=0-1', 'If-Range: Fri, 01 Jan 2100 00:00:00 GMT'),
    '200 hello',
  ],
]);

const conditions = cases('RFC 9110 13.1', [
  ['If-None-Match with the tag', get('/file/a.txt', 'If-None-Match: $ETAG'), '304'],
  ['If-None-Match with a star', get('/file/a.txt', 'If-None-Match: *'), '304'],
  ['If-None-Match with another tag', get('/file/a.txt', 'If-None-Match: "x"'), '200 hello'],
  [
    'If-None-Match overrides If-Modified-Since',
    get('/file/a.txt', 'If-None-Match: "x"', 'If-Modified-Since: $DATE'),
    '200 hello',
  ],
  ['If-Modified-Since with the date', get('/file/a.txt', 'If-Modified-Since: $DATE'), '304'],
  ['If-Modified-Since that is not a date', get('/file/a.txt', 'If-Modified-Since: yesterday'), '200 hello'],
  ['If-Match with a star', get('/file/a.txt', 'If-Match: *'), '200 hello'],
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
  { name: 'Statuses and framing of responses', cases: statuses },
  { name: 'Ranges', cases: ranges },
  { name: 'Conditions', cases: conditions },
];
