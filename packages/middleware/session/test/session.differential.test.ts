// runs: slow
/**
 * express-session is the reference: generated options, stores and requests give the same responses and calls of the
 * store in the same order.
 */
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import ours from '@ristretto/session';
import type { Session, SessionData, SessionOptions } from '@ristretto/session';
import { differentialTest, requestNumber } from '../../test-support/differential.js';
import type { Handler, Observed, Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

/** Its types declare another `req.session`, which one program can't use together with ours. */
const theirs = createRequire(__filename)('express-session') as typeof ours;

type Value = unknown;
type Request = Parameters<Handler>[0] & {
  session?: (Session & SessionData & Record<string, Value>) | null;
  sessionID: string;
  sessionStore: { calls?: number };
};
type Done = (error?: unknown) => void;

interface Options {
  options: Record<string, Value>;
  /** How the store behaves. Some members are missing while a case is being shrunk. */
  store?: {
    /** Whether it calls back at once. */
    isSync?: boolean;
    hasTouch?: boolean;
    /** Calls that fail, as `<method> <number of the call>`. */
    fails?: string[];
    /** Sessions that it contains in the beginning. */
    sessions?: Record<string, Value>;
  };
  /** The actions of handlers for each request, by its index. */
  steps?: string[][];
}

const SECRETS = ['keyboard cat', 'older', 'wrong'];
const PATHS = ['/', '/', '/', '/a', '/a/b?x=1', '/b', '//a', '/a%20b'];

function signed(id: string, secret: string): string {
  return `s:${id}.${createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '')}`;
}

function cookieHeader(random: Random): string[] {
  const id = random.pick(['id-1', 'id-1', 'id-2', 'id-3', 'stored', 'stored', 'stored', 'expired', 'a.b']);
  const value = random.weighted([
    [8, () => encodeURIComponent(signed(id, 'keyboard cat'))],
    [2, () => encodeURIComponent(signed(id, random.pick(SECRETS)))],
    [1, () => signed(id, 'keyboard cat')],
    [1, () => encodeURIComponent(signed(id, 'keyboard cat').slice(0, -1))],
    [1, () => encodeURIComponent(`${signed(id, 'keyboard cat')}x`)],
    [1, () => id],
    [0.5, () => 's:'],
    [0.5, () => `"${signed(id, 'keyboard cat')}"`],
    [0.3, () => '%zz'],
  ]);
  const others = random.many(0, 2, () =>
    random.pick(['a=1', 'connect.sid2=x', 'xconnect.sid=5', '=', 'b', '']),
  );
  const name = random.chance(0.9) ? 'connect.sid' : random.pick(['sid', ' connect.sid ', 'Connect.Sid']);
  return [...others, `${name}=${value}`];
}

const STEPS =
  words(`read read write write nested same save save+write reload regenerate regenerate+write destroy null
  delete replace touch maxAge cookie sessionID setcookie later keep keys`);

const ENDS = [
  ...words(`end end end pieces length empty writeHead write-then-write write-then-regenerate write-then-reload
    write-then-destroy write-then-save error head`),
  'no content',
];

const FAILURES = ['get 0', 'get 1', 'set 0', 'set 1', 'touch 0', 'destroy 0', 'get-enoent 0', 'get-throws 0'];

function maybe(random: Random, share: number, name: string, values: Value[]): Record<string, Value> {
  return random.chance(share) ? { [name]: random.pick(values) } : {};
}

function cookieOptions(random: Random): Record<string, Value> {
  return {
    ...maybe(random, 0.4, 'maxAge', [60_000, 0, -5, null, 1e9]),
    ...maybe(random, 0.1, 'expires', [null, false, 600_000, { $: 'date' }]),
    ...maybe(random, 0.2, 'path', ['/', '/a', '', '/a/b']),
    ...maybe(random, 0.1, 'domain', ['example.com']),
    // Browsers reject an insecure cookie that allows cross-site requests.
    ...maybe(random, 0.2, 'secure', [true, false, 'auto']),
    ...maybe(random, 0.1, 'httpOnly', [true, false]),
    ...maybe(random, 0.2, 'sameSite', [true, false, 'lax', 'strict', 'auto']),
    ...maybe(random, 0.1, 'priority', ['low', 'medium', 'high']),
    ...maybe(random, 0.1, 'partitioned', [true, false]),
  };
}

differentialTest<typeof ours, Options>({
  name: 'session',
  original: theirs,
  ours,
  settings: { 'trust proxy': true },
  // Only requests to which the original never responds take longer.
  patience: 1000,
  generate(random) {
    const requests = random.many(1, 4, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'POST', 'HEAD']),
      target: random.pick(PATHS),
      headers: [
        ...(random.chance(0.8) ? [['Cookie', cookieHeader(random).join('; ')] as [string, string]] : []),
        ...(random.chance(0.2)
          ? [
              ['X-Forwarded-Proto', random.pick(['https', 'http', 'https, http', 'HTTPS', ''])] as [
                string,
                string,
              ],
            ]
          : []),
      ],
    }));
    const steps = requests.map(() => [...random.many(0, 3, () => random.pick(STEPS)), random.pick(ENDS)]);
    const cookieOfAll = random.chance(0.7) ? cookieOptions(random) : undefined;
    const name = maybe(random, 0.1, 'name', ['sid', 'connect.sid', '']);
    // In the original, an error page with a session that can't be stored never ends.
    for (const own of steps) if (own.includes('replace') && own.at(-1) === 'error') own.splice(-1, 1, 'end');
    const cookie = { originalMaxAge: null, expires: null, httpOnly: true, path: '/' };
    // In the original, `reload` ends the process for data without a cookie.
    const broken = String(steps).includes('reload')
      ? [{ cookie }]
      : [{ cookie }, {}, { cookie: null, a: 1 }, 5];
    const options: Options = {
      options: {
        secret: random.pick<Value>([
          'keyboard cat',
          'keyboard cat',
          ['keyboard cat', 'older'],
          ['older', 'keyboard cat'],
        ]),
        ...maybe(random, 0.95, 'resave', [true, false, false]),
        ...maybe(random, 0.95, 'saveUninitialized', [true, false, false]),
        ...maybe(random, 0.3, 'rolling', [true, false]),
        ...maybe(random, 0.3, 'unset', ['destroy', 'keep', 'x']),
        ...maybe(random, 0.2, 'proxy', [true, false]),
        ...name,
        ...maybe(random, 0.05, 'key', ['sid']),
        ...maybe(random, 0.05, 'genid', [{ $: 'number' }, { $: 'throws' }]),
        ...(cookieOfAll && { cookie: cookieOfAll }),
      },
      store: {
        isSync: random.chance(0.3),
        hasTouch: random.chance(0.7),
        fails: random.chance(0.25) ? random.many(1, 2, () => random.pick(FAILURES)) : [],
        sessions: {
          stored: {
            cookie: random.chance(0.5)
              ? cookie
              : {
                  ...cookie,
                  originalMaxAge: 60_000,
                  expires: { $: 'soon' },
                  secure: random.pick([true, false, undefined]),
                },
            user: 'tobi',
            list: [1, { a: 2 }],
          },
          ...(random.chance(0.3) ? { 'id-1': random.pick<Value>(broken) } : {}),
        },
      },
      steps,
    };
    // An error of `genid` in `regenerate` does too.
    if (String(steps).includes('regenerate')) delete options.options.genid;
    const { sameSite } = (options.options.cookie ?? {}) as { sameSite?: unknown };
    if (sameSite === 'auto') (options.options.cookie as Record<string, Value>).secure = 'auto';
    return { options, requests };
  },
  build(middleware, { options, store = {}, steps = [] }, trace) {
    let requests = 0;
    let ids = 0;
    const { genid, cookie, ...rest } = (options ?? {}) as Record<string, never>;
    const given = {
      ...rest,
      ...(cookie === undefined ? {} : { cookie: revive(cookie) }),
      store: storeOf(middleware, store, trace),
      genid: genid === undefined ? () => `id-${++ids}` : generators[(genid as { $: string }).$],
    } as unknown as SessionOptions;
    return [
      middleware(given) as unknown as Handler,
      async (incoming, res, next) => {
        const req = incoming as Request;
        const own = steps[requests++]?.filter(step => typeof step === 'string') ?? [];
        trace.push(
          `handler ${requestNumber.getStore()} ${req.sessionID} ${Object.keys(req).includes('session')}`,
        );
        try {
          for (const step of own.slice(0, -1)) {
            await perform(step, req, res, trace);
            trace.push(`context ${requestNumber.getStore()}`);
          }
        } catch (error) {
          trace.push(`step failed: ${String(error)}`);
        }
        try {
          await end(own.at(-1) ?? 'end', req, res, next, trace);
        } catch (error) {
          trace.push(`end failed: ${String(error)}`);
          res.destroy();
        }
      },
    ];
  },
  isAccepted: (original, ours) =>
    // Some errors at the end of a response make the original cut off or hang. Ours sends the response and then
    // reports the error.
    (original.state !== 'answer' &&
      ours.state === 'answer' &&
      ours.trace.some(each => each.startsWith('next '))) ||
    // This is the same case, after the client has repeated the request that was cut off.
    original.trace.some(each => each.startsWith('end failed: TypeError')) ||
    // The error handler closes the connection, and the client may or may not have repeated the next request.
    [original, ours].some(({ trace }) => trace.filter(each => each.startsWith('handler ')).length > 1) ||
    // Of two errors, an invalid cookie and a store that fails, the error handlers see the first one only. Ours is that of
    // the cookie; with express-session, it depends on whether the store calls back at once.
    (isDeepStrictEqual(withoutReports(original), withoutReports(ours)) &&
      ours.trace.some(each => /^next TypeError: (?:option|argument) \w+ is invalid/.test(each)) &&
      original.trace.some(each => /^next Error: \w+ has failed/.test(each))),
  normalize: observed => ({
    ...observed,
    // V8's messages about values of wrong types depend on the expression.
    body: observed.body.replace(TYPE_ERROR, 'TypeError: Cannot'),
    trace: withReportsLast(observed.trace)
      // Ours does not wait for the store.
      .filter(each => !each.startsWith('next Error: touch has failed'))
      .map(each =>
        each
          .replace(TYPE_ERROR, 'TypeError: Cannot')
          .replace(ORIGINAL, (_, ms: string) => `"originalMaxAge":${Math.round(Number(ms) / 3e4)}`),
      ),
    headers: observed.headers
      .map(each => each.replace(/Expires=([^;]+)/, (_, date: string) => `Expires=${relative(date)}`))
      // A response that waits for the store is sent in one piece, without holding back the last byte.
      .filter(each => !/^(connection|keep-alive|transfer-encoding|content-length):/i.test(each)),
  }),
});

