/** Settings for requests and routing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import five from 'ristretto5';
import { answering, sameEach } from '../support/compare.js';
import { ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { answer, mark, sameTraces, tracing } from '../support/routing.js';

/** Compares sub-applications that are mounted before and after their routes, in an application with the setting. */
const sameInherited = (setting: string, build: (app: ReturnType<Web>) => unknown, paths: string[]) =>
  sameTraces(
    paths.flatMap(path => [`/early${path}`, `/late${path}`]),
    (app, web) => {
      app.enable(setting);
      const early = web();
      app.use('/early', early);
      build(early);
      const late = web();
      build(late);
      app.use('/late', late);
    },
  );

describe('setting case sensitive routing', () => {
  const paths = ['/foo', '/Foo', '/FOO', '/foo/bar', '/Foo/Bar', '/x/7', '/X/7'];
  const build = (app: ReturnType<Web>): unknown =>
    app
      .use('/foo', mark('use'))
      .get('/Foo', mark('route'))
      .get('/x/:id', mark('parameter'))
      .get(/^\/foo/, mark('expression'));

  test('default: is undefined, and case is ignored', () => sameEach(tracing(build), paths));
  test('disabled: case is ignored', () =>
    sameTraces(paths, app => build(app.disable('case sensitive routing'))));
  test('enabled: case matters for routes and mounts', () =>
    sameTraces(paths, app => build(app.enable('case sensitive routing'))));
  test('truthy value: counts as enabled', () =>
    sameTraces(paths, app => build(app.set('case sensitive routing', 1 as never))));
  test('after the first route: has no effect', () =>
    sameTraces([...paths, '/first'], app => {
      app.get('/First', answer);
      app.enable('case sensitive routing');
      build(app);
    }));
  test('sub-app: inherits it if it is mounted before its first route', () =>
    sameInherited('case sensitive routing', build, paths));
  test('router: does not inherit it', () =>
    sameTraces(['/Router/foo', '/Router/FOO', '/router/foo'], (app, web) => {
      app.enable('case sensitive routing');
      app.use('/Router', web.Router().get('/foo', mark('router')));
    }));
});

