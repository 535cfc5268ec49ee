/**
 * Generates the changes that a handler makes to the response before it is sent, and to the request for later handlers.
 */
import type { Step, Value } from './description.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';
import { callsOf, someOptions, STATUSES, TYPES, URLS } from './values.js';

const FIELDS = words(`Content-Type X-One x-two Link Vary ETag Last-Modified Cache-Control Content-Language
  Set-Cookie WWW-Authenticate`);

const VARY: Value[] = ['Accept', 'accept-encoding', ['A', 'B'], '*', 'A, B', '', 'bad field', []];
const NAMES = ['name', 'a b', 'x', 'é', 'session'];
const COOKIES: Value[] = ['value', 'a b;c', { a: 1 }, 5, '', null, ['x']];
const ATTACHMENTS = ['a.txt', 'é€.pdf', 'a"b;c.html', 'dir/plans.json', '', '%41.png', 'no-ext'];

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

/** Returns a step that changes the response before it is sent, or the request for later handlers. */
export function change(random: Random): Step {
  const value = () =>
    random.pick<Value>([
      ...['v', 'a, b', 'W/"tag"', 'text/html', 'é'],
      ['one', 'two'],
      ...[5, 'Tue, 05 Mar 2024 06:07:08 GMT', '', 'bad\nvalue'],
      { $: 'undefined' },
      null,
      true,
    ]);
  const res = callsOf(random, 'res');
  const cookieOptions = (share: number) =>
    random.chance(share) ? [someOptions(random, COOKIE_OPTIONS)] : [];
  const put = (weight: number, member: string, values: Value[]): [number, () => Step] => [
    weight,
    () => ({ put: member, value: values.length === 1 ? values[0]! : random.pick(values) }),
  ];
  return random.weighted<Step>([
    res(3, 'status', () => [random.pick(STATUSES)]),
    res(3, ['set', 'header'], () => [random.pick(FIELDS), value()]),
    res(1, 'set', () => [{ 'X-A': 'a', 'x-b': ['b', 'c'], 'Content-Type': 'text/css' }]),
    res(1, 'setHeader', () => [random.pick(FIELDS), random.pick<Value>(['v', ['a', 'b'], 7])]),
    res(1, ['removeHeader', 'get', 'getHeader'], () => [random.pick([...FIELDS, 'X-Powered-By'])]),
    res(2, 'append', () => [random.pick(FIELDS), value()]),
    res(2, ['type', 'contentType'], () => [random.pick(TYPES)]),
    res(2, 'vary', () => [random.pick(VARY)]),
    res(2, 'links', () => [random.pick<Value>([{ next: '/2' }, { next: '/2', last: 'http://e/?<>' }, {}])]),
    res(2, 'location', () => [random.pick(URLS)]),
    res(2, 'cookie', () => [random.pick(NAMES), random.pick(COOKIES), ...cookieOptions(0.6)]),
    res(1, 'clearCookie', () => ['name', ...cookieOptions(0.5)]),
    res(1, 'attachment', () => random.many<Value>(0, 1, () => random.pick(ATTACHMENTS))),
    put(1, 'res.statusCode', [404, 304, 204, 500, 201]),
    put(0.3, 'res.statusMessage', ['Own Reason']),
    put(0.5, 'req.secret', ['secret', ['new', 'old']]),
    put(0.5, 'req.url', words('/ /a /foo/1?x=y /users/42 ?only no-slash //a//b')),
    put(0.3, 'req.method', ['POST', 'GET', 'OPTIONS']),
    put(0.3, 'req.params', [{}, { id: 'own' }]),
    put(0.3, 'req.query', [{ own: 1 }]),
    put(0.3, 'res.locals', [{ name: 'local', deep: { a: 1 } }]),
    [0.5, () => ({ seen: random.pick(['statusCode', 'headersSent', 'locals', 'finished', 'charset']) })],
  ]);
}
