// runs: slow, each
/** `web.static`: other spellings of a path, and random requests. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isCanonical } from '@ristretto/private-engine/lib/static/resolve';
import type { ErrorRequestHandler } from 'express';
import fc from 'fast-check';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { ask, askPort, withServer } from '../support/http.js';
import type { Answer, Ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { Random, words } from '../support/random.js';
import { serving } from '../support/static.js';
import { root } from '../support/tree.js';

const ours = frameworks.ristretto;

/** Asserts where each request is redirected to, and what is served there. */
async function assertRedirects(
  app: ReturnType<Web>,
  expected: Record<string, [location: string, text: string]>,
): Promise<void> {
  await withServer(app, async port => {
    for (const [path, [location, text]] of Object.entries(expected)) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await askPort(port, { method, path });
        assert.deepEqual([answer.status, answer.headers.location], [301, location], path);
        assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
        assert.equal(answer.headers.etag, undefined);
        if (method === 'GET') assert.ok(answer.text.includes('<pre>Redirecting to /'), path);
        else assert.equal(answer.body.length, 0);
      }
      assert.equal((await askPort(port, location)).text, text, location);
    }
  });
}

/** Other spellings of a path: they redirect to the canonical path if there is a file, and never anywhere else. */
describe('web.static', () => {
  test('spellings: redirect to the canonical path of an existing file, with query and mount path', async () => {
    await assertRedirects(serving()(ours), {
      '//todo.txt': ['/todo.txt', '- groceries'],
      '///todo.txt?a=//b&%2e%2e': ['/todo.txt?a=//b&%2e%2e', '- groceries'],
      '/%74odo.txt': ['/todo.txt', '- groceries'],
      '/%74%6F%64%6f%2etxt': ['/todo.txt', '- groceries'],
      '/./todo.txt': ['/todo.txt', '- groceries'],
      '/%2e/todo.txt?': ['/todo.txt?', '- groceries'],
      '/todo.txt/.': ['/todo.txt', '- groceries'],
      '//a%20b.html': ['/a%20b.html', '<p>space</p>'],
      '//100%25.txt': ['/100%25.txt', 'percent'],
      '//it%27s(1)%21.txt': ['/it%27s(1)%21.txt', 'quotes'],
      '/nested//': ['/nested/', '<p>index</p>'],
      '/nested/.//?x': ['/nested/?x', '<p>index</p>'],
      '/nested/./index.html': ['/nested/index.html', '<p>index</p>'],
      '//nested': ['/nested/', '<p>index</p>'],
      '/n%65sted': ['/nested/', '<p>index</p>'],
      '/nested/.': ['/nested/', '<p>index</p>'],
      'http://elsewhere//todo.txt': ['/todo.txt', '- groceries'],
      '//todo.txt#x': ['/todo.txt#x', '- groceries'],
    });
    await assertRedirects(serving({ extensions: ['html'] })(ours), {
      '//page': ['/page', '<p>page</p>'],
      '/%70age?x': ['/page?x', '<p>page</p>'],
    });
    await assertRedirects(serving({ index: ['index.htm'] }, '/files')(ours), {
      '/files//todo.txt': ['/files/todo.txt', '- groceries'],
      '/files/%74odo.txt?a': ['/files/todo.txt?a', '- groceries'],
      '/files//': ['/files/', '<p>index of the root</p>'],
      '/files/.': ['/files/', '<p>index of the root</p>'],
      '/FILES//todo.txt': ['/FILES/todo.txt', '- groceries'],
    });
  });

  test('spellings: a target without a slash at its start is redirected to a path that has one', async () => {
    const everywhere = ours().use(/[^]*/, ours.static(`${root}/nested`));
    await assertRedirects(everywhere, { '*': ['/*/', '<p>index</p>'], '*x?a': ['/*x/?a', '<p>index</p>'] });
  });

  test('spellings: are passed on for a missing file, and for other methods', async () => {
    const paths = ['//nope', '/%6eope', '/./nope.txt', '//users/', '/nested//nope', '//'];
    for (const answer of await sameEach(serving(), paths)) assert.match(answer.text, /^passed on/);
    for (const answer of await sameEach(serving({ fallthrough: false }), paths))
      assert.equal(answer.status, 404);
    const post: Ask = { method: 'POST', path: '//todo.txt' };
    assert.equal((await ask(serving()(ours), post)).text, 'passed on: POST //todo.txt');
    assert.equal((await ask(serving({ fallthrough: false })(ours), post)).status, 405);
  });

  test('GHSA-8pvw-jcv7-9cmj: spellings call next() or send 404 if redirect is false', async () => {
    const paths = ['//todo.txt', '/%74odo.txt', '/./todo.txt', '/nested//', '//nested'];
    paths.push('/nested/./index.html', '/nested/../todo.txt');
    for (const path of paths) {
      const passed = await ask(serving({ redirect: false })(ours), path);
      assert.equal(passed.text, `passed on: GET ${path}`);
      const refused = await ask(serving({ redirect: false, fallthrough: false })(ours), path);
      assert.equal(refused.status, 404, path);
    }
  });

  test('spellings: .., hidden names, backslashes, and encoded separators and null bytes are not redirected', async () => {
    const refused = {
      '/nested/../todo.txt': 404,
      '//nested/%2e%2e/todo.txt': 404,
      '/nested/.%2E/todo.txt': 404,
      '//../todo.txt': 403,
      '/nested%2findex.html': 404,
      '//nested%2Findex.html': 404,
      '//nested\\index.html': 404,
      '/%6eested%5cindex.html': 404,
      '//todo.txt%00': 400,
      '//.dir/file.txt': 404,
      '/%2edir/file.txt': 404,
      '/.dir/%66ile.txt': 404,
      '//.hidden': 404,
    };
    for (const [path, status] of Object.entries(refused)) {
      for (const dotfiles of [undefined, 'allow']) {
        const answer = await ask(serving({ fallthrough: false, dotfiles })(ours), path);
        assert.deepEqual([answer.status, answer.headers.location], [status, undefined], path);
      }
    }
  });

  test('spellings: a rewritten URL does not redirect in a loop, or to an unknown path', async () => {
    const rewriting = (rewrite: (url: string) => string): ReturnType<Web> => {
      const app = ours();
      app.use((req, _res, next) => {
        req.url = rewrite(req.url);
        next();
      });
      app.use(web.static(root) as never);
      return app.use((_req, res) => void res.end('passed on'));
    };
    const doubling = rewriting(url => '/' + url);
    assert.equal((await ask(doubling, '/todo.txt')).text, 'passed on');
    assert.equal((await ask(doubling, '//todo.txt')).headers.location, '/todo.txt');
    const other = rewriting(url => url.replace('alias', '/todo.txt'));
    for (const path of ['/alias', '//alias', '/./alias'])
      assert.equal((await ask(other, path)).text, 'passed on', path);
    const versioned = rewriting(url => url.replace('/v1', ''));
    await assertRedirects(versioned, { '/v1//todo.txt': ['/v1/todo.txt', '- groceries'] });
  });

  test('spellings: the redirect is an error if the response has begun', async () => {
    const app = ours();
    app.use((_req, res, next) => {
      res.write('begun');
      next();
    });
    app.use(web.static(root) as never);
    const seen: unknown[] = [];
    app.use(((error, _req, res, _next) => {
      seen.push(error.message);
      res.end();
    }) as ErrorRequestHandler);
    assert.equal((await ask(app, '//todo.txt')).text, 'begun');
    assert.deepEqual(seen, ["Can't set headers after they are sent."]);
  });

  test('spellings: generated ones redirect to what Express serves, in one step and on the same site', async () => {
    const files = words('todo.txt nested nested/ nested/index.html users/tobi.txt a%20b.html nope');
    const odd = ['.', '', ...words('%2e nested/.. .. users/%2e%2e .dir/%2e%2e ..\\nested %5c %00')];
    const spelled = (text: string, at: number): string =>
      /[^%/]/.test(text[at] ?? '/') && !text.includes('%')
        ? `${text.slice(0, at)}%${text.charCodeAt(at).toString(16)}${text.slice(at + 1)}`
        : text;
    const path = fc
      .record({
        file: fc.constantFrom(...files),
        letter: fc.option(fc.nat(7)),
        before: fc.array(fc.constantFrom(...odd), { maxLength: 2 }),
        slash: fc.constantFrom('/', '/', '/', '//', '/./', '%2f'),
        after: fc.constantFrom('', '', '', '/', '/.', '//', '/./'),
      })
      .map(({ file, letter, before, slash, after }) => {
        const name = (letter === null ? file : spelled(file, letter)).replace('/', slash);
        return `/${[...before, name].join('/')}${after}`;
      });
    const seen = { served: 0, redirected: 0, refused: 0 };
    await withServer(serving()(ours), port =>
      withServer(serving()(frameworks.express), async theirs => {
        await fc.assert(
          fc.asyncProperty(path, async path => {
            const answer = await askPort(port, path);
            const reference = await follow(theirs, await askPort(theirs, path));
            if (answer.status === 301) {
              const { location = '' } = answer.headers;
              seen.redirected++;
              assert.match(location, /^\/(?![/\\])/);
              if (!/\.\.|%2e%2e|%2f|%5c|\\|\.dir/i.test(location)) {
                assert.ok(isCanonical(location), location);
                const target = await askPort(port, location);
                assert.notEqual(target.status, 301, location);
                assert.equal(outcome(target), outcome(reference));
              }
            } else if (answer.status === 200 && !answer.text.startsWith('passed on')) {
              seen.served++;
              assert.ok(isCanonical(path), path);
              assert.equal(outcome(answer), outcome(reference));
            } else if (outcome(reference) !== outcome(answer)) {
              seen.refused++;
              assert.match(path, /\.\.|%2e%2e|%2f|%5c|\\|\.dir/i);
            }
          }),
          { seed: 12, numRuns: 600 },
        );
      }),
    );
    for (const count of Object.values(seen)) assert.ok(count > 10, JSON.stringify(seen));
  });
});

