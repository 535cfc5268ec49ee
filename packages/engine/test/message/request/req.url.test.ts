/** `req.url` and what comes from it and the request line: `originalUrl`, `baseUrl`, `path`, `method`. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { describe, test } from 'node:test';
import { parseTarget } from '@ristretto/private-engine/lib/protocol/url';
import { defineParsedUrl } from '@ristretto/private-engine/lib/router/parsed-url';
import type { Request, RequestHandler } from 'express';
import web from 'ristretto';
import web5 from 'ristretto5';
import { answering, sameEach } from '../../support/compare.js';
import { alike, oracleModule } from '../../support/fake-request.js';
import { ask, each, exchangeRaw, withServer } from '../../support/http.js';
import { askHttp2, askSession, withSession } from '../../support/http2.js';
import { frameworks, same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { words } from '../../support/random.js';
import { mark, sameTraces, tracing } from '../../support/routing.js';

const rewriting =
  (rewrite: (req: Request) => string): RequestHandler =>
  (req, _res, next) => {
    req.url = rewrite(req);
    next();
  };

describe('req.url', () => {
  test('mounted: excludes the mount path, and is at least a slash', () =>
    sameTraces(['/a', '/a/', '/a?x=y', '/a/b?x=y', '/a//b', '/A', '/a/?x', '/a;b', '/a#b'], app =>
      app.use('/a', mark('a')).use('/a/', mark('slash')),
    ));
  test('absolute form: only the path is shortened', () =>
    sameTraces(
      words(`
        http://example.com/a http://example.com/a/b http://example.com/a/b?c=d https://a.b/a/
        http://example.com/a?x HTTP://EXAMPLE.COM/a/b
      `),
      (app, web) => app.use('/a', mark('a'), web.Router().use('/b', mark('b'))),
    ));
  test('other forms: an asterisk, an authority and unusable URLs are matched', () =>
    sameTraces(
      [
        { method: 'OPTIONS', path: '*' },
        ...words('//a/b ///a /?/a example.com:80 a/b ?a=b mailto:a/b ://x/y http:///a'),
      ],
      app => app.use('/a', mark('a')).use('*', mark('star')).use(mark('m')),
    ));
  test('rewritten: applies to the layers after it', () =>
    sameTraces(['/old', '/old?x', '/new'], app => {
      app.use(rewriting(req => req.url.replace('/old', '/new')));
      app.get('/new', mark('new'));
      app.get('/old', mark('never'));
    }));
  test('rewritten to something else than a string: nothing matches', async () => {
    for (const value of [undefined, null, 7])
      for (const pass of [(next: () => void) => next(), (next: () => void) => void setImmediate(next)]) {
        const add = (framework: Web) => {
          const app = framework();
          app.use((req, _res, next) => {
            req.url = value as never;
            pass(next);
          });
          app.use('/a', framework.Router());
          return app.get('/a', mark('a'));
        };
        assert.equal((await same(add, '/a')).status, 404);
      }
  });
  test('rewritten to something else than a string in a mount: nothing matches (in Express, the process ends)', async () => {
    for (const value of [undefined, null, 7]) {
      const app = web();
      app.use('/a', (req, _res, next) => {
        req.url = value as never;
        setImmediate(next);
      });
      app.get('/a', mark('a'));
      assert.equal((await app.inject('/a')).status, 404);
    }
  });
  test('rewritten in a mount: the mount path is prepended again', () =>
    sameTraces(['/a', '/a/b', '/a?q'], app => {
      app.use(
        '/a',
        rewriting(() => '/x?y=z'),
      );
      app.use('/a/x', mark('a/x'));
      app.use('/x', mark('never'));
    }));
  test('rewritten in a mounted router: applies to the layers of that router', () =>
    sameTraces(['/a/c', '/a'], (app, web) => {
      app.use(
        '/a',
        web
          .Router()
          .use(rewriting(() => '/b'))
          .get('/b', mark('b')),
      );
      app.get('/a/b', mark('outer'));
    }));
  test('rewritten to something without a slash: is matched as in Express', () =>
    sameTraces(['/a', '/a/c'], app => {
      app.use(
        '/a',
        rewriting(() => 'b'),
      );
      app.use(mark('m'));
      app.use('/ab', mark('ab'));
    }));
  test('rewritten to nothing: ends routing', () =>
    sameTraces(['/x'], app => {
      app.use(rewriting(() => ''));
      app.get('/', mark('root'));
      app.use(mark('m'));
    }));
  test('rewritten between absolute and path form: is matched as in Express', () =>
    sameTraces(['/a/x', 'http://example.com/a/x'], app => {
      app.use(
        '/a',
        rewriting(() => 'http://other/b'),
      );
      app.use('/b', mark('b'));
      app.use('/a', mark('a'));
      app.use(mark('m'));
    }));
  test('query string: is ignored when matching', () =>
    sameTraces(['/a?b', '/a?/b', '/a?', '/?/a'], app =>
      app.get('/a', mark('a')).get('/a\\?b', mark('never')),
    ));
  test('many layers: the route index works with a rewritten url', () =>
    sameTraces(['/page/3', '/x', '/page/30'], app => {
      for (let i = 0; i < 20; i++) app.get(`/page/${String(i)}`, mark(`page ${String(i)}`));
      app.use(rewriting(() => '/page/25'));
      for (let i = 20; i < 40; i++) app.get(`/page/${String(i)}`, mark(`page ${String(i)}`));
      app.use(
        '/page',
        rewriting(() => '/30'),
      );
      app.get('/page/30', mark('page 30'));
      app.get('/page/25', mark('never'));
    }));
});

describe('req.originalUrl', () => {
  test('whole: is the full URL with its query string, in every router', () =>
    sameTraces(['/a/b?x=y', '/a/b/c?x=/a', '/a', 'http://example.com/a/b?c'], (app, web) => {
      app.use('/a', web.Router().use('/b', mark('in')), web().use(mark('sub-application')));
    }));
  test('changed url: has no effect on it', () =>
    sameTraces(['/a?b=c'], app => {
      app.use((req, _res, next) => {
        req.url = '/other';
        next();
      });
      app.get('/other', mark('other'));
    }));
  test('value: is baseUrl followed by url', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().use(
        '/admin',
        (req, res) => void res.send(String(req.originalUrl === req.baseUrl + req.url)),
      );
      assert.equal((await ask(app, '/admin/new?sort=desc')).text, 'true');
    }
  });
  test('set before: keeps a value that was set before routing', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().use((req, res) => void res.send(req.originalUrl));
      const server = (req: object, res: object): void => {
        Object.assign(req, { originalUrl: '/kept' });
        (app as (req: object, res: object) => void)(req, res);
      };
      assert.equal((await ask(server, '/x')).text, '/kept');
    }
  });
});

const mounted = (mount: string | RegExp | (string | RegExp)[]) =>
  tracing((app, web) => {
    app.use(mount, web.Router().use(mark('in')).get('/jp', mark('route')));
  });

describe('req.baseUrl', () => {
  test('root: is the empty string', async () => {
    const answer = await same(web => web().get('/x', (req, res) => void res.json(req.baseUrl)), '/x');
    assert.equal(answer.text, '""');
  });
  test('mounted: is the matched path, with its original case', () =>
    sameEach(mounted('/greet'), ['/greet', '/greet/jp', '/GREET/jp', '/greet/']));
  test('pattern: is the matched path, not the pattern', () =>
    sameEach(mounted(['/gre+t', '/hel{2}o', '/:lang/x']), [
      '/greet/jp',
      '/greeet/jp',
      '/hello/jp',
      '/de/x/jp',
    ]));
  test('regular expression: is the matched path', () =>
    sameEach(mounted([/^\/v\d+/, /^\/a\.b/]), ['/v12/jp', '/v1', '/a.b/jp', '/v1.2']));
  test('percent-encoding: is kept as sent', () =>
    sameEach(mounted('/:name'), ['/a%20b/jp', '/%e2%82%ac/jp']));
  test('slash at the end of the mount path: is omitted', () =>
    sameEach(mounted(['/greet/', '/a/:b/']), ['/greet/jp', '/greet/', '/a/b/jp']));
  test('nested: joins the paths, and restores them afterwards', () =>
    sameTraces(['/a/b/c', '/a/b', '/a', '/A/b/C/d'], (app, web) => {
      const inner = web.Router().use('/c', mark('c')).use(mark('inner'));
      const middle = web.Router().use('/b', inner, mark('after inner')).use(mark('middle'));
      app.use('/a', middle, mark('after middle'));
    }));
  test('sub-applications: behave like routers', () =>
    sameTraces(['/a/b/c', '/a/b', '/a'], (app, web) => {
      app.use('/a', web().use('/b', web().use(mark('in'))));
    }));
  test('errors: error handlers outside read their own value', () =>
    sameTraces(['/a/b/c'], (app, web) => {
      app.use('/a', web.Router().use('/b', mark('fails', new Error('no'))));
    }));
  test('later: is unchanged when a handler continues asynchronously', () =>
    sameTraces(['/a/x', '/a/y'], (app, web) => {
      const router = web.Router();
      router.use((_req, _res, next) => void setImmediate(next));
      router.get('/x', mark('later'));
      app.use('/a', router);
    }));
  test('assigned: a value set by a tool is the base for mounting', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web().use('/a', (req, res) => void res.send(`${req.baseUrl} ${req.url}`));
      const outer = (req: object, res: object): void => {
        Object.assign(req, { baseUrl: '/outer' });
        (app as (req: object, res: object) => void)(req, res);
      };
      assert.equal((await ask(outer, '/a/b')).text, '/outer/a /b');
    }
  });
});

const echo = answering((req, res) => res.json([req.path, req.url]));

const paths = async (...targets: string[]) =>
  (await sameEach(echo, targets)).map(answer => (JSON.parse(answer.text) as string[])[0]);

describe('req.path', () => {
  test('path: is the path as sent, without the query', async () => {
    assert.deepEqual(await paths('/users?sort=name', '/a%2Fb%20c?', '/?a/b'), ['/users', '/a%2Fb%20c', '/']);
  });

  test('slashes, dots, backslashes: are kept', async () => {
    assert.deepEqual(await paths('//a//b', '/a/../b', '/a\\b'), ['//a//b', '/a/../b', '/a\\b']);
  });

  test('absolute form, asterisk, fragment: only the path is returned', async () => {
    const targets = ['http://x/admin?y', 'http://x', 'http://x?q/z', 'weird://h/p', '*', '/a#b', '/a|b#c'];
    assert.deepEqual(await paths(...targets), ['/admin', '/', '/', '/p', '*', '/a', '/a%7Cb']);
  });

  test('CVE-2026-85184: the authority is stripped before matching', async () => {
    const guarded = (web: Web) => {
      const app = web();
      app.use('/admin', (req, res) => res.status(403).json([req.url, req.baseUrl, req.path]));
      app.get('/admin', (_req, res) => res.send('secret'));
      return app;
    };
    for (const target of [
      'http://x/admin',
      'http://x/admin?y',
      'http://x/admin/users',
      'HTTP://X:80/admin',
    ]) {
      assert.equal((await same(guarded, target)).status, 403, target);
    }
  });

  test('impossible host: responds with 404', async () => {
    assert.equal((await same(echo, 'http://[bad/x')).status, 404);
  });

  test('mounting: is the path below the mount path', async () => {
    const answer = await same(web => {
      const app = web();
      const router = web.Router();
      router.get('/a', (req, res) => res.json([req.path, req.baseUrl]));
      app.use('/mount', router);
      return app;
    }, '/mount/a?b');
    assert.equal(answer.text, '["/a","/mount"]');
  });

  test('URL set by the application: is the path of that URL, or null if it has none', () => {
    const path = (url: string) => alike({}, req => Object.assign(req, { url }).path);
    assert.equal(path('/a?b'), '/a');
    assert.equal(path('?b'), null);
    assert.equal(path(''), null);
  });

  test('read only: an assignment changes nothing', () => {
    const path = alike({}, req => {
      Reflect.set(Object.assign(req, { url: '/a' }), 'path', '/b');
      return req.path;
    });
    assert.equal(path, '/a');
  });
});

const parseurl = oracleModule('parseurl') as (req: object) => ReturnType<typeof parseTarget>;
const prototype = {};

function requestFor(url: string): { url: string; _parsedUrl: ReturnType<typeof parseTarget> | undefined } {
  return Object.assign(Object.create(prototype) as object, { url }) as never;
}

describe('req._parsedUrl', () => {
  defineParsedUrl(prototype);

  test('parts: are the same as those of parseurl', () => {
    for (const url of ['/a?b=c', '/', '/a#b', 'http://x/y?z', '*']) {
      assert.deepEqual(requestFor(url)._parsedUrl, parseurl({ url }));
    }
  });

  test('kept: is reused while the URL stays the same', () => {
    const req = requestFor('/a?b');
    const first = req._parsedUrl;
    assert.equal(req._parsedUrl, first);
    req.url = '/c';
    assert.equal(req._parsedUrl?.pathname, '/c');
  });

  test('parseurl: reuses the value, and its own value is reused in turn', () => {
    const req = requestFor('/a?b');
    assert.equal(parseurl(req), req._parsedUrl);
    req.url = '/c#d';
    assert.equal(parseurl(req), req._parsedUrl);
  });

  test('set: keeps the value while it matches the URL', () => {
    const req = requestFor('/a');
    const own = parseTarget('/a');
    req._parsedUrl = own;
    assert.equal(req._parsedUrl, own);
    Object.assign(req, { _parsedUrl: undefined });
    assert.equal(req._parsedUrl.pathname, '/a');
  });

  test('impossible host: throws as Express does', () => {
    assert.throws(() => requestFor('http://[bad/')._parsedUrl, { code: 'ERR_INVALID_URL' });
  });
});

describe('req.method', () => {
  test('value: is the method in the request line', async () => {
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'M-SEARCH', 'PROPFIND'];
    const answers = await sameEach(
      answering((req, res) => void res.send(req.method)),
      methods.map(method => ({ method })),
    );
    assert.deepEqual(each(answers, 'text'), methods);
  });

  test('native: is an own property that middleware may change', async () => {
    const answer = await same(
      web =>
        web()
          .use((req, _res, next) => {
            assert.ok(Object.hasOwn(req, 'method'));
            req.method = 'DELETE';
            next();
          })
          .post('/', (_req, res) => void res.send('posted'))
          .delete('/', (_req, res) => void res.send('deleted')),
      { method: 'POST' },
    );
    assert.equal(answer.text, 'deleted');
  });

  test('case: a method that the HTTP/1.1 parser rejects gets 400 over every protocol and runs no handler', async () => {
    for (const make of [web, web5 as unknown as typeof web]) {
      for (const method of ['delete', 'Delete', 'patch', 'FOO']) {
        const ran: string[] = [];
        const app = make()
          .set('env', 'test')
          .use((req, res) => void res.send(String(ran.push(req.method))));
        const statuses: Record<string, unknown> = {};
        const text = `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
        const raw = String(await withServer(app, port => exchangeRaw(port, text)));
        statuses['HTTP/1.1'] = Number(/^HTTP\/1\.1 (\d+)/.exec(raw)![1]);
        statuses['HTTP/2'] = await withSession(http2.createServer(app as never), async session => {
          const first = await askSession(session, { method });
          const second = await askSession(session, { method, body: 'x' });
          return [first.status, second.status];
        });
        const shared = http2.createServer((req, res) => {
          app(req as never, res as never);
        });
        statuses['shared HTTP/2'] = (
          await withSession(shared, session => askSession(session, { method }))
        ).status;
        const request = { method, url: 'http://a.example/', headers: new Headers(), body: null };
        statuses['app.fetch'] = (await app.fetch(request as unknown as globalThis.Request)).status;
        assert.deepEqual(statuses, {
          'HTTP/1.1': 400,
          'HTTP/2': [400, 400],
          'shared HTTP/2': 400,
          'app.fetch': 400,
        });
        assert.deepEqual(ran, []);
      }
    }
  });

  test('case: a route for DELETE does not run for delete, so a guard that compares the method cannot be passed', async () => {
    const app = web()
      .use((req, res, next) => {
        if (req.method === 'DELETE') res.status(403).send('guarded');
        else next();
      })
      .delete('/', (_req, res) => void res.send('deleted'));
    assert.equal((await askHttp2(app, { method: 'DELETE' })).status, 403);
    const small = await askHttp2(app, { method: 'delete' });
    assert.deepEqual([small.status, small.text], [400, 'Unknown method: methods are case-sensitive']);
    const patch = web().patch('/', (_req, res) => void res.send('patched'));
    const request = new Request('http://a.example/', { method: 'patch' });
    assert.equal((await patch.fetch(request)).status, 400);
  });

  test('case: a method that middleware sets in lower case finds its route, as in Express', async () => {
    const answer = await same(
      web =>
        web()
          .use((req, _res, next) => {
            req.method = 'delete';
            next();
          })
          .delete('/', (_req, res) => void res.send('deleted')),
      { method: 'POST' },
    );
    assert.equal(answer.text, 'deleted');
  });
});
