/** Headers of responses: `res.set`, `get`, `append`, `type`, `vary`, `links`, `location`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, returning, sameEach, sameNotices } from '../../support/compare.js';
import { ask } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';
import { words } from '../../support/random.js';

/** `res.set` and its other name, `res.header`: set headers from a name and value or from an object, and reject invalid ones. */
for (const name of ['set', 'header'] as const) {
  describe(`res.${name}`, () => {
    test('field, value: sets a header and returns the response', async () => {
      await same(returning(res => res[name]('X-A', 'one')));
      const answer = await same(
        answering((_req, res) => void res[name]('X-A', 'one')[name]('x-a', 'two').end()),
      );
      assert.equal(answer.headers['x-a'], 'two');
    });

    test('value: is converted to a string', async () => {
      for (const value of [5, true, null, undefined, { a: 1 }, '', new Date(0), 10n]) {
        await same(answering((_req, res) => loose(res)[name]!('X-A', value).end()));
      }
    });

    test('array: sends the header several times', async () => {
      const answer = await same(
        answering((_req, res) => void loose(res)[name]!('X-A', ['a', 2, null]).end()),
      );
      assert.equal(answer.rawHeaders.filter(([field]) => field === 'X-A').length, 3);
      await same(answering((_req, res) => void res[name]('X-A', []).end()));
    });

    test('object: sets every property, inherited ones too', async () => {
      const fields = Object.assign(Object.create({ 'X-Inherited': 'i' }) as object, {
        'X-A': 'a',
        'X-B': ['b', 'c'],
      });
      await same(answering((_req, res) => void res[name](fields).end()));
      await same(answering((_req, res) => void res[name]({ 'content-type': 'text/plain' }).end()));
      for (const nothing of [{}, null, undefined, 5]) {
        await same(answering((_req, res) => void loose(res)[name]!(nothing).end()));
      }
    });

    test('field alone: is treated as an object', async () => {
      await same(answering((_req, res) => void loose(res)[name]!('X').end()));
    });

    test('Content-Type: adds a charset to text types that have none', async () => {
      const types = [
        'text/html',
        'text/html; charset=latin1',
        'text/html;charset=x',
        'text/html; Charset=x',
        'text/html; level=1',
        ...words(`
          text/x-unknown TEXT/HTML application/json application/javascript application/json5 application/xml
          image/png
        `),
        'text/plain;   charset  = x',
        '',
        'x',
      ];
      const build = answering(
        (req, res) => void res[name]('CONTENT-type', types[Number(req.url.slice(1))]).end(),
      );
      await sameEach(
        build,
        types.map((_type, at) => `/${at}`),
      );
    });

    test('Content-Type: an array throws a TypeError', async () => {
      const answer = await same(
        answering((_req, res) => void res[name]('Content-Type', ['text/html']).end()),
      );
      assert.equal(answer.text.startsWith('TypeError: Content-Type cannot be set to an Array'), true);
    });

    test('line breaks and invalid names: throw a TypeError', async () => {
      for (const value of ['a\r\nX: y', 'a\nb', 'a\rb', '\u0000', '\u0100']) {
        const answer = await same(answering((_req, res) => void res[name]('X-A', value).end()));
        assert.match(answer.text, /^TypeError: Invalid character in header content/);
      }
      for (const field of ['a b', 'a:', '', 'ä']) {
        const answer = await same(answering((_req, res) => void res[name](field, 'x').end()));
        assert.match(answer.text, /^TypeError: Header name must be a valid HTTP token/);
      }
    });

    test('__proto__: has no effect as a name', async () => {
      const fields = JSON.parse('{"__proto__": "x"}') as object;
      await same(answering((_req, res) => void res[name](fields).end()));
      assert.equal(({} as Record<string, unknown>).x, undefined);
    });
  });
}

describe('res.get', () => {
  test('field: returns the value, whatever the case of the name', async () => {
    await same(
      answering((_req, res) => {
        res.set('X-One', '1').set('X-Many', ['a', 'b']);
        res.setHeader('X-Number', 5);
        res.json([
          res.get('x-one'),
          res.get('X-ONE'),
          res.get('X-Many'),
          res.get('X-Number'),
          typeof res.get('none'),
        ]);
      }),
    );
  });

  test('field missing: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => loose(res).get!()));
    assert.match(answer.text, /^TypeError: The "name" argument must be of type string/);
  });
});