/** Follows redirects, as a client of the oracle would, and returns the last response. */
async function follow(port: number, answer: Answer): Promise<Answer> {
  let last = answer;
  for (let step = 0; step < 3 && last.status === 301; step++)
    last = await askPort(port, last.headers.location!);
  return last;
}

/**
 * Describes what is served, or that the request was passed on. The text of a request passed on is ignored: it includes
 * the URL, which may differ.
 */
function outcome({ status, text, headers }: Answer): string {
  return text.startsWith('passed on') ? 'passed on' : `${status} ${headers.etag ?? ''} ${text}`;
}

const PATHS = words(`
  /todo.txt /empty.txt /noext /page /page.html /a%20b.html /100%25.txt /nested /nested/ /users /users/
  /users/tobi /.hidden /.dir/file.txt /nope /% /../x /piece.bin /big.bin / /snow%20%E2%98%83 /data.json?x
  /like.txt /todo.txt/ /todo.txt?a=b&%
`);

const TAGS = [
  ...words('W/"b-174876e81f4" "b-174876e81f4" * "x" W/"6-174876e81f4"'),
  '"x", W/"b-174876e81f4"',
  '',
];

const DATES = [
  'Sun, 13 Sep 2020 12:26:40 GMT',
  'Sun, 13 Sep 2020 12:26:39 GMT',
  'Mon, 14 Sep 2020 12:26:40 GMT',
  'x',
  '',
];