const generators: Record<string, () => unknown> = {
  number: () => 5,
  throws: () => {
    throw new Error('no id');
  },
};

const withoutReports = ({ trace, ...others }: Observed): object => ({
  ...others,
  trace: trace.filter(each => !each.startsWith('next ')),
});

const TYPE_ERROR = /TypeError: Cannot .*?(?= undefined$|$)/;

/** Errors after the response are reported in a turn of the event loop that depends on the store, and so does their order. */
function withReportsLast(trace: string[]): string[] {
  const end = trace.indexOf('ended');
  const isReport = (each: string, index: number): boolean => index > end && each.startsWith('next ');
  return [...trace.filter((each, index) => !isReport(each, index)), ...trace.filter(isReport).sort()];
}

/** It is computed from the time at which it ends. */
const ORIGINAL = /"originalMaxAge":(-?\d+)/;

/** Rounds a date to ten seconds from now. */
function relative(date: string): string {
  const seconds = (Date.parse(date) - Date.now()) / 1000;
  return Number.isNaN(seconds) || Math.abs(seconds) > 1e8 ? date : `now + ${Math.round(seconds / 10) * 10}`;
}

/** Returns a value with dates in place of objects with the key `$`. */
function revive(value: Value): Value {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { $ } = value as { $?: string };
  if ($ === 'date') return new Date(Date.now() + 60_000);
  if ($ === 'soon') return new Date(Date.now() + 60_000).toISOString();
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
}

