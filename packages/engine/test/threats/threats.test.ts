/** Known attacks that concern more than one member; the others are in the files of their members. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Response } from 'express';
import web from 'ristretto';
import { post } from '../support/body-parsers.js';
import { answering } from '../support/compare.js';
import { ask, askPort, withServer } from '../support/http.js';
import { same } from '../support/oracle.js';
import { words } from '../support/random.js';

describe('threats: paths', () => {
  const guarded = (path: string | RegExp | (string | RegExp)[]) => {
    const app = web();
    app.use(path, (_req, res) => void res.status(403).end());
    app.get('/admin/:page', (_req, res) => void res.send('secret'));
    return app as never;
  };
  const spellings = [
    ...words(`
      /admin/x /ADMIN/x /admin/x/ /admin//x /admin/x%2Fy /admin/;x /admin/x;y /admin/%78 /admin%2Fx
      //admin/x /admin;/x /admin;x/x /;/admin/x /%61dmin/x /./admin/x /x/../admin/x /admin%2fx /admin\\x
      /admin%5Cx /admin%00/x
    `),
    '/ admin/x',
    '/admin%20/x',
    '/admin./x',
  ];

  test('CVE-2026-33804: a doubled slash does not bypass a guard', async () => {
    for (const path of ['//admin/x', '/admin//x', '///admin///x', '//admin//x/'])
      assert.notEqual((await ask(guarded('/admin'), path)).text, 'secret', path);
  });

  test('CVE-2026-14198, CVE-2026-33808: %2F, a semicolon or another spelling does not bypass a guard', async () => {
    for (const path of spellings) assert.notEqual((await ask(guarded('/admin'), path)).text, 'secret', path);
  });

  test('CVE-2026-112712: a guard with a trailing slash, in a list or as an expression guards the same paths', async () => {
    for (const guard of [
      '/admin',
      '/admin/',
      ['/other', '/admin/'],
      /^\/admin(?=\/|$)/i,
      [/^\/admin(?=\/|$)/i],
    ]) {
      const statuses = await Promise.all(
        spellings.map(async path => (await ask(guarded(guard), path)).status),
      );
      assert.deepEqual(
        statuses,
        await Promise.all(spellings.map(async path => (await ask(guarded('/admin'), path)).status)),
      );
      assert.ok(!statuses.includes(200));
    }
  });
});

describe('threats: HTTP', () => {
  test('CVE-2025-7339: writeHead sends a list of headers as it is', async () => {
    const list = ['X-A', '1', 'x-b', '2', 'X-A', '3'];
    const answer = await same(
      answering((_req, res) => void res.writeHead(201, list as never).end('x'), { 'x-powered-by': false }),
    );
    assert.deepEqual(answer.rawHeaders.slice(0, 3).flat(), list);
    const merged = await same(
      answering(
        (_req, res) =>
          void res
            .set('X-B', 'set')
            .writeHead(201, ['x-a', '1', 'x-b', '2'] as never)
            .end(),
      ),
    );
    assert.deepEqual([merged.headers['x-a'], merged.headers['x-b']], ['1', '2']);
  });

  test('smuggling: headers that a handler changes do not affect the framing of the body', async () => {
    const app = web().use((req, _res, next) => {
      req.headers['content-length'] = '1';
      next();
    });
    app.use((req, res) => {
      let size = 0;
      req.on('data', (chunk: Buffer) => (size += chunk.length));
      req.on('end', () => void res.json(size));
    });
    assert.equal((await ask(app as never, post('text/plain', '0123456789'))).text, '10');
  });

  test('__proto__: as a header name changes no object, in requests and responses', async () => {
    const answer = await same(
      answering((req, res) => {
        res.set('__proto__', 'sent').set(JSON.parse('{"__proto__":"again"}') as object);
        res.json([Object.keys(req.headers), ({} as Record<string, unknown>).polluted]);
      }),
      { headers: { ['__proto__']: '{"polluted":1}' } },
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.rawHeaders.find(([name]) => name === '__proto__'),
      ['__proto__', 'again'],
    );
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('one response per request: is sent, whatever the handlers do', async () => {
    const mischief: ((res: Response, next: (err?: unknown) => void) => void)[] = [
      res =>
        void res
          .once('error', () => {})
          .send('1')
          .end('2'),
      res => {
        res.send('1');
        res.send('2');
      },
      (res, next) => {
        res.send('1');
        next(new Error('late'));
      },
      (res, next) => {
        res.send('1');
        next();
      },
      res => {
        res.redirect('/x');
        res.json({});
      },
      res => {
        res.sendStatus(200);
        throw new Error('late');
      },
    ];
    for (const [at, act] of mischief.entries()) {
      const app = web().set('env', 'test');
      app.use((_req, res, next) => act(res as unknown as Response, next));
      await withServer(app as never, async port => {
        const answer = await askPort(port);
        assert.equal(answer.raw.match(/HTTP\/1\.1 /g)?.length, 1, String(at));
        assert.ok(answer.text === '1' || answer.text === 'OK' || answer.status === 302, answer.text);
      });
    }
  });
});