describe('res.append', () => {
  test('field absent: creates the field', async () => {
    for (const value of ['a', ['a', 'b'], [], undefined, null, 5, '']) {
      await same(answering((_req, res) => void loose(res).append!('X-A', value).end()));
    }
    await same(answering((_req, res) => void res.append('X-A').end()));
  });

  test('field present: appends text or an array to text or an array', async () => {
    for (const first of ['a', ['a', 'b']]) {
      for (const second of ['c', ['c', 'd'], undefined, []]) {
        await same(
          answering(
            (_req, res) => void res.append('X-A', first).append('X-A', second).append('x-a', 'e').end(),
          ),
        );
      }
    }
  });

  test('res.set: replaces what was added before', async () => {
    const answer = await same(
      answering((_req, res) => void res.append('X-A', 'a').append('X-A', 'b').set('X-A', 'c').end()),
    );
    assert.equal(answer.rawHeaders.filter(([name]) => name === 'X-A').length, 1);
  });

  test('Content-Type: adding a second one throws a TypeError', async () => {
    await same(answering((_req, res) => void res.append('Content-Type', 'text/html').end()));
    const answer = await same(
      answering(
        (_req, res) => void res.append('Content-Type', 'text/html').append('Content-Type', 'a/b').end(),
      ),
    );
    assert.match(answer.text, /^TypeError: Content-Type cannot be set to an Array/);
  });

  test('cookies: an appended Set-Cookie is a separate header, like those of res.cookie', async () => {
    await same(
      answering((_req, res) => void res.cookie('a', '1').append('Set-Cookie', 'b=2').cookie('c', '3').end()),
    );
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.append('X-A', 'a')));
  });
});

/** `res.type` and its other name, `res.contentType`: set `Content-Type` by extension or media type. */
for (const method of ['type', 'contentType'] as const) {
  const asked = answering((req, res) => void res[method](decodeURIComponent(req.url.slice(1))).end());

  describe(`res.${method}`, () => {
    test('extension: is looked up as a media type', async () => {
      const names = words('json html txt js mjs css png svg xml bin wasm md ts ttf ico');
      const answers = await sameEach(
        asked,
        names.flatMap(name => [`/${name}`, `/.${name}`, `/file.${name}`, `/${name.toUpperCase()}`]),
      );
      assert.equal(answers[0]?.headers['content-type'], 'application/json; charset=utf-8');
    });

    test('extension unknown: sets application/octet-stream', async () => {
      const [answer] = await sameEach(asked, ['/nosuchtype', '/', '/toString', '/__proto__']);
      assert.equal(answer?.headers['content-type'], 'application/octet-stream');
    });

    test('type with a slash: is used as it is', async () => {
      await sameEach(
        asked,
        ['image/png', 'text/html', 'application/json; charset=x', 'a/b/c', '/'].map(
          type => `/${encodeURIComponent(type)}`,
        ),
      );
    });

    test('type missing: throws a TypeError', async () => {
      for (const framework of Object.values(frameworks)) {
        const answer = await ask(answering((_req, res) => void loose(res)[method]!().end())(framework));
        assert.match(answer.text, /^TypeError: Cannot read properties of undefined/);
      }
    });

    test('returns: returns the response', async () => {
      await same(returning(res => res[method]('html')));
    });
  });
}

const varying = (...fields: unknown[]) =>
  answering((_req, res) => {
    for (const field of fields) loose(res).vary!(field);
    res.end();
  });

describe('res.vary', () => {
  test('field: is added once, in its first spelling', async () => {
    const answer = await same(varying('Accept', 'Origin', 'accept', 'ORIGIN', 'Accept-Encoding'));
    assert.equal(answer.headers.vary, 'Accept, Origin, Accept-Encoding');
  });

  test('field: may be several in one text or in an array', async () => {
    await same(varying('Accept,Origin ,  Host', ['accept', 'Cookie']));
    await same(varying(['A', 'a', 'B']));
  });

  test('*: replaces all others', async () => {
    for (const fields of [['*'], ['A', '*'], ['*', 'A'], ['A, *'], [['A', '*', 'B']], ['*', '*']]) {
      const answer = await same(varying(...fields));
      assert.equal(answer.headers.vary, '*');
    }
  });

  test('header that is set: may be text or an array', async () => {
    for (const header of ['Accept', ['Accept', 'Host'], '', ' A ,B', 'A, *', 'a  b']) {
      await same(answering((_req, res) => void res.set('Vary', header).vary('accept').vary('X').end()));
    }
  });

  test('invalid name: throws a TypeError', async () => {
    for (const field of ['a b', 'a,,b', 'a:', 'ä', ',', ' ', ['a,b'], [''], 'a\r\nb', 'a,']) {
      const answer = await same(varying(field));
      assert.match(answer.text, /^TypeError: field argument contains an invalid header name/);
    }
  });

  test('field missing: is deprecated, and nothing is set', async () => {
    const notices = await sameNotices(answering((_req, res) => void loose(res).vary!().end()));
    assert.deepEqual(notices, ['res.vary(): Provide a field name']);
    for (const nothing of [undefined, null, '', []]) await same(varying(nothing));
  });

  test('field: random lists give the same header as Express', async () => {
    const name = fc.constantFrom('Accept', 'accept', 'Origin', 'X-A', ' x-a ', '*', '', 'b c');
    const lists = fc.sample(fc.array(fc.array(name, { maxLength: 3 }), { maxLength: 4 }), {
      seed: 5,
      numRuns: 60,
    });
    await sameEach(
      answering((req, res) => {
        for (const fields of lists[Number(req.url.slice(1))] ?? []) {
          if (fields.length > 0) res.vary(fields.length % 2 === 0 ? fields : fields.join(','));
        }
        res.end();
      }),
      lists.map((_list, at) => `/${at}`),
    );
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.vary('A')));
  });
});