/** Returns a store that records its calls. */
function storeOf(
  middleware: typeof ours,
  { isSync, hasTouch, fails = [], sessions = {} }: NonNullable<Options['store']>,
  trace: string[],
) {
  const calls: Record<string, number> = {};
  const texts = new Map(Object.entries(sessions).map(([id, data]) => [id, JSON.stringify(revive(data))]));
  texts.delete('expired');
  const answer = (
    method: string,
    callback: ((...args: Value[]) => void) | undefined,
    ...args: Value[]
  ): void => {
    const count = (calls[method] ??= 0);
    calls[method]++;
    if (fails.includes(`${method}-throws ${count}`)) throw new Error(`${method} has thrown`);
    const isMissing = fails.includes(`${method}-enoent ${count}`);
    const error = isMissing
      ? Object.assign(new Error('missing'), { code: 'ENOENT' })
      : fails.includes(`${method} ${count}`)
        ? new Error(`${method} has failed`)
        : null;
    const values: Value[] = error ? [error] : args;
    if (isSync) callback?.(...values);
    else if (callback) setImmediate(callback, ...values);
  };
  const text = (session: Value): string =>
    JSON.stringify(session).replace(
      /"expires":"([^"]+)"/,
      (_, date: string) => `"expires":"${relative(date)}"`,
    );
  const store = new (middleware.Store as unknown as new () => Record<string, Value>)();
  store.get = (id: string, callback: Done) => {
    trace.push(`get ${id}`);
    const stored = texts.get(id);
    answer('get', callback, null, stored === undefined ? undefined : JSON.parse(stored));
  };
  store.set = (id: string, session: Value, callback: Done) => {
    trace.push(`set ${id} ${text(session)}`);
    texts.set(id, JSON.stringify(session));
    answer('set', callback);
  };
  store.destroy = (id: string, callback: Done) => {
    trace.push(`destroy ${id}`);
    texts.delete(id);
    answer('destroy', callback);
  };
  if (hasTouch) {
    store.touch = (id: string, session: Value, callback: Done) => {
      trace.push(`touch ${id} ${text(session)}`);
      answer('touch', callback);
    };
  }
  return store;
}

