// runs: slow
/** cookie-session is the reference: generated options, cookies and changes give the same Set-Cookie headers. */
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import ours from '@ristretto/cookie-session';
import { differentialTest } from '../../test-support/differential.js';
import type { Handler, Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

const load = createRequire(__filename);
const theirs = load('cookie-session') as typeof ours;
const Keygrip = load('keygrip') as new (keys: string[], algorithm?: string, encoding?: string) => object;

type Value = unknown;
type Request = Parameters<Handler>[0] & {
  session?: Record<string, Value> | null;
  sessionOptions: Record<string, Value>;
};

interface Options {
  options?: Record<string, Value>;
  steps?: string[][];
}

const KEYS = ['keyboard cat', 'older'];

const encode = (data: Value): string => Buffer.from(JSON.stringify(data)).toString('base64');

function signature(name: string, value: string, key: string): string {
  return createHmac('sha1', key).update(`${name}=${value}`).digest('base64url');
}

const DATA: Value[] = [
  { user: 'tobi', views: 1 },
  { user: 'tobi', views: 1 },
  {},
  [1, 2],
  5,
  null,
  'text',
  { isNew: 1, _ctx: 2, toJSON: 3 },
  JSON.parse('{"__proto__":{"x":1},"constructor":{"y":1}}'),
];

function cookies(random: Random, name: string): string {
  const value = random.chance(0.9)
    ? encode(random.pick(DATA))
    : random.pick(['', 'zz', '"e30="', 'e30', '!']);
  const key = random.pick([...KEYS, KEYS[0]!, KEYS[0]!, 'wrong']);
  const sent = [
    ...random.many(0, 1, () => random.pick(['a=1', `${name}x=1`, `x${name}=1`, ''])),
    `${name}=${value}`,
    ...(random.chance(0.9)
      ? [
          `${name}.sig=${signature(name, value, key)}${random.chance(0.1) ? random.pick(['x', '=', ' ']) : ''}`,
        ]
      : []),
  ];
  return sent.join(random.pick(['; ', ';']));
}

const STEPS = [
  ...words('read read write write state null undefined replace'),
  'replace empty',
  ...words('number clear same maxAge name setcookie descriptor circular'),
];

function maybe(random: Random, share: number, name: string, values: Value[]): Record<string, Value> {
  return random.chance(share) ? { [name]: random.pick(values) } : {};
}

differentialTest<typeof ours, Options>({
  name: 'cookie-session',
  original: theirs,
  ours,
  settings: { 'trust proxy': true },
  generate(random) {
    const options = {
      ...maybe(random, 0.9, 'keys', [KEYS, KEYS, [KEYS[0]], [], { $: 'keygrip' }, { $: 'sha256' }]),
      ...maybe(random, 0.2, 'secret', [KEYS[0], '']),
      ...maybe(random, 0.5, 'name', ['session', 'express:sess', 's', '', 'a b', 'a(b']),
      ...maybe(random, 0.2, 'signed', [true, false]),
      ...maybe(random, 0.3, 'maxAge', [60_000, 0, -60_000, null]),
      ...maybe(random, 0.1, 'expires', [{ $: 'date' }, null]),
      ...maybe(random, 0.2, 'path', ['/', '/a', '', null, '/é']),
      ...maybe(random, 0.2, 'domain', ['example.com', '', null, 'é']),
      ...maybe(random, 0.2, 'secure', [true, false, null]),
      ...maybe(random, 0.1, 'secureProxy', [true, false]),
      ...maybe(random, 0.2, 'httpOnly', [true, false, null]),
      ...maybe(random, 0.2, 'sameSite', [true, false, 'lax', 'Strict', '']),
      ...maybe(random, 0.1, 'priority', ['low', 'HIGH', '']),
      ...maybe(random, 0.2, 'overwrite', [true, false, null]),
      ...maybe(random, 0.1, 'partitioned', [true, false]),
    };
    const name = (options as { name?: string }).name || 'session';
    const requests = random.many(1, 3, () => ({
      method: 'GET',
      target: '/',
      headers: [
        ...(random.chance(0.8) ? [['Cookie', cookies(random, name)] as [string, string]] : []),
        ...(random.chance(0.3)
          ? [['X-Forwarded-Proto', random.pick(['https', 'http'])] as [string, string]]
          : []),
      ],
    }));
    return {
      options: { options, steps: requests.map(() => random.many(0, 4, () => random.pick(STEPS))) },
      requests,
    };
  },
  build(middleware, { options = {}, steps = [] }, trace) {
    let requests = 0;
    const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, revive(value)]));
    return [
      middleware(given) as unknown as Handler,
      (incoming, res) => {
        const req = incoming as Request;
        const own = steps[requests++]?.filter(step => typeof step === 'string') ?? [];
        trace.push(`${Object.keys(req).includes('session')} ${JSON.stringify(req.sessionOptions)}`);
        for (const step of own) {
          try {
            trace.push(`${step}: ${perform(step, req, res)}`);
          } catch (error) {
            trace.push(`${step} failed: ${(error as Error).name}`);
          }
        }
        res.end('ok');
      },
    ];
  },
  normalize: observed => ({
    ...observed,
    headers: observed.headers.map(each =>
      each.replace(/expires=([^;]+)/, (_, date: string) => {
        const seconds = (Date.parse(date) - Date.now()) / 1000;
        return Math.abs(seconds) > 1e6 ? date : `now + ${Math.round(seconds / 20) * 20}`;
      }),
    ),
  }),
});

function revive(value: Value): Value {
  const { $ } = Object(value) as { $?: string };
  if ($ === 'date') return new Date(2_000_000_000_000);
  if ($ === 'keygrip') return new Keygrip(KEYS);
  if ($ === 'sha256') return new Keygrip(KEYS, 'sha256', 'hex');
  return value;
}

function perform(step: string, req: Request, res: Parameters<Handler>[1]): string {
  switch (step) {
    case 'read':
      return `${JSON.stringify(req.session)} ${Object.keys(req.session ?? {}).join()}`;
    case 'write':
      req.session!.written = 'é';
      break;
    case 'state': {
      const { isNew, isChanged, isPopulated } = req.session!;
      return [isNew, isChanged, isPopulated].join();
    }
    case 'null':
      req.session = null;
      return String(req.session);
    case 'undefined':
      req.session = undefined;
      return String(req.session);
    case 'replace':
      req.session = { replaced: [1] };
      return JSON.stringify(req.session);
    case 'replace empty':
      req.session = {};
      break;
    case 'number':
      req.session = 5 as never;
      break;
    case 'clear':
      for (const key of Object.keys(req.session!)) delete req.session![key];
      break;
    case 'same':
      req.session!.user = 'tobi';
      break;
    case 'maxAge':
      req.sessionOptions.maxAge = 120_000;
      break;
    case 'name':
      req.sessionOptions.name = 'other';
      break;
    case 'setcookie':
      res.setHeader('Set-Cookie', ['session=old', 'session.sig=old', 'other=1']);
      break;
    case 'descriptor': {
      const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(req, 'session') ?? {};
      return [typeof get, typeof set, enumerable, configurable].join();
    }
    case 'circular':
      req.session!.self = req.session;
  }
  return '';
}
