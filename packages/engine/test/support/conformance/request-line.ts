/** Request lines, versions and methods. */
import { BROWSERS, cases, head, RUNTIME } from './case.js';
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

/** Request targets and the Host header. */
const get = (target: string, ...fields: string[]): string =>
  head(`GET ${target} HTTP/1.1`, 'Host: a', ...fields);
const NO_HANDLER = 'Express leaves it to handlers, and sends a 404 if there is none.';

const targets = cases('RFC 9112 3.2', [
  ['a query', get('/x?y=1'), '200 GET /x?y=1'],
  ['an empty query', get('/x?'), '200 GET /x?'],
  ['two slashes', get('//x'), '200 GET //x'],
  ['dot segments stay as they are', get('/a/../x'), '200 GET /a/../x'],
  ['an encoded slash stays encoded', get('/a%2fb'), '200 GET /a%2fb'],
  ['punctuation that a path may contain', get("/a;b:c@d!$&'()*+,=~"), "200 GET /a;b:c@d!$&'()\\*+,=~"],
  ['two question marks', get('/x?a?b'), '200 GET /x?a?b'],
  ['an encoded NUL stays encoded', get('/%00'), ['200 GET /%00', '400']],
  ['a percent sign without digits', get('/%zz'), '400', { open: BROWSERS }],
  ['a percent sign at the end', get('/x%'), '400', { open: BROWSERS }],
  ['a fragment', get('/x#y'), '400'],
  ['only a fragment', get('#y'), '400'],
  ['a quotation mark', get('/"x"'), '400'],
  ['angle brackets', get('/<x>'), '400'],
  ['a backslash', get('/x\\y'), '400'],
  ['a caret, a vertical bar, braces, a backtick', get('/^|{}`'), '400'],
  ['brackets in the path', get('/x[0]'), '400', { open: BROWSERS }],
  ['brackets in the query', get('/x?a[0]=1'), '400', { open: BROWSERS }],
  ['no slash at the beginning', get('x'), '400'],
  ['a backslash at the beginning', get('\\x'), '400'],
  ['only a query', get('?x'), '400'],
  ['absolute form', get('http://a/x'), '200 GET http://a/x'],
  ['absolute form, an IPv6 address', get('http://[::1]/x'), '200 GET http://[::1]/x'],
  ['absolute form without a path', get('http://a'), '200 GET http://a*'],
  ['absolute form, scheme in upper case', get('HTTP://a/x'), '200 GET HTTP://a/x'],
  ['absolute form, https', get('https://a/x'), ['200 GET https://a/x', '421']],
  ['absolute form, another scheme', get('ftp://a/x'), ['400', '421']],
  ['absolute form without a host', get('http:///x'), '400'],
  ['absolute form with user information', get('http://u:p@a/x'), '400'],
  ['absolute form with an invalid port', get('http://a:b/x'), '400'],
  ['absolute form with a fragment', get('http://a/x#y'), '400'],
  ['absolute form: its host overrides Host', get('http://b/host'), '200 host b'],
  ['absolute form with HTTP/1.0', 'GET http://b/host HTTP/1.0\r\n\r\n', '200 host b'],
  ['authority form without CONNECT', get('a:80'), '400'],
  ['asterisk form without OPTIONS', get('*'), '400'],
  ['OPTIONS *', head('OPTIONS * HTTP/1.1', 'Host: a', 'X-Pass: 1'), ['200*', '204*'], { kept: NO_HANDLER }],
  ['OPTIONS * with a query', head('OPTIONS *?x HTTP/1.1', 'Host: a'), '400'],
  [
    'OPTIONS in absolute form without a path',
    head('OPTIONS http://a HTTP/1.1', 'Host: a', 'X-Pass: 1'),
    ['200*', '204*'],
    { kept: NO_HANDLER },
  ],
]);

/** `req.hostname` is a valid host name, or undefined. */
const HOSTNAME = 'CVE-2026-27959';

const host = cases('RFC 9112 3.2', [
  ['Host', head('GET /host HTTP/1.1', 'Host: example.com'), '200 host example.com'],
  ['Host with a port', head('GET /host HTTP/1.1', 'Host: example.com:8080'), '200 host example.com'],
  ['Host with an IPv6 address', head('GET /host HTTP/1.1', 'Host: [::1]:80'), '200 host [::1]'],
  ['Host with an empty port', head('GET /host HTTP/1.1', 'Host: a:'), '200 host a'],
  ['Host in upper case', head('GET /host HTTP/1.1', 'Host: EXAMPLE.com'), '200 host example.com'],
  ['white space around Host', head('GET /host HTTP/1.1', 'Host: \t a \t'), '200 host a'],
  ['an IPv6 address without brackets', head('GET /host HTTP/1.1', 'Host: ::1'), '400', { differs: HOSTNAME }],
  ['an empty Host', head('GET /host HTTP/1.1', 'Host:'), '400'],
  ['an empty Host in HTTP/1.0', head('GET /host HTTP/1.0', 'Host:'), ['200 host undefined', '400']],
  ['no Host', head('GET /host HTTP/1.1'), '400'],
  ['no Host in HTTP/1.0', head('GET /host HTTP/1.0'), '200 host undefined'],
  ['two lines', head('GET /host HTTP/1.1', 'Host: a', 'Host: b'), '400'],
  ['two equal lines', head('GET /host HTTP/1.1', 'Host: a', 'Host: a'), '400'],
  ['two lines in HTTP/1.0', head('GET /host HTTP/1.0', 'Host: a', 'Host: b'), '400'],
  ['a list', head('GET /host HTTP/1.1', 'Host: a, b'), '400', { differs: HOSTNAME }],
  ['a path', head('GET /host HTTP/1.1', 'Host: a/b'), '400', { differs: HOSTNAME }],
  ['a scheme', head('GET /host HTTP/1.1', 'Host: http://a'), '400', { differs: HOSTNAME }],
  ['user information', head('GET /host HTTP/1.1', 'Host: u@a'), '400', { differs: HOSTNAME }],
  ['a space inside', head('GET /host HTTP/1.1', 'Host: a b'), '400', { differs: HOSTNAME }],
  ['a port that is not a number', head('GET /host HTTP/1.1', 'Host: a:b'), '400', { differs: HOSTNAME }],
  ['an open bracket', head('GET /host HTTP/1.1', 'Host: [::1'), '400', { differs: HOSTNAME }],
  ['a fragment', head('GET /host HTTP/1.1', 'Host: a#b'), '400', { differs: HOSTNAME }],
  ['a percent sign without digits', head('GET /host HTTP/1.1', 'Host: a%zz'), '400'],
]);

export const target: Group[] = [
  { name: 'Targets', cases: targets },
  { name: 'Host', cases: host },
];
