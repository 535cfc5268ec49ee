// runs: alone
/** Deprecation notices: which members exist only in 3.x, and what to use instead. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto3';
import { ask, each } from '../../engine/test/support/http.js';
import type { App } from './support/oracle.js';

type Req = web.Request;
type Res = web.Response;

interface Notice {
  namespace: string;
  message: string;
  stack: string;
}

const notices: Notice[] = [];
process.on('deprecation', notice => notices.push(notice as unknown as Notice));

/** Returns the notices emitted while something runs. */
async function noticesOf(run: () => unknown): Promise<Notice[]> {
  notices.length = 0;
  await run();
  return [...notices];
}

/** Asserts that a member used twice at one place emits one notice. */
async function noticesOnce(use: () => unknown, message: RegExp): Promise<void> {
  const found = await noticesOf(async () => {
    for (let i = 0; i < 2; i++) await use();
  });
  assert.equal(found.length, 1, found.map(notice => notice.message).join('; ') || 'no notice');
  assert.match(found[0]!.message, message);
  assert.equal(found[0]!.namespace, 'express');
  assert.match(found[0]!.stack, /notices\.test\.ts:\d+/);
}

const app = (): App => web().set('env', 'test');

/** The members of an application and of the package, each as a program uses it, and the expected notice. */
const atStart: Record<string, [() => unknown, RegExp]> = {
  'app.configure': [() => app().configure(() => undefined), /^app\.configure: Check app\.get\('env'\)/],
  'app.router': [() => app().router, /^app\.router: Remove app\.use\(app\.router\)/],
  'app.routes': [() => app().routes, /^app\.routes: .* web\.Router\(\)/],
  'app.del': [() => app().del('/', () => undefined), /^app\.del: Use app\.delete instead/],
  'app.locals(object)': [() => app().locals({}), /^app\.locals\(object\): Use Object\.assign\(app\.locals/],
  'app.param(fn)': [() => app().param(() => undefined), /^router\.param\(fn\): Refactor to use path params/],
  'app.use(server)': [() => app().use(http.createServer()), /^app\.use\(server\): Mount the function/],
  'web.createServer': [() => web.createServer(), /^createServer: Use the main function instead/],
  'router.middleware': [
    () => new web.Router().middleware,
    /^router\.middleware: .* a router is itself middleware/,
  ],
  'web.basicAuth': [() => web.basicAuth('a', 'b'), /^basicAuth: use basic-auth npm module instead$/],
  'web.bodyParser': [() => web.bodyParser(), /^bodyParser: use web\.json\(\), web\.urlencoded\(\).*multer/],
  'web.compress': [() => web.compress(), /^compress: .*compression/],
  'web.cookieParser': [() => web.cookieParser(), /^cookieParser: .*cookie-parser/],
  'web.cookieSession': [() => web.cookieSession({ secret: 's' }), /^cookieSession: .*cookie-session/],
  'web.csrf': [() => web.csrf(), /^csrf: .*csurf/],
  'web.directory': [() => web.directory('.'), /^directory: .*serve-index/],
  'web.errorHandler': [() => web.errorHandler(), /^errorHandler: .*errorhandler/],
  'web.favicon': [() => web.favicon(), /^favicon: .*serve-favicon/],
  'web.limit': [() => web.limit('1mb'), /^limit: .* option limit/],
  'web.logger': [() => web.logger(), /^logger: .*morgan/],
  'web.methodOverride': [
    () => web.methodOverride(),
    /^methodOverride: use method-override npm module instead$/,
  ],
  'web.multipart': [
    () => web.multipart(),
    /^multipart: use parser \(multiparty, busboy, formidable\) npm module instead$/,
  ],
  'web.responseTime': [() => web.responseTime(), /^responseTime: .*response-time/],
  'web.session': [() => web.session({ secret: 's' }), /^session: .*express-session/],
  'web.staticCache': [() => web.staticCache(), /^staticCache: use varnish or similar reverse proxy caches$/],
  'web.timeout': [() => web.timeout(), /^timeout: .*connect-timeout/],
  'web.vhost': [() => web.vhost('a', app()), /^vhost: .*vhost/],
};

/** The members of requests and responses. */
const atRequest: Record<string, [(req: Req, res: Res) => unknown, RegExp]> = {
  'req.auth': [req => req.auth, /^req\.auth: Use basic-auth/],
  'req.host': [req => req.host, /^req\.host: Use req\.hostname instead/],
  'req.param': [req => req.param('a'), /^req\.param\(name\): Use req\.params, req\.body, or req\.query/],
  'req.accepted': [req => req.accepted, /^req\.accepted: Use req\.accepts\(\)/],
  'req.acceptedCharsets': [
    req => req.acceptedCharsets,
    /^req\.acceptedCharsets: Use req\.acceptsCharsets\(\)/,
  ],
  'req.acceptedEncodings': [req => req.acceptedEncodings, /^req\.acceptedEncodings: Use req\.acceptsEnc/],
  'req.acceptedLanguages': [req => req.acceptedLanguages, /^req\.acceptedLanguages: Use req\.acceptsLan/],
  'req.acceptsCharset': [req => req.acceptsCharset('a'), /^req\.acceptsCharset: Use req\.acceptsCharsets/],
  'req.acceptsEncoding': [
    req => req.acceptsEncoding('a'),
    /^req\.acceptsEncoding: Use req\.acceptsEncodings/,
  ],
  'req.acceptsLanguage': [
    req => req.acceptsLanguage('a'),
    /^req\.acceptsLanguage: Use req\.acceptsLanguages/,
  ],
  'res.headerSent': [(_req, res) => res.headerSent, /^res\.headerSent: Use res\.headersSent/],
  'res.charset': [(_req, res) => (res.charset = 'x'), /^res\.charset: Use res\.type\(\)/],
  'res.locals(object)': [
    (_req, res) => res.locals({}),
    /^res\.locals\(object\): Use Object\.assign\(res\.locals/,
  ],
  'res.on(header)': [
    (_req, res) => res.on('header', () => undefined),
    /^res\.on\("header"\): Use on-headers/,
  ],
  'res.location(relative)': [(_req, res) => res.location('a'), /^res\.location\("path"\): .*req\.baseUrl/],
  'res.location(./relative)': [
    (_req, res) => res.location('./a'),
    /^res\.location\("\.\/path"\): .*req\.originalUrl/,
  ],
};
const answers: Record<string, [(req: Req, res: Res) => unknown, RegExp]> = {
  'res.send(status)': [(_req, res) => res.send(200), /^res\.send\(status\): Use res\.sendStatus\(status\)/],
  'res.send(status, body)': [
    (_req, res) => res.send(200, 'x'),
    /^res\.send\(status, body\): Use res\.status\(status\)/,
  ],
  'res.json(status, body)': [
    (_req, res) => res.json(200, 'x'),
    /^res\.json\(status, obj\): Use res\.status\(status\)/,
  ],
  'res.jsonp(status, body)': [
    (_req, res) => res.jsonp(200, 'x'),
    /^res\.jsonp\(status, obj\): Use res\.status/,
  ],
  'res.redirect(url, status)': [
    (_req, res) => res.redirect('/x', 302),
    /^res\.redirect\(url, status\): Use res\.redirect\(status/,
  ],
  'res.redirect(relative)': [(_req, res) => res.redirect('x'), /^res\.location\("path"\)/],
  'res.sendfile': [(_req, res) => res.sendfile(__filename), /^res\.sendfile: Use res\.sendFile instead/],
};

describe('notices', () => {
  for (const [name, [use, message]] of Object.entries(atStart)) {
    test(`${name}: warns once per call site, with the location and the replacement`, () =>
      noticesOnce(use, message));
  }

  for (const [name, [use, message]] of Object.entries({ ...atRequest, ...answers })) {
    test(`${name}: warns once per call site, with the location and the replacement`, async () => {
      const isAnswer = name in answers;
      const serving = app().get('*', (req, res) => {
        use(req, res);
        if (!isAnswer) res.end();
      });
      await noticesOnce(() => ask(serving), message);
    });
  }

  test('none: members that 4.x has too do not warn', async () => {
    const seen = await noticesOf(async () => {
      const serving = app()
        .use(web.json())
        .use(web.urlencoded())
        .use(web.urlencoded({ extended: false }))
        .use(web.query())
        .use(web.static(__dirname));
      serving.locals.title = 'x';
      serving.param('id', (_req, _res, next) => next());
      serving.get('/:id', (req, res) => {
        res.locals.a = 1;
        req.accepts('html');
        res.type('json').set('X-A', 'b').cookie('a', 'b').location('/x');
        res.redirect(301, '/y');
      });
      await ask(serving, '/7');
      await ask(serving, '/7/8');
    });
    assert.deepEqual(each(seen, 'message'), []);
  });

  test('framework: the package itself uses no deprecated members', async () => {
    const seen = await noticesOf(async () => {
      const serving = app().get('/', (_req, res) => res.download(__filename));
      await ask(serving);
    });
    assert.deepEqual(each(seen, 'message'), []);
  });
});