describe('setting strict routing', () => {
  const paths = ['/foo', '/foo/', '/foo//', '/bar', '/bar/', '/x/7', '/x/7/', '/m', '/m/', '/'];
  const build = (app: ReturnType<Web>): unknown =>
    app
      .get('/foo', mark('foo'))
      .get('/bar/', mark('bar/'))
      .get('/x/:id', mark('x'))
      .get('/x/:id/', mark('x/'))
      .use('/m', mark('use m'))
      .use('/m/', mark('use m/'))
      .all(/^\//, mark('star'));

  test('default: is undefined, and a trailing slash makes no difference', () =>
    sameEach(tracing(build), paths));
  test('disabled: a trailing slash makes no difference', () =>
    sameTraces(paths, app => build(app.disable('strict routing'))));
  test('enabled: a trailing slash matters for routes, but not for mounts', () =>
    sameTraces(paths, app => build(app.enable('strict routing'))));
  test('after the first route: has no effect', () =>
    sameTraces(paths, app => {
      app.get('/first', answer);
      app.enable('strict routing');
      build(app);
    }));
  test('sub-app: inherits it if it is mounted before its first route', () =>
    sameInherited('strict routing', build, paths));
  test('router: does not inherit it', () =>
    sameTraces(['/router/foo', '/router/foo/'], (app, web) => {
      app.enable('strict routing');
      app.use('/router', web.Router().get('/foo', mark('router')));
    }));
});

const PATHS = ['/', '/?', '/?a[b]=c&d=1&d=2', '/?a.b=1#x', '/?%zz=+'];

const parsed = async (value: unknown) => {
  const show = answering(
    (req, res) => res.json([req.query, Object.getPrototypeOf(req.query) === null]),
    value === undefined ? {} : { 'query parser': value },
  );
  return (await sameEach(show, PATHS)).map(answer => JSON.parse(answer.text) as unknown);
};

describe('setting query parser', () => {
  test('default: is extended', async () => {
    assert.equal(frameworks.ristretto().get('query parser'), 'extended');
    assert.deepEqual(await parsed(undefined), await parsed('extended'));
  });

  test('extended: parses nested keys', async () => {
    assert.deepEqual((await parsed('extended'))[2], [{ a: { b: 'c' }, d: ['1', '2'] }, false]);
  });

  test('simple, true: parse flat keys into an object without a prototype', async () => {
    for (const value of ['simple', true]) {
      assert.deepEqual((await parsed(value))[2], [{ 'a[b]': 'c', d: ['1', '2'] }, true]);
    }
  });

  test('false: disables parsing', async () => {
    assert.deepEqual((await parsed(false))[2], [{}, false]);
  });

  test('function: gets the query, or null if there is none', async () => {
    const seen = await parsed((query: unknown) => ({ query }));
    assert.deepEqual(seen[0], [{ query: null }, false]);
    assert.deepEqual(seen[1], [{ query: '' }, false]);
    assert.deepEqual(seen[2], [{ query: 'a[b]=c&d=1&d=2' }, false]);
  });

  test('limits: the extended parser accepts its limits in 4.x and 5.x; other names throw', async () => {
    const [many, deep] = ['/?' + 'a=1&'.repeat(25), '/?a[b][c]=1'];
    const read = async (make: typeof web, value: unknown, path: string): Promise<unknown> => {
      const app = make().set('query parser', value as never);
      app.get('/', (req, res) => res.json(req.query));
      return JSON.parse((await ask(app, path)).text) as unknown;
    };
    for (const make of [web, five as unknown as typeof web]) {
      const { a } = (await read(make, {}, many)) as { a: unknown[] };
      assert.deepEqual([Array.isArray(a), a.length], [true, 25]);
      const limited = (await read(make, { arrayLimit: 24 }, many)) as { a: unknown };
      assert.equal(Array.isArray(limited.a), false);
      assert.deepEqual(await read(make, { depth: 1 }, deep), { a: { b: { '[c]': '1' } } });
      assert.deepEqual(await read(make, { parameterLimit: 2 }, many), { a: ['1', '1'] });
      assert.throws(() => make().set('query parser', { delimiter: ';' } as never), {
        name: 'TypeError',
        message:
          /^the setting 'query parser' has no option 'delimiter': pass a function, such as text => qs\.parse/,
      });
      for (const value of [['simple'], new Map(), Promise.resolve()])
        assert.throws(() => make().set('query parser', value as never), /unknown value for query parser/);
    }
    const { a } = (await read(five as unknown as typeof web, 'extended', many)) as { a: unknown };
    assert.equal(Array.isArray(a), false);
  });

  test('function that throws: the error reaches the error handlers', async () => {
    const failing = answering((_req, res) => res.send('not reached'), {
      'query parser': () => {
        throw new RangeError('no such query');
      },
    });
    assert.match((await same(failing, '/?a')).text, /^RangeError: no such query/);
  });

  test('set after the first handler: has no effect', async () => {
    const answer = await same(web => {
      const app = web();
      app.get('/', (req, res) => res.json(req.query));
      app.set('query parser', 'simple');
      return app;
    }, '/?a[b]=c');
    assert.equal(answer.text, '{"a":{"b":"c"}}');
  });

  test('other values: throw a TypeError that names the value', () => {
    for (const value of ['bogus', 5, null, undefined, '']) {
      for (const web of Object.values(frameworks)) {
        const message = `unknown value for query parser function: ${String(value)}`;
        assert.throws(() => web().set('query parser', value as never), { name: 'TypeError', message });
      }
    }
  });
});

async function labels(settings: Record<string, unknown>): Promise<unknown> {
  const build = answering((req, res) => res.json(req.subdomains), settings);
  const [answer] = await sameEach(build, [{ headers: { Host: 'a.b.example.co.uk' } }]);
  return JSON.parse(answer!.text);
}

describe('setting subdomain offset', () => {
  test('default: is 2', async () => {
    assert.equal(frameworks.ristretto().get('subdomain offset'), 2);
    assert.deepEqual(await labels({}), ['example', 'b', 'a']);
  });

  test('number: is the number of labels in the domain', async () => {
    assert.deepEqual(await labels({ 'subdomain offset': 3 }), ['b', 'a']);
    assert.deepEqual(await labels({ 'subdomain offset': 0 }), ['uk', 'co', 'example', 'b', 'a']);
    assert.deepEqual(await labels({ 'subdomain offset': 9 }), []);
  });
});

const FIELDS = { Host: 'own', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'front' };

const REQUESTS = ['1.1.1.1', '1.1.1.1, 10.0.0.1', '10.0.0.2, 10.0.0.1'].map(list => ({
  headers: { ...FIELDS, 'X-Forwarded-For': list },
}));

/** Returns what the three requests reveal about the client. */
async function shown(value: unknown): Promise<unknown[]> {
  const build = answering((req, res) => res.json([req.ips, req.protocol, req.hostname]), {
    'trust proxy': value,
  });
  return (await sameEach(build, REQUESTS)).map(answer => JSON.parse(answer.text) as unknown);
}

const OFF = [[], 'http', 'own'];

describe('setting trust proxy', () => {
  test('false: no proxy is trusted', async () => {
    for (const value of [false, ['203.0.113.1'], () => false])
      assert.deepEqual(await shown(value), [OFF, OFF, OFF]);
  });

  test('true: every hop is trusted', async () => {
    assert.deepEqual((await shown(true))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
  });

  test('number: that many hops are trusted', async () => {
    assert.deepEqual(await shown(0), [OFF, OFF, OFF]);
    assert.deepEqual((await shown(1))[1], [['10.0.0.1'], 'https', 'front']);
    assert.deepEqual((await shown(2))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
  });

  test('text, list: addresses and ranges are trusted', async () => {
    for (const value of ['127.0.0.1, 10.0.0.0/8', ['127.0.0.0/255.0.0.0', '10.0.0.1']]) {
      assert.deepEqual((await shown(value))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
    }
    assert.deepEqual(await shown('10.0.0.0/8'), [OFF, OFF, OFF]);
  });

  test('loopback, linklocal, uniquelocal: are names of trusted ranges', async () => {
    assert.deepEqual((await shown('loopback'))[2], [['10.0.0.1'], 'https', 'front']);
    assert.deepEqual((await shown('loopback, uniquelocal'))[2], [['10.0.0.2', '10.0.0.1'], 'https', 'front']);
    assert.deepEqual((await shown('linklocal'))[2], OFF);
  });

  test('function: gets the address and the hop', async () => {
    const own = (address: string, hop: number) => hop === 0 || address === '10.0.0.1';
    assert.deepEqual((await shown(own))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
    const app = frameworks.ristretto();
    app.set('trust proxy', own);
    assert.equal(app.get('trust proxy fn'), own);
  });

  test('errors: are TypeErrors, as in Express', () => {
    const values = [
      'bogus',
      'loopback, x',
      '',
      ...words('toString 10.0.0.0/33 10.0.0.0/ ::1/0 ::1/129'),
      ['10.0.0.0 '],
      {},
      new Date(),
    ];
    for (const value of values) {
      const [ours, theirs] = Object.values(frameworks).map(web => {
        try {
          return web().set('trust proxy', value as string);
        } catch (error) {
          return String(error);
        }
      });
      assert.match(String(ours), /^TypeError: (invalid|unsupported)/);
      assert.equal(ours, theirs);
    }
  });
});
