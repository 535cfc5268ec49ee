/** Settings for responses. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { stringify } from '@ristretto/private-engine/lib/protocol/json';
import web from 'ristretto';
import { answering, sameEach } from '../support/compare.js';
import { ask, askPort, withServer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import { root } from '../support/tree.js';

const BODIES = [
  '',
  'a',
  'é',
  'x'.repeat(2000),
  { a: 1 },
  null,
  Buffer.from('abc'),
  Buffer.alloc(0),
  undefined,
];
const PATHS = BODIES.map((_body, at) => `/${at}`);

describe('setting etag', () => {
  const using = (etag: unknown) =>
    answering((req, res) => res.send(BODIES[Number(req.url.slice(1))]), { etag });

  test('default: is weak', async () => {
    const answer = await same(answering((_req, res) => res.send('x')));
    assert.match(answer.headers.etag!, /^W\/"/);
    assert.equal(web().get('etag'), 'weak');
  });

  test('true, weak: generate weak ETags', async () => {
    for (const value of [true, 'weak']) {
      const answers = await sameEach(using(value), PATHS);
      assert.equal(answers[1]?.headers.etag, 'W/"1-hvfkN/qlp/zhXR3cuerq6jd2Z7g"');
    }
  });

  test('strong: generates strong ETags', async () => {
    const answers = await sameEach(using('strong'), PATHS);
    assert.equal(answers[1]?.headers.etag, '"1-hvfkN/qlp/zhXR3cuerq6jd2Z7g"');
  });

  test('false: sends no ETag', async () => {
    for (const answer of await sameEach(using(false), PATHS)) assert.equal(answer.headers.etag, undefined);
  });

  test('function: gets the body as a Buffer and returns the ETag', async () => {
    const seen: unknown[] = [];
    const answers = await sameEach(
      using((body: unknown, encoding: unknown) => {
        seen.push([Buffer.isBuffer(body), String(body), encoding]);
        return `"${(body as Buffer).length}"`;
      }),
      PATHS,
    );
    assert.equal(answers[2]?.headers.etag, '"2"');
    assert.deepEqual(seen.slice(0, seen.length / 2), seen.slice(seen.length / 2));
  });

  test('function: undefined, null and empty text omit the ETag, other values become text', async () => {
    for (const tag of [undefined, null, '', 0, 5])
      await same(
        using(() => tag),
        '/1',
      );
  });

  test('web.static: ignores it', async () => {
    for (const etag of [false, 'strong', () => '"own"']) {
      const answer = await same(
        web =>
          web()
            .set('etag', etag as 'strong')
            .use(web.static(root)),
        '/todo.txt',
      );
      assert.equal(answer.headers.etag, 'W/"b-174876e81f4"');
    }
  });

  test('another value: throws a TypeError', () => {
    for (const value of ['other', 5, null]) {
      const errors = Object.values(frameworks).map(framework => {
        try {
          framework().set('etag', value as never);
        } catch (err) {
          return err as Error;
        }
        return undefined;
      });
      assert.ok(errors[0] instanceof TypeError);
      assert.equal(errors[0].message, `unknown value for etag function: ${String(value)}`);
      assert.equal(errors[0].message, errors[1]?.message);
    }
  });

  test('sub-app: does not inherit it', async () => {
    await same(web => {
      const app = web();
      const sub = web();
      app.set('etag', 'strong');
      sub.get('/', (_req, res) => res.send('x'));
      return app.use('/sub', sub);
    }, '/sub');
  });
});

describe('setting json escape', () => {
  const body = { '&': '</script><script>', n: 1 };

  test('default: nothing is escaped', async () => {
    const answer = await same(answering((_req, res) => res.json(body)));
    assert.equal(answer.text, JSON.stringify(body));
  });

  test('true: < > & are escaped', async () => {
    const answer = await same(answering((_req, res) => res.json(body), { 'json escape': true }));
    assert.equal(answer.text, '{"\\u0026":"\\u003c/script\\u003e\\u003cscript\\u003e","n":1}');
    assert.deepEqual(JSON.parse(answer.text), body);
  });

  test('true: works with spaces, a replacer, and values that JSON cannot express', async () => {
    await same(answering((_req, res) => res.json(body), { 'json escape': true, 'json spaces': 1 }));
    await same(answering((_req, res) => res.json(body), { 'json escape': true, 'json replacer': ['&'] }));
    await same(answering((_req, res) => res.json(undefined), { 'json escape': true }));
    assert.equal(stringify(undefined, undefined, undefined, true), undefined);
  });
});

describe('setting json replacer', () => {
  const body = { name: 'tobi', _id: 12345, nested: { _id: 1, name: 'x' } };
  const using = (replacer: unknown) =>
    answering((_req, res) => res.json(body), { 'json replacer': replacer });

  test('default: no replacer is used', async () => {
    await same(using(undefined));
    await same(using(null));
  });

  test('function: is called for each property', async () => {
    await same(using((key: string, value: unknown) => (key.startsWith('_') ? undefined : value)));
    await same(using(() => undefined));
  });

  test('array: names the properties that are kept', async () => {
    await same(using(['name', 'nested']));
    await same(using([]));
  });
});

describe('setting json spaces', () => {
  const body = { name: 'tobi', list: [1, { a: [] }] };
  const using = (spaces?: unknown) => answering((_req, res) => res.json(body), { 'json spaces': spaces });

  test('default: is undefined, and no spaces are added', async () => {
    const answer = await same(
      answering((req, res) => {
        assert.equal(req.app.get('json spaces'), undefined);
        res.json(body);
      }),
    );
    assert.equal(answer.text, JSON.stringify(body));
  });

  test('number: is the number of spaces for each level', async () => {
    for (const spaces of [0, 1, 2, 4, 11, -1, NaN]) await same(using(spaces));
  });

  test('text: is used as the indentation', async () => {
    for (const spaces of ['', '\t', '--', 'x'.repeat(12)]) await same(using(spaces));
  });
});

describe('setting jsonp callback name', () => {
  const using = (name?: unknown) =>
    answering((_req, res) => res.jsonp({ a: 1 }), name === undefined ? {} : { 'jsonp callback name': name });

  test('default: is the name callback', async () => {
    const answers = await sameEach(using(), ['/?callback=f', '/?cb=f']);
    assert.deepEqual(
      answers.map(({ text }) => text.startsWith('/**/')),
      [true, false],
    );
  });

  test('value: is the name of the query parameter', async () => {
    const answers = await sameEach(using('cb'), ['/?callback=f', '/?cb=f']);
    assert.deepEqual(
      answers.map(({ text }) => text.startsWith('/**/')),
      [false, true],
    );
  });

  test('value that objects inherit: is not a callback', async () => {
    await sameEach(using('toString'), ['/', '/?toString=f', '/?__proto__=f']);
    await sameEach(using('__proto__'), ['/', '/?__proto__=f']);
  });
});