describe('res.links', () => {
  test('links: are sent as <url>; rel="name"', async () => {
    const answer = await same(
      answering((_req, res) => void res.links({ next: '/?page=2', last: '/?page=5' }).end()),
    );
    assert.equal(answer.headers.link, '</?page=2>; rel="next", </?page=5>; rel="last"');
  });

  test('links: are added to existing ones', async () => {
    await same(answering((_req, res) => void res.links({ a: '/a' }).links({ b: '/b' }).links({}).end()));
    await same(answering((_req, res) => void res.set('Link', ['</x>', '</y>']).links({ b: '/b' }).end()));
  });

  test('links empty: sets an empty header', async () => {
    await same(answering((_req, res) => void res.links({}).end()));
    await same(answering((_req, res) => void loose(res).links!({ a: undefined }).end()));
  });

  test('links missing: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => void loose(res).links!().end()));
    assert.match(answer.text, /^TypeError: Cannot convert undefined or null to object/);
  });

  test('line break in a URL: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => void res.links({ a: '/\r\nX: y' }).end()));
    assert.match(answer.text, /^TypeError: Invalid character in header content/);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.links({ a: '/' })));
  });
});

const to = (url: unknown) => answering((_req, res) => void loose(res).location!(url).end());

describe('res.location', () => {
  test('path: is encoded unless it already is', async () => {
    const urls = [
      'http://google.com/',
      '/foo/bar',
      '../x',
      '',
      '/a b',
      '/%20%',
      '/%zz',
      'https://google.com?q=\u2603 §10',
      'https://google.com?q=%A710',
      '/é/"<>^`{|}\\[]',
      '/\ud800x',
      'http://user:pass@host:80/p?q#f',
    ];
    for (const url of urls) await same(to(url));
  });

  test('path: random text is encoded as in Express', async () => {
    const urls = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { seed: 21, numRuns: 80 });
    await sameEach(
      answering((req, res) => void res.location(urls[Number(req.url.slice(1))]!).end()),
      urls.map((_url, at) => `/${at}`),
    );
  });

  test('path that is not a string: is converted to a string', async () => {
    for (const url of [undefined, null, 5, new URL('http://a.b/c d'), Symbol('s')]) await same(to(url));
  });

  test('CVE-2024-29041: encoding does not change the host', async () => {
    const answer = await same(to('http://google.com\\@apple.com'));
    assert.equal(answer.headers.location, 'http://google.com\\@apple.com');
    const urls = words(`
      http://ap\\ple.com http:\\\\a.com https://a.com\\b.com/c http://a.com%5C@b.com //a\\b http://ä.com
    `);
    for (const url of urls) {
      const { headers } = await same(to(url));
      assert.equal(new URL(headers.location!, 'http://x').host, new URL(url, 'http://x').host);
    }
  });

  test('CR LF: is encoded, so no header can be added', async () => {
    const answer = await same(to('/\r\nSet-Cookie: a=b'));
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  test('back: uses the Referer, or /', async () => {
    const build = answering((_req, res) => void res.location('back').end());
    const answers = await sameEach(build, [
      '/',
      { headers: { Referer: '/from' } },
      { headers: { Referrer: '/from' } },
      { headers: { Referer: 'http://a.b/c?d=e f' } },
      { headers: { Referer: '' } },
    ]);
    assert.deepEqual(
      answers.map(({ headers }) => headers.location),
      ['/', '/from', '/from', 'http://a.b/c?d=e%20f', '/'],
    );
  });

  test('back: is deprecated', async () => {
    const notices = await sameNotices(answering((_req, res) => void res.location('back').end()));
    assert.equal(notices.length, 1);
    assert.match(
      notices[0]!,
      /^res\.location\("back"\): use res\.location\(req\.get\("Referrer"\) \|\| "\/"\)/,
    );
  });

  test('CVE-2025-54420: back never leads to //host', async () => {
    for (const referer of words('//evil.example /\\evil.example \\\\evil.example \\/evil.example ///evil')) {
      const build = answering((_req, res) => void res.location('back').end());
      const answer = await ask(build(frameworks.ristretto), { headers: { Referer: referer } });
      assert.equal(answer.headers.location, '/');
    }
    const own = await same(
      answering((_req, res) => void res.location('back').end()),
      {
        headers: { Referer: 'http://127.0.0.1//evil.example' },
      },
    );
    assert.equal(own.headers.location, 'http://127.0.0.1//evil.example');
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.location('/')));
  });
});
