/** Request lines, versions and methods. */
import { RUNTIME, cases, head } from './case.js';
import type { Group } from './case.js';

const line = (text: string, ...fields: string[]): string => head(text, 'Host: a', ...fields);

const form = cases('RFC 9112 3', [
  ['GET', line('GET /x HTTP/1.1'), '200 GET /x'],
  ['an empty line before it', '\r\n' + line('GET /x HTTP/1.1'), '200 GET /x'],
  ['two empty lines before it', '\r\n\r\n' + line('GET /x HTTP/1.1'), ['200 GET /x', '400']],
  ['white space before it', ' ' + line('GET /x HTTP/1.1'), '400'],
  ['two spaces before the target', line('GET  /x HTTP/1.1'), ['200 GET /x', '400']],
  ['two spaces before the version', line('GET /x  HTTP/1.1'), ['200 GET /x', '400']],
  ['a tab instead of a space', line('GET\t/x HTTP/1.1'), ['200 GET /x', '400']],
  ['a space after the version', line('GET /x HTTP/1.1 '), ['200 GET /x', '400']],
  ['a word after the version', line('GET /x HTTP/1.1 y'), '400'],
  ['no target', line('GET HTTP/1.1'), '400'],
  ['an empty target', line('GET  HTTP/1.1'), '400'],
  ['a space inside the target', line('GET /x y HTTP/1.1'), '400'],
  ['LF instead of CRLF', 'GET /x HTTP/1.1\nHost: a\n\n', ['200 GET /x', '400']],
  ['CR instead of CRLF', 'GET /x HTTP/1.1\rHost: a\r\r', '400'],
  ['CR and another character', 'GET /x HTTP/1.1\rX\r\nHost: a\r\n\r\n', '400'],
  ['NUL in the target', line('GET /\0x HTTP/1.1'), '400'],
  ['a control character in the target', line('GET /\x01x HTTP/1.1'), '400'],
  ['DEL in the target', line('GET /\x7fx HTTP/1.1'), '400'],
  ['bytes beyond ASCII in the target', line('GET /\xc3\xa9 HTTP/1.1'), '400'],
  ['not HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', ['400', 'closed']],
  ['only an empty line', '\r\n', ['closed', '408', '400']],
  ['only a method', 'GET', ['408', '400', 'closed']],
  ['a target of 8000 bytes', line(`GET /${'x'.repeat(8000)} HTTP/1.1`), '200 *'],
  ['a target of 20000 bytes', line(`GET /${'x'.repeat(20_000)} HTTP/1.1`), ['414', '431']],
]);

const versions = cases('RFC 9110 2.5', [
  ['HTTP/1.0', 'GET /x HTTP/1.0\r\n\r\n', '200 GET /x'],
  ['HTTP/1.0 and Host', line('GET /x HTTP/1.0'), '200 GET /x'],
  ['HTTP/0.9', 'GET /x\r\n', ['400', '505', '408', 'closed']],
  ['HTTP/0.9, written out', line('GET /x HTTP/0.9'), ['400', '505']],
  [
    'HTTP/1.2: handled as the highest known minor version',
    line('GET /x HTTP/1.2'),
    '200 GET /x',
    { open: RUNTIME },
  ],
  ['HTTP/1.9', line('GET /x HTTP/1.9'), '200 GET /x', { open: RUNTIME }],
  ['HTTP/2.0', line('GET /x HTTP/2.0'), ['505', '400']],
  ['HTTP/3.0', line('GET /x HTTP/3.0'), ['505', '400']],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ['505', '400', 'closed']],
  ['http/1.1 in lower case', line('GET /x http/1.1'), '400'],
  ['HTTP/1.10', line('GET /x HTTP/1.10'), '400'],
  ['HTTP/01.1', line('GET /x HTTP/01.1'), '400'],
  ['HTTP/1', line('GET /x HTTP/1'), '400'],
  ['HTTP/1,1', line('GET /x HTTP/1,1'), '400'],
  ['HTTPS/1.1', line('GET /x HTTPS/1.1'), '400'],
  ['ICE/1.0', line('GET /x ICE/1.0'), '400'],
  ['RTSP/1.0', line('DESCRIBE /x RTSP/1.0'), ['400', '501', '505'], { open: RUNTIME }],
]);

