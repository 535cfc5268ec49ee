/** Header lines, expectations and upgrades. */
import { cases, head } from './case.js';
import type { Group } from './case.js';

const field = (...lines: string[]): string => head('GET /field HTTP/1.1', 'Host: a', ...lines);

const lines = cases('RFC 9112 5', [
  ['white space around the value', field('X: \t b \t'), '200 field b'],
  ['no white space', field('X:b'), '200 field b'],
  ['an empty value', field('X:'), '200 field '],
  ['a name in another case', field('x: b'), '200 field b'],
  ['two lines form a list', field('X: b', 'X: c'), '200 field b, c'],
  ['bytes beyond ASCII in the value', field('X: \xe9'), '200 field *'],
  ['a space before the colon', field('X : b'), '400'],
  ['a tab before the colon', field('X\t: b'), '400'],
  ['no colon', field('X'), '400'],
  ['no name', field(': b'), '400'],
  ['a space inside the name', field('X Y: b'), '400'],
  ['a character not allowed in a token', field('X(: b'), '400'],
  ['a byte beyond ASCII in the name', field('X\xe9: b'), '400'],
  [
    'white space before the first line',
    head('GET /field HTTP/1.1', ' X: b', 'Host: a'),
    ['400', '200 field '],
  ],
  ['a folded line', field('X: b', ' c'), ['400', '200 field b c', '200 field b   c']],
  ['a folded line that begins with a tab', field('X: b', '\tc'), ['400', '200 field b c', '200 field b  c']],
  ['a folded Host', head('GET /field HTTP/1.1', 'Host: a', ' b'), '400'],
  [
    'a folded Transfer-Encoding',
    head('POST /p HTTP/1.1', 'Host: a', 'Transfer-Encoding:', ' chunked') + '1\r\nx\r\n0\r\n\r\n',
    ['400', '200 POST /p "x"'],
  ],
  ['NUL in the value', field('X: b\0c'), '400'],
  ['a bell in the value', field('X: b\x07c'), '400'],
  ['DEL in the value', field('X: b\x7fc'), '400'],
  ['CR in the value', 'GET /field HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n', ['400', '200 field b c']],
  ['LF in the value', 'GET /field HTTP/1.1\r\nHost: a\r\nX: b\nY: c\r\n\r\n', ['400', '200 field b']],
  ['CR at the end of the value', 'GET /field HTTP/1.1\r\nHost: a\r\nX: b\r\r\n\r\n', ['400', '200 field b']],
  ['LF at the end of the header block', 'GET /field HTTP/1.1\r\nHost: a\r\nX: b\n\n', ['400', '200 field b']],
  ['a name inherited by objects', field('__proto__: b', 'constructor: c'), '200 field *'],
  ['a value of 8000 bytes', field(`X: ${'b'.repeat(8000)}`), '200 field *'],
  ['a value of 20000 bytes', field(`X: ${'b'.repeat(20_000)}`), '431'],
  ['a name of 20000 bytes', field(`${'X'.repeat(20_000)}: b`), '431'],
  ['1500 headers', field(...Array.from({ length: 1500 }, (_, at) => `F${at}: b`)), ['431', '200 field *']],
  ['a header block that never ends', 'GET /field HTTP/1.1\r\nHost: a\r\nX: b\r\n', ['408', 'closed']],
]);

const continued = (value: string, body = 'x'): string =>
  head('POST /p HTTP/1.1', 'Host: a', `Content-Length: ${body.length}`, `Expect: ${value}`) + body;

const expectations = cases('RFC 9110 10.1.1', [
  ['100-continue', continued('100-continue'), '100, 200 POST /p "x"'],
  ['100-continue in another case', continued('100-CONTINUE'), '100, 200 POST /p "x"'],
  [
    '100-continue without content',
    head('GET /x HTTP/1.1', 'Host: a', 'Expect: 100-continue'),
    ['200 GET /x', '100, 200 GET /x'],
  ],
  [
    '100-continue in HTTP/1.0',
    head('POST /p HTTP/1.0', 'Content-Length: 1', 'Expect: 100-continue') + 'x',
    '200 POST /p "x"',
  ],
  ['another expectation', continued('a-cup'), ['417', '200 POST /p "x"']],
  ['two expectations', continued('100-continue, a-cup'), ['417', '100, 200 POST /p "x"']],
]);

const upgrades = cases('RFC 9110 7.8', [
  [
    'Upgrade to what nobody speaks',
    head('GET /x HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: cup'),
    '200 GET /x',
  ],
  ['Upgrade without Connection', head('GET /x HTTP/1.1', 'Host: a', 'Upgrade: websocket'), '200 GET /x'],
  ['Upgrade in HTTP/1.0', head('GET /x HTTP/1.0', 'Connection: Upgrade', 'Upgrade: websocket'), '200 GET /x'],
  [
    'Upgrade with content',
    head('POST /p HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: cup', 'Content-Length: 1') + 'x',
    '200 POST /p "x"',
  ],
  [
    'Upgrade to h2c',
    head(
      'GET /x HTTP/1.1',
      'Host: a',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
    '200 GET /x',
  ],
  [
    '426 names the protocol in Connection',
    head('GET /status/426 HTTP/1.1', 'Host: a'),
    '426 connection=*upgrade*',
  ],
]);

export const fields: Group[] = [
  { name: 'Field lines', cases: lines },
  { name: 'Expectations', cases: expectations },
  { name: 'Upgrades', cases: upgrades },
];
