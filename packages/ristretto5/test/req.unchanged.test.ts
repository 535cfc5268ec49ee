/** Members of requests, and the settings they use, that are the same in Express 5 as in Express 4. */
import { describe, test } from 'node:test';
import type web from 'ristretto5';
import type { Ask } from '../../engine/test/support/http.js';
import { attempt, looking, quiet, same, serving } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/** A function that reads a request, the requests to send, and settings. */
type Look = (req: web.Request) => unknown;
const looks: Record<string, [look: Look, requests: Ask[], settings?: Record<string, unknown>[]]> = {
  'req.get, req.header: read headers of any spelling, Referer under both names': [
    req => [
      req.get('X-A'),
      req.header('x-a'),
      req.get('Referer'),
      req.get('referrer'),
      req.get('none'),
      attempt(() => req.get(undefined as never)),
      attempt(() => req.header(5 as never)),
    ],
    [{}, { headers: { 'X-A': '1', Referer: 'http://a/' } }, { headers: { Referrer: 'b' } }],
  ],
  'req.acceptsEncodings, req.acceptsCharsets, req.acceptsLanguages: negotiate': [
    req => [
      [req.acceptsEncodings(), req.acceptsEncodings('br', 'gzip'), req.acceptsEncodings(['x'])],
      [req.acceptsCharsets(), req.acceptsCharsets('utf-8', 'latin1')],
      [req.acceptsLanguages(), req.acceptsLanguages('de', 'en'), req.acceptsLanguages(['fr'])],
    ],
    [
      {},
      {
        headers: {
          'Accept-Encoding': 'gzip;q=.5, br',
          'Accept-Charset': 'latin1',
          'Accept-Language': 'en;q=.8, de-CH',
        },
      },
      { headers: { 'Accept-Encoding': 'identity;q=0', 'Accept-Charset': '*;q=0', 'Accept-Language': '*' } },
    ],
  ],
  'req.ip, req.ips, req.protocol, req.secure, req.subdomains: believe trusted proxies only': [
    req => [req.ip?.replace('::ffff:', ''), req.ips, req.protocol, req.secure, req.subdomains],
    [
      {},
      {
        headers: {
          Host: 'a.b.example.com:81',
          'X-Forwarded-For': '1.2.3.4, 10.0.0.1',
          'X-Forwarded-Proto': 'https, http',
          'X-Forwarded-Host': 'c.d.test.com',
        },
      },
      { headers: { Host: '[::1]:80', 'X-Forwarded-For': '' } },
      { headers: { Host: '127.0.0.1:81' } },
    ],
    [
      {},
      { 'trust proxy': true },
      { 'trust proxy': 1 },
      { 'trust proxy': 'loopback, 10.0.0.0/8' },
      { 'trust proxy': (address: string) => address !== '1.2.3.4' },
      { 'subdomain offset': 0 },
      { 'subdomain offset': 3 },
    ],
  ],
  'req.path, req.url, req.originalUrl, req.baseUrl, req.method: are those of the request': [
    req => [req.path, req.url, req.originalUrl, req.baseUrl, req.method, req.res?.req === req],
    [{ path: '/a/b?c=/d' }, { method: 'POST', path: '/%2F' }, { path: '//x//y' }, { path: '/?' }],
  ],
  'req.xhr: is that of X-Requested-With': [
    req => req.xhr,
    [{}, { headers: { 'X-Requested-With': 'xmlhttprequest' } }, { headers: { 'X-Requested-With': 'x' } }],
  ],
};

describe('req', () => {
  for (const [title, [look, requests, settings = [{}]]] of Object.entries(looks)) {
    test(title, async () => {
      for (const set of settings) for (const request of requests) await same(looking(look, set), request);
    });
  }

  test('req.fresh, req.stale: treat QUERY like GET', async () => {
    for (const method of ['QUERY', 'GET', 'HEAD', 'PUT', 'query']) {
      for (const status of [200, 204, 304, 404]) {
        await same(
          looking((req, res) => {
            req.method = method;
            res.status(status).set('ETag', '"a"');
            const found = [req.fresh, req.stale];
            res.status(200);
            req.method = 'GET';
            return found;
          }),
          { headers: { 'If-None-Match': '"a"' } },
        );
      }
    }
  });

  test('req.host, req.hostname: are undefined without a Host', async () => {
    await same(
      looking(req => {
        delete req.headers.host;
        return [req.host, req.hostname, req.subdomains];
      }),
    );
    await same(
      looking(req => [req.host, req.hostname]),
      { headers: { Host: '' } },
    );
  });

  test('req.app, req.baseUrl, req.route, req.params: depend on where they are read', async () => {
    await same(web => {
      const app = quiet(web());
      const seen: unknown[] = [];
      const note: web.RequestHandler = (req, res, next) => {
        const { baseUrl, url, originalUrl, path, params, route } = req;
        const { app: own } = res;
        seen.push({ baseUrl, url, originalUrl, path, params, route: route?.path as unknown });
        seen.push(req.app === own, req.app === app, req.app.mountpath);
        next();
      };
      const router = web.Router().get('/:b', note);
      const sub = web().use('/:a', note, router);
      app.use(note);
      app.use('/sub{/:n}', sub);
      app.get('/sub/*rest', note);
      return app.use((_req, res) => void res.json(seen));
    }, '/sub/1/2/3?x');
  });

  test('req.params: unmatched parameters are absent; mergeParams adds the parents’ parameters', async () => {
    const build = (mergeParams: boolean) => (web: Web) => {
      const router = web.Router({ mergeParams });
      router.get(
        ['/c{/:c}{/:d}', '/{*rest}', /^\/r(\d)?(x)?/],
        ({ params }: web.Request, res: web.Response) =>
          void res.json([Object.keys(params), params, 'd' in params]),
      );
      return web().use(['/:a{/:b}/in', /^\/(\w)(\w)?\/rx/], router);
    };
    const paths = ['/1/in/c', '/1/2/in/c/3', '/1/in', '/1/in/x/y', '/1/in/r5', '/a/rx/r', '/ab/rx/rx'];
    for (const path of paths) for (const merge of [true, false]) await same(build(merge), path);
  });

  test('req.query: the parser may be a function; extended queries are nested and may use inherited names', async () => {
    const queries = [
      `/?a[19]=x&b[20]=x&c[999]=y&${'d=1&'.repeat(21)}${'e[]=1&'.repeat(20)}`,
      '/?a[b][]=1&a[c]=2',
      '/?hasOwnProperty=1&x[toString]=2',
      '/?a=1&a=2',
      '/?%zz&=&&a',
    ];
    for (const parser of ['extended', 'simple', true, false, (text: string) => ({ text })]) {
      for (const path of queries) {
        await same(
          looking(req => req.query, { 'query parser': parser }),
          path,
        );
      }
    }
  });

  test('events: Node emits aborted and close of a request', async () => {
    await same(
      serving((req, res) => {
        let closed = 0;
        req.on('close', () => closed++);
        res.on('finish', () => closed++);
        req.resume().on('end', () => void res.json([req.complete, closed]));
      }),
      { method: 'POST', body: 'x' },
    );
  });
});