const RANGES = [
  ...words(`
    bytes=0-0 bytes=1-3 bytes=-4 bytes=2- bytes=0-1,1-2 bytes=0-1,4-5 bytes=99- bytes=x x=0-1 bytes=0-65535
    bytes=65536-200000 bytes=9-1
  `),
  '',
];

const FIELDS: Record<string, readonly string[]> = {
  'If-None-Match': TAGS,
  'If-Match': TAGS,
  'If-Range': [...TAGS, ...DATES],
  'If-Modified-Since': DATES,
  'If-Unmodified-Since': DATES,
  Range: RANGES,
  'Cache-Control': ['no-cache', 'max-age=0'],
};

function randomAsk(random: Random): Ask {
  const headers: Record<string, string> = {};
  const fields = random.pick([0, 0, 1, 1, 2, 3]);
  for (let count = 0; count < fields; count++) {
    const name = random.pick(Object.keys(FIELDS));
    headers[name] = random.pick(FIELDS[name]!);
  }
  return { method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']), path: random.pick(PATHS), headers };
}

const POLICIES: object[] = [
  {},
  {
    fallthrough: false,
    dotfiles: 'deny',
    extensions: ['html', 'txt'],
    index: ['nope', 'index.htm', 'index.html'],
  },
  { etag: false, maxAge: '1h', immutable: true, dotfiles: 'allow', redirect: false },
  { lastModified: false, cacheControl: false, index: false, start: 1, end: 70000, extensions: ['htm'] },
];

/** Sends the same random requests for files to both frameworks; a seed makes them repeatable. */
describe('web.static', () => {
  POLICIES.forEach((policy, seed) => {
    test(`random requests: get the same responses as in Express with ${JSON.stringify(policy)}`, async () => {
      const random = new Random(seed + 1);
      await sameEach(
        serving(policy),
        Array.from({ length: 120 }, () => randomAsk(random)),
      );
    });
  });
});