const shown = (req: Request): string =>
  JSON.stringify(req.session, (key, value: Value) =>
    key === 'expires' && typeof value === 'string' ? relative(value) : value,
  );

async function perform(
  step: string,
  req: Request,
  res: Parameters<Handler>[1],
  trace: string[],
): Promise<void> {
  const called = (call: (done: Done) => unknown): Promise<void> =>
    new Promise(resolve => {
      call(error => {
        trace.push(`called back ${String(error)} ${shown(req)}`);
        resolve();
      });
    });
  const { session } = req;
  switch (step) {
    case 'read':
      trace.push(`session ${shown(req)} ${session?.id}`);
      break;
    case 'write':
      session!.views = ((session!.views as number | undefined) ?? 0) + 1;
      break;
    case 'nested':
      (session!.list as Value[]).push('more');
      break;
    case 'same':
      Object.assign(session!, { user: 'tobi' });
      break;
    case 'save':
      return called(done => session!.save(done));
    case 'save+write':
      await called(done => session!.save(done));
      session!.after = true;
      break;
    case 'reload':
      return called(done => session!.reload(done));
    case 'regenerate':
      return called(done => session!.regenerate(done));
    case 'regenerate+write':
      await called(done => session!.regenerate(done));
      req.session!.fresh = true;
      break;
    case 'destroy':
      return called(done => session!.destroy(done));
    case 'null':
      req.session = null;
      break;
    case 'delete':
      delete req.session;
      break;
    case 'replace':
      req.session = Object.assign(Object.create(Object.getPrototypeOf(session)) as never, session, {
        replaced: 1,
      });
      break;
    case 'touch':
      session!.touch();
      break;
    case 'maxAge':
      session!.cookie.maxAge = 120_000;
      break;
    case 'cookie':
      session!.cookie.path = '/other';
      session!.cookie.sameSite = 'lax';
      break;
    case 'sessionID':
      req.sessionID = 'chosen';
      break;
    case 'setcookie':
      res.setHeader('Set-Cookie', 'other=1');
      break;
    case 'later':
      await new Promise(setImmediate);
      break;
    case 'keep':
      setImmediate(() => undefined);
      await Promise.resolve(session).then(kept => Object.assign(kept!, { kept: 1 }));
      break;
    case 'keys':
      trace.push(
        `keys ${Object.keys(session ?? {}).join()} ${'session' in req} ${Object.keys(session?.cookie ?? {}).join()}`,
      );
  }
}

async function end(
  way: string,
  req: Request,
  res: Parameters<Handler>[1],
  next: (error?: unknown) => void,
  trace: string[],
): Promise<void> {
  const [, step] = /^write-then-(.+)$/.exec(way) ?? [];
  if (step !== undefined) {
    res.write('one');
    await perform(step, req, res, trace);
    res.end('two');
  }
  switch (way) {
    case 'end':
      res.end('body');
      break;
    case 'pieces':
      res.write('one');
      res.write('two');
      res.end('three');
      break;
    case 'length':
      res.setHeader('Content-Length', '6');
      res.write('abc');
      res.end('def');
      break;
    case 'empty':
      res.end();
      break;
    case 'writeHead':
      res.writeHead(201, { 'X-A': '1' });
      res.end('created');
      break;
    case 'error':
      next(new Error('from the handler'));
      break;
    case 'head':
      res.writeHead(200, { 'Set-Cookie': ['given=1'] });
      res.end('body');
      break;
    case 'no content':
      res.statusCode = 204;
      res.end();
  }
  trace.push('ended');
}
