/** Request targets and the Host header. */
import { BROWSERS, cases, head } from './case.js';
import type { Group } from './case.js';

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
