/** `res.json`, `res.jsonp` and `res.format`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import web from 'ristretto';
import type { ErrorRequestHandler } from 'ristretto';
import web3 from 'ristretto3';
import web5 from 'ristretto5';
import { answering, loose, returning, sameEach, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';
import { words } from '../../support/random.js';
import { until } from '../../support/until.js';

describe('res.json', () => {
  test('body: may be any JSON type', async () => {
    const bodies = [
      { a: 1 },
      [1, [2]],
      'text',
      '',
      5,
      0,
      true,
      false,
      null,
      new Date(0),
      { toJSON: () => 'own' },
    ];
    for (const body of bodies) {
      const answer = await same(answering((_req, res) => res.json(body)));
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.text, JSON.stringify(body));
    }
  });

  test('after a response: the stack of the error has lines of the application', async () => {
    const lines = await same(
      answering((_req, res) => {
        let stack = '';
        const save = (): void => void res.json({ b: 2 });
        const deeper = (): void => {
          save();
        };
        const write = res.end.bind(res);
        res.end = ((text: string) => {
          res.end = write;
          write(text);
          try {
            deeper();
          } catch (error) {
            ({ stack = '' } = error as Error);
          }
          return res;
        }) as never;
        res.json({ a: 1 });
        assert.match(stack, /\bsave \(.*\n.*\bdeeper \(/);
      }),
    );
    assert.equal(lines.text, '{"a":1}');
  });

  test('body that JSON cannot express: sends only the type and no body', async () => {
    for (const body of [undefined, () => 1, Symbol('s')]) {
      const answer = await same(answering((_req, res) => res.json(body)));
      assert.equal(answer.text, '');
    }
    await same(answering((_req, res) => res.json()));
  });

  test('body with a cycle or a bigint: throws a TypeError', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const body of [cycle, { big: 10n }]) {
      assert.match((await same(answering((_req, res) => res.json(body)))).text, /^TypeError: /);
    }
  });

  test('body: random values are sent as in Express', async () => {
    const values = fc.sample(fc.jsonValue({ depthSize: 'small' }), { seed: 11, numRuns: 40 });
    const build = answering((req, res) => res.json(values[Number(req.url.slice(1))]));
    await sameEach(
      build,
      values.map((_value, at) => `/${at}`),
    );
  });

  test('Content-Type: an existing value is kept', async () => {
    const answer = await same(answering((_req, res) => res.type('application/vnd.api+json').json({ a: 1 })));
    assert.equal(answer.headers['content-type'], 'application/vnd.api+json; charset=utf-8');
  });

  test('deprecated res.json(status, obj): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).json!(201, { a: 1 })));
    assert.deepEqual(notices, ['res.json(status, obj): Use res.status(status).json(obj) instead']);
  });

  test('deprecated res.json(obj, status): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).json!({ a: 1 }, 201)));
    assert.deepEqual(notices, ['res.json(obj, status): Use res.status(status).json(obj) instead']);
    await same(answering((_req, res) => loose(res).json!(200, 201)));
  });

  test('members replaced by applications: send gets the serialized text', async () => {
    await same(
      answering((_req, res) => {
        const send = res.send.bind(res);
        res.send = body => send(`seen ${String(body)}`);
        assert.equal(res.json({ a: 1 }), res);
      }),
    );
  });

  test('HEAD and freshness: behave as for send', async () => {
    const build = answering((_req, res) => res.json({ a: 1 }));
    const { headers } = await same(build, { method: 'HEAD' });
    assert.equal((await same(build, { headers: { 'If-None-Match': headers.etag! } })).status, 304);
  });
});

const build = answering((_req, res) => res.jsonp({ a: '<&>', b: [1] }));

describe('res.jsonp', () => {
  test('without a callback: sends JSON with X-Content-Type-Options: nosniff', async () => {
    const answer = await same(build);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  test('with a callback: sends a script that calls it', async () => {
    const answer = await same(build, '/?callback=go');
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.text, `/**/ typeof go === 'function' && go({"a":"<&>","b":[1]});`);
  });

  test('callback: may be repeated, an array, an object, or empty', async () => {
    await sameEach(
      build,
      words(`
        /?callback=a&callback=b /?callback[]=a /?callback[]= /?callback[a]=b /?callback[][]=b /?callback=
        /?callback /?other=x /?callback=a.b[0].$c
      `),
    );
  });

  test('CVE-2014-4671: characters that are invalid in a callback name are removed', async () => {
    const answer = await same(build, '/?callback=alert(1)//%0A%00%3Cscript%3E%7B%7D;x');
    assert.ok(answer.text.startsWith(`/**/ typeof alert1scriptx === 'function' && alert1scriptx(`));
    const names = fc.sample(fc.string({ unit: 'binary', maxLength: 30 }), { seed: 7, numRuns: 60 });
    const answers = await sameEach(
      build,
      names.map(name => `/?callback=${encodeURIComponent(name)}`),
    );
    for (const { text } of answers) assert.match(text, /^(\/\*\*\/ typeof [\w$.[\]]* === |\{)/);
  });

  test('CVE-2014-4671: U+2028 and U+2029 are escaped', async () => {
    const answer = await same(
      answering((_req, res) => res.jsonp({ s: 'a\u2028b\u2029c\u2028' })),
      '/?callback=f',
    );
    assert.ok(answer.text.includes('a\\u2028b\\u2029c\\u2028'));
    await same(answering((_req, res) => res.jsonp({ s: 'a\u2028b' })));
  });

  test('body: may be undefined, null, text or a number', async () => {
    for (const body of [undefined, null, 'text', 5, () => 1]) {
      await sameEach(
        answering((_req, res) => res.jsonp(body)),
        ['/', '/?callback=f'],
      );
    }
  });

  test('Content-Type: an existing value is kept only if there is no callback', async () => {
    const typed = answering((_req, res) => res.type('application/vnd.x+json').jsonp({ a: 1 }));
    const answers = await sameEach(typed, ['/', '/?callback=f']);
    assert.equal(answers[0]?.headers['x-content-type-options'], undefined);
  });

  test('deprecated res.jsonp(status, obj): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).jsonp!(201, { a: 1 })));
    assert.deepEqual(notices, ['res.jsonp(status, obj): Use res.status(status).jsonp(obj) instead']);
  });

  test('deprecated res.jsonp(obj, status): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).jsonp!({ a: 1 }, 201)));
    assert.deepEqual(notices, ['res.jsonp(obj, status): Use res.status(status).jsonp(obj) instead']);
    await same(answering((_req, res) => loose(res).jsonp!(200, 201)));
  });

  test('settings: json replacer, json spaces and json escape apply', async () => {
    for (const settings of [{ 'json escape': true }, { 'json spaces': 2 }, { 'json replacer': ['a'] }]) {
      await sameEach(
        answering((_req, res) => res.jsonp({ a: '<&>', b: 1 }), settings),
        ['/', '/?callback=f'],
      );
    }
  });
});

const formats = answering((_req, res) => {
  res.format({
    'text/plain': () => res.send('plain'),
    html: () => res.send('<p>html</p>'),
    json: () => res.json({ json: true }),
    'application/vnd.x+xml;level=1': () => res.send('level'),
  });
});

const withDefault = answering((_req, res) => {
  res.format({
    default: () => res.status(300).send('default'),
    json: () => res.json({ json: true }),
    'text/html': () => res.send('html'),
  });
});

const accept = (value: string) => ({ headers: { Accept: value } });

describe('res.format', () => {
  test('promise: its rejection reaches the error handlers, or the log after the response', async () => {
    const logged: unknown[] = [];
    for (const create of [web, web5 as unknown as typeof web, web3 as unknown as typeof web]) {
      const app = create();
      app.set('error logger', ({ error }) => logged.push((error as Error).message));
      app.get('/', (_req, res) => {
        res.format({ json: () => Promise.reject(new Error('early')) });
      });
      app.get('/late', (_req, res) => {
        const send = async (): Promise<void> => {
          await new Promise(resolve => res.json(1).on('finish', resolve));
          throw new Error('late');
        };
        res.format({ default: send });
      });
      app.use(((error, _req, res, _next) => res.status(503).send(error.message)) as ErrorRequestHandler);
      const response = await app.inject('/');
      assert.deepEqual([response.status, response.text()], [503, 'early']);
      assert.equal((await app.inject('/late')).status, 200);
    }
    await until(() => logged.length === 3);
    assert.deepEqual(logged, ['late', 'late', 'late']);
  });
  test('no Accept header: calls the first handler', async () => {
    assert.equal((await same(formats)).text, 'plain');
    assert.equal((await same(withDefault)).text, '{"json":true}');
  });

  test('Accept header: selects the handler of the best type and sets Content-Type and Vary', async () => {
    const answer = await same(formats, accept('text/html;q=.5, application/json'));
    assert.equal(answer.text, '{"json":true}');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers.vary, 'Accept');
    await sameEach(
      formats,
      ['text/*', '*/*', 'text/html', 'application/vnd.x+xml', 'a/b, */*;q=.1'].map(accept),
    );
  });

  test('extension names: represent their media types', async () => {
    const build = answering((_req, res) => {
      const show = () => res.send(res.get('Content-Type'));
      res.format({ txt: show, '.html': show, json: show, png: show });
    });
    const answers = await sameEach(
      build,
      ['text/plain', 'application/json', 'image/*', 'text/html'].map(accept),
    );
    assert.deepEqual(
      answers.slice(0, 3).map(({ text }) => text),
      ['text/plain; charset=utf-8', 'application/json; charset=utf-8', 'image/png'],
    );
  });

  test('Accept header: random values select the same handler as Express', async () => {
    const type = fc.constantFrom(
      'text/html',
      'text/plain',
      'application/json',
      'text/*',
      '*/*',
      'image/png',
      'garbage',
    );
    const quality = fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';level=1', '; q=x');
    const one = fc.tuple(type, quality).map(([name, q]) => name + q);
    const lists = fc.sample(fc.array(one, { minLength: 1, maxLength: 4 }), { seed: 9, numRuns: 60 });
    for (const build of [formats, withDefault]) {
      await sameEach(
        build,
        lists.map(list => accept(list.join(', '))),
      );
    }
  });

  test('default: is called when nothing else matches', async () => {
    const answer = await same(withDefault, accept('image/png'));
    assert.equal(answer.text, 'default');
    assert.equal(answer.status, 300);
    await same(
      answering((_req, res) => void res.format({ default: () => res.send('only') })),
      accept('image/png'),
    );
  });

  test('no match and no default: passes a 406 error with the types to next', async () => {
    const answer = await same(formats, accept('image/png'));
    assert.equal(
      answer.text,
      'NotAcceptableError: Not Acceptable ' +
        '["text/plain","text/html","application/json","application/vnd.x+xml"] 406',
    );
    await same(answering((_req, res) => void res.format({})));
  });

  test('handler: gets req, res and next, and its key determines the type', async () => {
    const answer = await same(
      answering((req, res, next) => {
        res.format({
          '.html'(this: unknown, ...given: unknown[]) {
            assert.deepEqual(given, [req, res, req.next]);
            assert.equal(typeof next, 'function');
            res.send('own extension');
          },
        });
      }),
    );
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('Vary: is added to an existing value', async () => {
    await same(answering((_req, res) => void res.vary('Origin').format({ text: () => res.send('x') })));
  });

  test('argument missing, or a handler that is not a function: throws a TypeError', async () => {
    const missing = await same(answering((_req, res) => loose(res).format!()));
    assert.match(missing.text, /^TypeError: Cannot convert undefined or null to object/);
    const none = await same(answering((_req, res) => void res.format({ html: 5 })));
    assert.match(none.text, /^TypeError: obj\[\w+\] is not a function/);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.format({ text: () => 0 })));
  });
});
