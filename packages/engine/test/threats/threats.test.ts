/** Known attacks that concern more than one member; the others are in the files of their members. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request, RequestHandler, Response } from 'express';
import web from 'ristretto';
import { post } from '../support/body-parsers.js';
import { answering } from '../support/compare.js';
import { ask, askPort, exchangeRaw, withServer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { serving } from '../support/static.js';

const nested = (depth: number, open: string, close: string, inner = ''): string =>
  open.repeat(depth) + inner + close.repeat(depth);

describe('threats: depth', () => {
  const parsing = (...parsers: RequestHandler[]) =>
    web().use(...(parsers as never[]), (req: Request, res: Response) => void res.json(typeof req.body));

  test('deep recursion: JSON of 100,000 levels is parsed and does not end the process', async () => {
    const app = parsing(web.json({ limit: '1mb' }) as never);
    const answer = await ask(app as never, post('application/json', nested(100_000, '[', ']')));
    assert.deepEqual([answer.status, answer.text], [200, '"object"']);
  });

  test('deep recursion: query strings of thousands of levels are capped', async () => {
    const app = web().set('query parser', 'extended');
    app.use((req, res) => void res.json(req.query));
    const answer = await ask(app as never, `/?a${'[b]'.repeat(4000)}=c`);
    assert.equal(answer.status, 200);
    let depth = 0;
    for (let value: unknown = JSON.parse(answer.text); typeof value === 'object'; depth++)
      value = Object.values(value as object)[0];
    assert.ok(depth < 10, String(depth));
  });

  test('deep recursion: urlencoded bodies of thousands of levels are 400', async () => {
    const app = parsing(web.urlencoded({ extended: true }) as never);
    app.set('env', 'production');
    const type = 'application/x-www-form-urlencoded';
    assert.equal((await ask(app as never, post(type, `a${'[b]'.repeat(4000)}=c`))).status, 400);
  });
});

describe('threats: paths', () => {
  const guarded = (path: string | RegExp | (string | RegExp)[]) => {
    const app = web();
    app.use(path, (_req, res) => void res.status(403).end());
    app.get('/admin/:page', (_req, res) => void res.send('secret'));
    return app as never;
  };
  const spellings = [
    ...[
      '/admin/x',
      '/ADMIN/x',
      '/admin/x/',
      '/admin//x',
      '/admin/x%2Fy',
      '/admin/;x',
      '/admin/x;y',
      '/admin/%78',
    ],
    ...[
      '/admin%2Fx',
      '//admin/x',
      '/admin;/x',
      '/admin;x/x',
      '/;/admin/x',
      '/%61dmin/x',
      '/./admin/x',
      '/x/../admin/x',
    ],
    ...['/admin%2fx', '/admin\\x', '/admin%5Cx', '/admin%00/x', '/ admin/x', '/admin%20/x', '/admin./x'],
  ];

  test('CVE-2026-33804: a doubled slash does not bypass a guard', async () => {
    for (const path of ['//admin/x', '/admin//x', '///admin///x', '//admin//x/'])
      assert.notEqual((await ask(guarded('/admin'), path)).text, 'secret', path);
  });

  test('CVE-2026-33808: %2F, a semicolon or another spelling does not bypass a guard', async () => {
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

  test('GHSA-wr4h-v87w-p3r7: no encoding of a backslash or a dot leaves the root', async () => {
    const paths = [
      '/..%5C..%5Cetc/passwd',
      '/%2e%2e%5c%2e%2e%5cx',
      '/users%5C..%5C..%5C..%5Cx',
      '/..\\..\\x',
      '/%5C..%5C..',
    ];
    for (const path of paths) {
      const answer = await same(serving({ fallthrough: false }), path);
      assert.equal(answer.status, 403, path);
    }
  });
});

describe('threats: pages', () => {
  test('CVE-2024-43800: the redirect page has no link, and a policy without scripts', async () => {
    const answer = await same(serving(), '/nested?"><script>alert(1)</script>');
    assert.equal(answer.status, 301);
    assert.doesNotMatch(answer.text, /<a\b|<script|href/i);
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
  });

  test('CVE-2015-8856: error pages escape names, are in UTF-8, and are not sniffed', async () => {
    const build = (framework: Web) => framework().set('env', 'production');
    for (const path of [
      '/<script>alert(1)</script>',
      '/\'"&<>',
      '/+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
    ]) {
      const answer = await same(build, path);
      assert.equal(answer.status, 404);
      assert.doesNotMatch(answer.text, /<script|'"&</);
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
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

  test('smuggling: conflicting lengths, a bad length and a bad coding never reach the application', async () => {
    let calls = 0;
    const app = web().use((_req, res) => {
      calls++;
      res.send('x');
    });
    const heads = [
      'Content-Length: 3\r\nTransfer-Encoding: chunked',
      'Content-Length: 3\r\nContent-Length: 4',
      'Content-Length: 3x',
      'Transfer-Encoding: chunked, identity',
    ];
    await withServer(app as never, async port => {
      for (const head of heads) {
        const bytes = await exchangeRaw(port, `POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\nabc`);
        assert.match(bytes.toString('latin1'), /^HTTP\/1\.1 400 /, head);
      }
    });
    assert.equal(calls, 0);
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

  const breaking = ['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\rb', 'a\0b'];
  /** Asserts that every use of such a value throws and that nothing of the injected header is sent. */
  const assertThrows = async (use: (res: Response, value: string) => unknown) => {
    for (const value of breaking) {
      let thrown: unknown;
      const app = web().use((_req, res) => {
        try {
          use(res as unknown as Response, value);
        } catch (error) {
          thrown = error;
        }
        if (!res.headersSent) {
          res.statusMessage = 'OK';
          res.end();
        }
      });
      const answer = await ask(app as never);
      assert.ok(thrown instanceof Error, JSON.stringify(value));
      assert.equal(answer.headers['x-evil'], undefined);
    }
  };

  test('CR LF: header values throw, wherever they are set', async () => {
    await assertThrows((res, value) => res.set('X-A', value));
    await assertThrows((res, value) => res.append('X-A', value));
    await assertThrows((res, value) => res.links({ next: value }));
    await assertThrows((res, value) => res.type(`text/${value}`));
    await assertThrows((res, value) => res.vary(value));
  });

  test('CR LF: reason phrases throw', () =>
    assertThrows((res, value) => {
      res.statusMessage = value;
      res.send('x');
    }));

  test('CR LF: cookies throw for a bad name, path or domain, and values are encoded', async () => {
    await assertThrows((res, value) => res.cookie(value, 'x'));
    await assertThrows((res, value) => res.cookie('a', 'x', { path: value }));
    await assertThrows((res, value) => res.cookie('a', 'x', { domain: value }));
    await assertThrows((res, value) => res.cookie('a', value, { encode: text => text }));
    const answer = await same(answering((_req, res) => void res.cookie('a', 'x\r\ny').end()));
    assert.equal(answer.headers['set-cookie'], 'a=x%0D%0Ay; Path=/');
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

  test('bodiless responses: HEAD, 204, 205 and 304 send no body, pipelined too', async () => {
    const build = (framework: Web) =>
      framework().use((req, res) => void res.status(Number(req.url.slice(1))).send(`body of ${req.url}`));
    const targets = ['HEAD /200', 'GET /204', 'GET /205', 'GET /304', 'HEAD /404', 'GET /200'];
    const bytes = targets.map((target, at) => {
      const close = at === targets.length - 1 ? 'Connection: close\r\n' : '';
      return `${target} HTTP/1.1\r\nHost: x\r\n${close}\r\n`;
    });
    for (const framework of Object.values(frameworks)) {
      const raw = await withServer(build(framework), port => exchangeRaw(port, bytes.join('')));
      const heads = raw.toString('latin1').split('\r\n\r\n');
      assert.equal(heads.length, 7);
      for (const head of heads.slice(0, 6)) assert.match(head, /^HTTP\/1\.1 \d{3} /);
      assert.equal(heads[6], 'body of /200');
    }
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
