/**
 * Generates the changes that a handler makes to the response before it is sent, and to the request for later handlers.
 */
import type { Step, Value } from './description.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';
import { someOptions, STATUSES, TYPES, URLS } from './values.js';

const FIELDS = words(`Content-Type X-One x-two Link Vary ETag Last-Modified Cache-Control Content-Language
  Set-Cookie WWW-Authenticate`);

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
  return random.weighted<Step>([
    [3, () => ({ res: 'status', args: [random.pick(STATUSES)] })],
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