const field = async (app: Parameters<typeof ask>[0]): Promise<string | undefined> =>
  (await ask(app)).headers['x-powered-by'];

describe('setting x-powered-by', () => {
  test('default: is enabled, and the header is Ristretto', async () => {
    assert.equal(web().enabled('x-powered-by'), true);
    assert.equal(await field(web().use((_req, res) => void res.send('x'))), 'Ristretto');
  });
  test('disabled: omits the header', async () => {
    const answer = await same(framework =>
      framework()
        .disable('x-powered-by')
        .use((_req, res) => void res.send('x')),
    );
    assert.equal(answer.headers['x-powered-by'], undefined);
  });
  test('changed later: takes effect from the next request on', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework().use((_req, res) => void res.send('x'));
      await withServer(app, async port => {
        assert.ok((await askPort(port)).headers['x-powered-by']);
        app.disable('x-powered-by');
        assert.equal((await askPort(port)).headers['x-powered-by'], undefined);
        app.enable('x-powered-by');
        assert.ok((await askPort(port)).headers['x-powered-by']);
      });
    }
  });
  test('removed: a handler can remove or replace it', async () => {
    const app = web().use((_req, res) => {
      res.removeHeader('X-Powered-By');
      res.send('x');
    });
    assert.equal(await field(app), undefined);
    assert.equal(
      await field(web().use((_req, res) => void res.set('X-Powered-By', 'Mine').send('x'))),
      'Mine',
    );
  });
  test('sub-app: does not inherit it, and sets the header itself', async () => {
    for (const framework of Object.values(frameworks)) {
      const answer = framework().use((_req, res) => void res.send('x'));
      assert.ok(await field(framework().disable('x-powered-by').use(answer)));
      assert.ok(
        await field(
          framework().use(
            framework()
              .disable('x-powered-by')
              .use((_req, res) => void res.send('x')),
          ),
        ),
      );
    }
  });
  test('first field: is sent before all others', () =>
    same(framework => framework().use((_req, res) => void res.set('A', 'b').send('x'))));
  test('migration.md: its line restores the name of Express, for responses, errors and 404', async () => {
    const page = fs.readFileSync(path.join(__dirname, '../../../../docs/migration.md'), 'utf8');
    const [, line = ''] = /^ +`(app\.use\(.*X-Powered-By.*)`$/m.exec(page) ?? [];
    const app = web().set('env', 'test');
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- what the page says
    new Function('app', line)(app);
    app.get('/', (_req, res) => void res.send('x'));
    app.get('/fails', () => {
      throw new Error('failed');
    });
    for (const target of ['/', '/fails', '/none'])
      assert.equal((await ask(app, target)).headers['x-powered-by'], 'Express', target);
  });
});