const methods = cases('RFC 9110 9', [
  ['HEAD', line('HEAD /x HTTP/1.1'), '200'],
  ['POST', line('POST /x HTTP/1.1', 'Content-Length: 0'), '200 POST /x'],
  ['PUT', line('PUT /x HTTP/1.1', 'Content-Length: 0'), '200 PUT /x'],
  ['DELETE', line('DELETE /x HTTP/1.1'), '200 DELETE /x'],
  ['PATCH', line('PATCH /x HTTP/1.1', 'Content-Length: 0'), '200 PATCH /x'],
  ['OPTIONS with content', line('OPTIONS /x HTTP/1.1', 'Content-Length: 1') + 'x', '200 OPTIONS /x "x"'],
  ['DELETE with content', line('DELETE /x HTTP/1.1', 'Content-Length: 1') + 'x', '200 DELETE /x "x"'],
  [
    'HEAD with content',
    line('HEAD /x HTTP/1.1', 'Content-Length: 1') + 'x' + line('GET /y HTTP/1.1'),
    '200, 200 GET /y',
  ],
  ['TRACE without content', line('TRACE /x HTTP/1.1'), ['200*', '405*', '501*', '404']],
  ['methods are case-sensitive', line('get /x HTTP/1.1'), ['501', '400', '405']],
  ['an unknown method', line('BREW /x HTTP/1.1'), ['501', '405'], { open: RUNTIME }],
  ['a method with a character not allowed in a token', line('G{T /x HTTP/1.1'), '400'],
  ['a method of 1000 letters', line(`${'A'.repeat(1000)} /x HTTP/1.1`), ['501', '400']],
  [
    'TRACE of a resource without a handler for it',
    line('TRACE /routes/get HTTP/1.1'),
    ['405 allow=GET,HEAD', '501'],
  ],
  ['TRACE with content', line('TRACE /x HTTP/1.1', 'Content-Length: 1') + 'x', '400'],
  ['CONNECT', line('CONNECT a:80 HTTP/1.1'), ['closed', '405', '501', '400']],
  ['CONNECT with a path', line('CONNECT /x HTTP/1.1'), ['closed', '400', '405', '501']],
  [
    'POST where there is only GET',
    line('POST /routes/get HTTP/1.1', 'Content-Length: 0'),
    '405 allow=GET,HEAD',
  ],
  ['DELETE where there are GET and POST', line('DELETE /routes/both HTTP/1.1'), '405 allow=GET,HEAD,POST'],
  [
    'POST where there is only GET, in a router',
    line('POST /routes/inner/7 HTTP/1.1', 'Content-Length: 0'),
    '405 allow=GET,HEAD,PUT',
  ],
  [
    'POST where there is only GET, in a mounted application',
    line('POST /routes/app/get HTTP/1.1', 'Content-Length: 0'),
    '405 allow=GET,HEAD',
  ],
  ['PROPFIND where there is only GET', line('PROPFIND /routes/get HTTP/1.1'), ['405 allow=GET,HEAD', '501']],
  ['GET where there is only POST', line('GET /routes/post HTTP/1.1'), '405 allow=POST'],
  ['HEAD where there is only POST', line('HEAD /routes/post HTTP/1.1'), '405 allow=POST'],
  ['GET where the handler calls next', line('GET /routes/passed HTTP/1.1'), '404'],
  ['POST to an unknown path', line('POST /routes/nothing HTTP/1.1', 'Content-Length: 0'), '404'],
  ['OPTIONS of a resource', line('OPTIONS /routes/both HTTP/1.1'), '200 GET,HEAD,POST allow=GET,HEAD,POST'],
  ['OPTIONS of an unknown path', line('OPTIONS /routes/nothing HTTP/1.1'), ['404', '200*', '204*']],
]);

export const requestLine: Group[] = [
  { name: 'Request line', cases: form },
  { name: 'Versions', cases: versions },
  { name: 'Methods', cases: methods },
];
