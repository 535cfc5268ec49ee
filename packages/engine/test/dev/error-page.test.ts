// runs: built
/** The error page in development: which clients get it, what it shows, and when Express's own page is sent. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { viewerToken } from '@ristretto/private-engine/lib/dev/error-page/viewer';
import web from 'ristretto';
import { inEnvironment, logged } from '../support/environment.js';
import { ask, exchangeRaw, withServer } from '../support/http.js';
import type { Hook } from '../support/hooks.js';
import type { Answer, Ask } from '../support/http.js';
import { askHttp2 } from '../support/http2.js';
import { same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { runProgram } from '../support/warnings.js';

process.env.NODE_ENV = 'development';
delete process.env.RISTRETTO_ERROR_PAGE;

/** A constant, because excerpts on the page show the source of the tests. */
const HUSH = 'hush';
const NUMBERS = ['4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00', '5500005555555559'];

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** The cookie of a browser that has opened the link. */
const OPENED = `ristretto-error-page=${viewerToken()}`;

/** Returns an application without a log, in which `/` fails with this error. */
function failing(thrown: unknown): web.Express {
  const app = web().set('error logger', () => undefined);
  app.all('/', (_req, _res, next) => {
    next(thrown);
  });
  return app;
}

/** Sends a browser's request. */
function browse(app: web.Express, { headers = {}, ...request }: Ask = {}): Promise<Answer> {
  return ask(app, { ...request, headers: { Accept: BROWSER, Cookie: OPENED, ...headers } });
}

/** Returns the page of an error, without inline markup. */
async function pageOf(thrown: unknown): Promise<string> {
  const { text } = await browse(failing(thrown));
  return plain(text);
}

/** Returns the text of the page, with one line per block element. */
function plain(text: string): string {
  return text
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<\/?(?:span|code|i|b)\b[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}

/** Returns the contents of the page's text area. */
function reportOf(text: string): string {
  const [, escaped] = /<textarea id="report"[^>]*>([^<]*)<\/textarea>/.exec(text)!;
  return plain(escaped!).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

/** The first call of the stack, which is open, if it is the registration of a hook. */
const OPEN_AT_HOOK =
  /<ol class="card frames"><li><details open><summary><span class="function">hook registered</;

/** Returns the line that is marked in the first excerpt. */
function firstMarked(text: string): string {
  return /<span class="row marked">.*/.exec(text)![0];
}

const isPage = ({ text }: { text: string }): boolean => text.includes('<h1 tabindex="0">');

/** Has the same stack on both frameworks. */
const fixed = (): Error =>
  Object.assign(new Error('My message'), { stack: 'Error: My message\n    at x (y:1:2)' });

describe('error page', () => {
  test('browsers: receive the message, an excerpt with the line marked, and the request', async () => {
    const app = web().set('error logger', () => undefined);
    app.get('/users/:id', function showUser() {
      throw new RangeError('No such user'); // thrown here
    });
    const { status, headers, text } = await browse(app, { path: '/users/7?page=2' });
    assert.equal(status, 500);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    const page = plain(text);
    assert.match(page, /<p class="kind">RangeError<\/p>\n<h1 tabindex="0">No such user<\/h1>/);
    assert.match(text, /<span class="row marked"><i>\d+<\/i>.*\/\/ thrown here/);
    assert.match(page, /<summary>showUser .*error-page\.test\.ts:\d+:\d+<\/summary>/);
    assert.match(page, /<summary>\d+ frames of ristretto/);
    assert.match(page, /URL<\/dt><dd class="mono">\/users\/7\?page=2</);
    assert.match(page, /route<\/dt><dd class="mono">\/users\/:id</);
    assert.match(page, /<h3>Parameters<\/h3><dl><dt class="mono">id<\/dt><dd class="mono">7</);
    assert.match(page, /<h3>Query<\/h3><dl><dt class="mono">page<\/dt><dd class="mono">2</);
  });

  test('columns: the word at the position of the error is marked', async () => {
    const app = web().set('error logger', () => undefined);
    app.get('/', (req, res) => {
      res.send((req as unknown as Record<string, Error>).account!.message.trim());
    });
    assert.match((await browse(app)).text, /<span class="row marked">.*account!?\.<mark>message<\/mark>/);
  });

  test('browsers: receive the page over HTTP/2, app.fetch and app.inject', async () => {
    const app = failing(new Error('everywhere'));
    const headers = { accept: BROWSER, cookie: OPENED };
    const overHttp2 = await askHttp2(app, { headers });
    const peer = { remoteAddress: '127.0.0.1' };
    const fetched = await app.fetch(new Request('http://localhost/', { headers }), peer);
    const injected = await app.inject({ headers });
    const pages = [overHttp2, { text: await fetched.text() }, { text: injected.text() }];
    assert.deepEqual(pages.map(isPage), [true, true, true]);
  });

  test('status: comes from the error, along with its headers', async () => {
    const error = Object.assign(new Error('busy'), { status: 503, headers: { 'Retry-After': '5' } });
    const answer = await browse(failing(error));
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['retry-after'], '5');
    assert.match(plain(answer.text), /503 Service Unavailable/);
    const strange = await browse(failing(Object.assign(new Error('none'), { status: 599 })));
    assert.match(strange.text, /<span class="status">599 </);
  });

  test('headers: the CSP allows only the style by its hash, and caching is disabled', async () => {
    const { headers, text, body } = await browse(failing(new Error('x')));
    const style = /<style>(.*)<\/style>/s.exec(text)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-length'], String(body.length));
    assert.doesNotMatch(text, /<script|style=|https?:\/\//);
  });

  test('HEAD: receives the headers of the page', async () => {
    const [head, get] = [
      await browse(failing(fixed()), { method: 'HEAD' }),
      await browse(failing(fixed()), { method: 'GET' }),
    ];
    assert.deepEqual([head.text, head.headers['content-type']], ['', 'text/html; charset=utf-8']);
    // The page contains the method four times.
    assert.equal(Number(head.headers['content-length']), get.body.length + 4);
  });

  test('uploads: a client whose body is not read receives the page', async () => {
    const answer = await browse(failing(new Error('unread')), { method: 'POST', body: 'x'.repeat(300_000) });
    assert.equal(isPage(answer), true);
  });

  test('causes: are shown with their own stacks, as are the errors of an AggregateError', async () => {
    const inner = new AggregateError([new SyntaxError('first'), new Error('second')], 'several');
    const page = await pageOf(new Error('outer', { cause: inner }));
    const headings = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    assert.deepEqual(headings, [
      'Stack',
      'Caused by: AggregateError several',
      'Contained error: SyntaxError first',
      'Contained error: Error second',
      'As text',
      'Request',
      'What ran',
    ]);
  });

  test('report: contains the request, whole stacks, causes, properties and hints, with secrets masked', async () => {
    const cause = Object.assign(new TypeError('<b>why</b>'), { code: 'ERR_HTTP_HEADERS_SENT', apiKey: HUSH });
    const error = Object.assign(new Error('what', { cause }), { code: cause.code });
    const app = web().set('error logger', () => undefined);
    app.get('/users/:id', (_req, _res, next) => {
      next(error);
    });
    const { text } = await browse(app, { path: `/users/7?token=${HUSH}` });
    assert.match(text, /<a href="#report">/);
    const lines = reportOf(text).split('\n');
    assert.deepEqual(lines.slice(0, 3), [
      'GET /users/7?token=•••••• (route: /users/:id)',
      `500 Internal Server Error, Node.js ${process.version}`,
      '',
    ]);
    const expected = [
      ...error.stack!.split('\n'),
      '    code: ERR_HTTP_HEADERS_SENT',
      ...`Caused by: ${cause.stack!}`.split('\n'),
      '    code: ERR_HTTP_HEADERS_SENT',
      '    apiKey: ••••••',
    ];
    assert.deepEqual(lines.slice(3, -1), expected);
    assert.match(lines.at(-1)!, /^Hint: A response had already been sent/);
  });

  test('report: contains a thrown value that is not an error', async () => {
    const { text } = await browse(
      web()
        .set('error logger', () => undefined)
        .use((_req, _res, next) => {
          next('only text');
        }),
    );
    assert.match(
      reportOf(text),
      /^GET \/ \(route: none\)\n500 .*\n\nonly text\nHint: .* is not an Error: .*$/,
    );
  });

  test('what ran: lists the middleware and the route that the request reached, with their places', async () => {
    const app = web().set('error logger', () => undefined);
    const api = web.Router();
    app.use(function first(_req, _res, next) {
      next();
    });
    app.use('/other', function elsewhere(_req, _res, next) {
      next();
    });
    app.use(function onError(_err: unknown, _req: web.Request, _res: web.Response, next: web.NextFunction) {
      next();
    });
    app.post('/api/x', function wrongMethod() {});
    app.use(['/rest', '/api'], api);
    api.get(
      '/:id',
      function guard(_req, _res, next) {
        next();
      },
      function show() {
        throw new Error('here');
      },
    );
    api.get('/x', function later() {});
    for (const method of ['GET', 'HEAD']) {
      const page = plain((await browse(app, { path: '/api/x' })).text);
      const items = [...page.matchAll(/<li>([^<]+?) [^ ]*error-page\.test\.ts:\d+:\d+<\/li>/g)];
      assert.deepEqual(
        items.map(([, item]) => item),
        ['first', 'router /api', 'GET /:id guard, show'],
        method,
      );
    }
  });

  test('what ran: names layers of Express if the request is in one', async () => {
    const app = web().set('error logger', () => undefined);
    const theirs = express.Router();
    theirs.use(function before(_req, _res, next) {
      next();
    });
    theirs.get('/x/:id', function theirRoute() {
      throw new Error('theirs');
    });
    app.use(function mine(_req, _res, next) {
      next();
    });
    app._router.stack.push(...(theirs.stack as never[]));
    const page = plain((await browse(app, { path: '/x/7' })).text);
    const [, list] = /<h2>What ran<\/h2>(.*?)<\/ol>/s.exec(page)!;
    assert.match(list!, /<li>mine .*<li>GET \/x\/:id theirRoute/);
    assert.doesNotMatch(list!, /before/);
  });

  test('what ran: is omitted if a tool has replaced the stack', async () => {
    const app = web().set('error logger', () => undefined);
    const answer = await browse(
      app.use((_req, _res, next) => {
        Object.defineProperty(app._router.stack, 'findIndex', { value: null });
        next(new Error('broken'));
      }),
    );
    assert.equal(isPage(answer), true);
    assert.doesNotMatch(answer.text, /<h2>What ran/);
  });

  test('secrets: are masked in headers, URL, query, body and properties of errors', async () => {
    const app = web().set('error logger', () => undefined);
    app.use(web.json());
    app.post('/', (_req, _res, next) => {
      const error = new Error('connection failed');
      next(Object.assign(error, { config: { host: 'db', password: HUSH, url: 'x' }, apiKey: HUSH }));
    });
    const { text } = await browse(app, {
      method: 'POST',
      path: `/?access_token=${HUSH}&page=3#token=${HUSH}`,
      headers: {
        Authorization: `Bearer ${HUSH}`,
        'Proxy-Authorization': `Basic ${HUSH}`,
        Cookie: `sid=${HUSH}; ${OPENED}`,
        'X-Api-Key': HUSH,
        'X-Csrf-Token': HUSH,
        Referer: `http://localhost/?token=${HUSH}&from=3`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ user: { name: 'Ada', password: HUSH }, client_secret: HUSH, pin: HUSH }),
    });
    assert.doesNotMatch(text, new RegExp(HUSH));
    assert.match(plain(text), /page=3.*from=3.*Ada|Ada.*from=3/s);
  });

  test('secrets: are masked by what their names mean, in whatever spelling', async () => {
    const names = ['jwt', 'oidc', 'oidcState', 'x-auth', 'authUser', 'card', 'cardNo', 'IBAN', 'user_iban'];
    const more = ['pin', 'pinCode', 'mfa', 'mfaAnswer', 'code', 'sms-code', 'sig', 'urlSig', 'account[pin]'];
    const shown = ['author', 'spinning', 'signal', 'discard', 'codec', 'wildcard', 'ibanez', 'pint'];
    const query = [...names, ...more].map(name => `${name}=${HUSH}`).join('&');
    const others = shown.map(name => `${name}=said-${name}`).join('&');
    const error = Object.assign(new Error('x'), { code: 'E_SHOWN', config: { code: HUSH } });
    const { text } = await browse(failing(error), { path: `/?${query}&${others}` });
    assert.doesNotMatch(text, new RegExp(HUSH));
    for (const name of shown) assert.match(text, new RegExp(`said-${name}`), name);
    assert.match(text, /E_SHOWN/);
  });

  test('secrets: are masked in messages, stacks and values by their form', async () => {
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${HUSH}.c2ln${HUSH}`;
    const texts = [
      `postgres://ada:${HUSH}@db.internal:5432/shop`,
      `mongodb+srv://ada:p#${HUSH}/@cluster.internal`,
      `redis://:${HUSH}@cache.internal`,
      `https://${HUSH}@git.internal/x`,
      `GET https://api.internal/x?api_key=${HUSH}&page=3`,
      `host=db.internal password=${HUSH}`,
      `Bearer ${HUSH}7`,
      jwt,
    ];
    for (const type of [BROWSER, 'application/json', 'text/plain']) {
      const cause = new Error([...texts, ...NUMBERS].join(', '));
      const error = Object.assign(new Error(texts.join(' '), { cause }), { input: texts[0], used: NUMBERS });
      const { text: page } = await browse(failing(error), { headers: { Accept: type, 'X-Text': texts[0]! } });
      assert.equal(page.includes(HUSH), false, page.slice(page.indexOf(HUSH) - 60).slice(0, 120));
      assert.deepEqual(
        NUMBERS.filter(number => page.includes(number)),
        [],
      );
      assert.match(page, /db\.internal:5432\/shop/);
      assert.match(page, /git\.internal.*page=3/);
    }
    const plainNumbers =
      '1700000000000 4111111111111112 DE00 3704 0044 0532 0130 00 http://localhost:3000/a@b';
    assert.match(await pageOf(new Error(plainNumbers)), new RegExp(plainNumbers.replaceAll('/', '\\/')));
  });

  test('secrets: are masked in a text body', async () => {
    const app = web().set('error logger', () => undefined);
    app.use(web.text({ type: '*/*' }));
    app.post('/', (_req, _res, next) => {
      next(new Error('text'));
    });
    const { text } = await browse(app, {
      method: 'POST',
      body: `{"name":"Ada","password":"${HUSH}"} token=${HUSH}`,
    });
    assert.doesNotMatch(text, new RegExp(HUSH));
    assert.match(text, /Ada/);
  });

  test('escaping: shows HTML in messages, URLs, headers, bodies and names as text', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const app = web().set('error logger', () => undefined);
    app.use(web.json());
    app.use((req, _res, next) => {
      next(Object.assign(new Error(evil), { name: evil, [evil]: evil, cause: evil, file: req.url }));
    });
    const { text } = await browse(app, {
      method: 'POST',
      path: `/<img>?${encodeURI(evil)}=<img>&a[<img>]=1`,
      headers: { 'X-Evil': evil, 'Content-Type': 'application/json' },
      body: JSON.stringify({ [evil]: [evil] }),
    });
    assert.doesNotMatch(text, /<img/);
    assert.match(text, /&lt;img src=x/);
  });

  test('editor: a string as the setting links to the place', async () => {
    const app = failing(new Error('linked')).set(
      'error page',
      'editor://open?file={file}&at={line}:{column}',
    );
    const { text } = await browse(app);
    const links = [...text.matchAll(/<a class="place" href="([^"]+)"/g)].map(([, url]) => url!);
    assert.match(links[0]!, /^editor:\/\/open\?file=\/.*\/error-page\.test\.ts&amp;at=\d+:\d+$/);
    assert.equal(/<summary>[^/]*<a/.test(text), false);
  });

  test('clients without a preferred type: receive the page of Express, byte for byte', async () => {
    for (const Accept of [undefined, '*/*', 'text/*', 'image/png', 'text/html;q=0, */*']) {
      const headers: Record<string, string> = Accept === undefined ? {} : { Accept };
      const build = (framework: Web): never =>
        framework()
          .set('env', 'development')
          .use((_req, _res, next) => next(fixed())) as never;
      await logged(() => same(build, { headers }).then(() => sleep(10)));
    }
  });

  const local = { url: '/', headers: { accept: BROWSER, cookie: OPENED } };
  const asked = async (app: web.Express, request: object): Promise<boolean> =>
    isPage({ text: (await app.inject({ ...local, ...request })).text() });

  test('other machines: receive the page of Express, as do clients without an address', async () => {
    const app = failing(fixed());
    for (const remoteAddress of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) {
      assert.equal(await asked(app, { remoteAddress }), true, remoteAddress);
    }
    for (const remoteAddress of ['192.168.1.7', '10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '1270.0.0.1', '']) {
      for (const accept of [BROWSER, 'application/json', 'text/plain']) {
        const { text } = await app.inject({ ...local, headers: { accept }, remoteAddress });
        assert.match(text(), /<pre>Error: My message/, remoteAddress);
      }
    }
    const fetched = await app.fetch(new Request('http://localhost/', { headers: local.headers }));
    assert.equal(isPage({ text: await fetched.text() }), false);
  });

  test('proxies: forwarded requests receive the page of Express', async () => {
    const app = failing(fixed());
    const names = words(`
      Forwarded Via X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host X-Real-IP CF-Connecting-IP
      True-Client-IP X-Envoy-External-Address
    `);
    for (const name of names) {
      assert.equal(isPage(await browse(app, { headers: { [name]: '127.0.0.1' } })), false, name);
    }
    // nginx does not send the client's address unless configured to, and its requests look like those of a browser
    for (const version of ['1.0', '1.1']) {
      const request = `GET / HTTP/${version}\r\nHost: 127.0.0.1\r\nAccept: ${BROWSER}\r\nConnection: close\r\n\r\n`;
      const raw = await withServer(app, port => exchangeRaw(port, request));
      assert.equal(isPage({ text: String(raw) }), false);
    }
    const removing = web().set('error logger', () => undefined);
    removing.use((req, _res, next) => {
      delete req.headers['x-forwarded-for'];
      next(fixed());
    });
    assert.equal(isPage(await browse(removing, { headers: { 'X-Forwarded-For': '127.0.0.1' } })), false);
    const trusting = failing(fixed()).set('trust proxy', true);
    assert.equal(isPage(await browse(trusting, { headers: { 'X-Forwarded-For': '127.0.0.1' } })), false);
  });

  test('link: the terminal prints it, and a browser that has opened it gets pages with sources', async () => {
    const app = web().get('/fails', (_req, _res, next) => next(fixed()));
    app.set('error logger', () => undefined);
    const warnings: string[] = [];
    const { emitWarning } = process;
    process.env.RISTRETTO_WARNINGS = '';
    process.emitWarning = (message: unknown) => void warnings.push(String(message));
    try {
      for (const Cookie of ['', 'ristretto-error-page=0', `${OPENED}0`, `x${OPENED}`]) {
        const headers = { Cookie, Host: 'localhost:81' };
        assert.equal(isPage(await browse(app, { path: '/fails', headers })), false);
      }
      const headers = { Cookie: `a=b; ${OPENED}` };
      assert.equal(isPage(await browse(app, { path: '/fails', headers })), true);
    } finally {
      process.emitWarning = emitWarning;
      process.env.RISTRETTO_WARNINGS = 'off';
    }
    const links = warnings.flatMap(text => /open http:\/\/localhost:81(\/\S+)$/.exec(text)?.[1] ?? []);
    assert.equal(links.length, 1);
    const { status, headers } = await browse(app, { path: links[0]!, headers: { Cookie: '' } });
    assert.equal(status, 200);
    assert.ok(String(headers['set-cookie']).startsWith(`${OPENED}; Path=/; `));
    assert.match(String(headers['set-cookie']), /HttpOnly; SameSite=Strict/);
    assert.equal((await browse(app, { path: `${links[0]!}0` })).status, 404);
    const production = web().set('env', 'production');
    assert.equal((await browse(production, { path: links[0]! })).status, 404);
  });

  test('hosts: under a name that is not local, browsers receive the page of Express, unless it is listed', async () => {
    const app = failing(fixed());
    const isShown = async (made: web.Express, Host: string): Promise<boolean> =>
      isPage(await browse(made, { headers: { Host } }));
    for (const host of ['localhost', 'localhost:3000', 'a.localhost', 'LOCALHOST', '127.0.0.1', '[::1]:80']) {
      assert.equal(await isShown(app, host), true, host);
    }
    const others = [
      ...words('shop.example localhost.example notlocalhost 127.0.0.1.example [::2]'),
      'a b',
      '1.2.3.4',
    ];
    for (const host of others) assert.equal(await isShown(app, host), false, host);
    app.set('error page hosts', ['shop.test', '.dev.example']);
    for (const host of ['shop.test', 'Shop.Test:8080', 'dev.example', 'a.b.dev.example', 'localhost']) {
      assert.equal(await isShown(app, host), true, host);
    }
    for (const host of ['a.shop.test', 'baddev.example', 'shop.test.example']) {
      assert.equal(await isShown(app, host), false, host);
    }
    const mounting = web().set('error page hosts', ['shop.test']);
    assert.equal(await isShown(mounting.use(failing(fixed())) as web.Express, 'shop.test'), true);
    for (const value of ['shop.test', 5, ['http://shop.test'], ['shop.test:80'], [7], ['']]) {
      assert.throws(() => app.set('error page hosts', value as never), {
        name: 'TypeError',
        message: /^Expected the setting 'error page hosts' to be an array of host names/,
      });
    }
  });

  test('scripts of other sites: receive the page of Express, even if they accept HTML', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
    assert.equal(isPage(await browse(failing(fixed()), { headers })), false);
    const navigation = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    assert.equal(isPage(await browse(failing(fixed()), { headers: navigation })), true);
  });

  test('JSON: clients that prefer it receive problem details with stack, causes and hints', async () => {
    const cause = new Error('why');
    const error = Object.assign(new TypeError('not so', { cause }), {
      status: 422,
      code: 'ERR_HTTP_HEADERS_SENT',
    });
    for (const Accept of ['application/json, text/plain, */*', 'text/html;q=0.5, application/problem+json']) {
      const { status, headers, text } = await ask(failing(error), { headers: { Accept } });
      assert.deepEqual([status, headers['content-type']], [422, 'application/problem+json']);
      const problem = JSON.parse(text) as Record<string, unknown>;
      assert.equal(problem.detail, 'not so');
      assert.equal(problem.title, 'Unprocessable Entity');
      assert.match(String((problem.stack as string[])[0]), /error-page\.test\.ts:\d+:\d+/);
      assert.match((problem.stack as string[]).at(-1)!, /^… \d+ frames of /);
      assert.match(String((problem.hints as string[])[0]), /Return after you respond/);
      assert.equal((problem.causes as { detail: string }[])[0]!.detail, 'why');
    }
    const caused = await ask(failing(new Error('x', { cause: 'a word' })), {
      headers: { Accept: 'application/json' },
    });
    assert.deepEqual((JSON.parse(caused.text) as { causes: unknown }).causes, [{ detail: 'a word' }]);
    const { text } = await ask(failing('only text'), { headers: { Accept: 'application/json' } });
    assert.deepEqual(JSON.parse(text), {
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'only text',
      hints: [
        "`'only text'` is not an Error: it has no stack and no status. Write `new Error('only text')`.",
      ],
    });
  });

  test('text: clients that prefer it receive the folded stack', async () => {
    const { headers, text } = await ask(failing(new Error('plain', { cause: 'a word' })), {
      headers: { Accept: 'text/plain' },
    });
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const bare = await ask(failing({ message: 'bare' }), { headers: { Accept: 'text/plain' } });
    assert.equal(bare.text, 'Error: bare\n');
    assert.match(
      text,
      /^Error: plain\n {4}at .*\n( {4}at .*\n)* {4}at … \d+ frames of .*\nCaused by: a word\n$/,
    );
  });

  test('NODE_ENV: in test and production, and with another env, browsers receive the page of Express', async () => {
    const headers = { Accept: BROWSER, Cookie: OPENED };
    for (const NODE_ENV of ['test', 'production', 'staging']) {
      await inEnvironment({ NODE_ENV }, async () => {
        const build = (framework: Web): never =>
          framework().use((_req, _res, next) => next(fixed())) as never;
        await logged(() => same(build, { headers }).then(() => sleep(10)));
        assert.equal(isPage(await browse(failing(fixed()).set('env', 'development'))), false);
      });
    }
    assert.equal(isPage(await browse(failing(fixed()).set('env', 'production'))), false);
  });

  test('RISTRETTO_ERROR_PAGE: off disables the page', async () => {
    await inEnvironment({ RISTRETTO_ERROR_PAGE: 'off' }, async () => {
      assert.equal(isPage(await browse(failing(fixed()))), false);
    });
  });

  test('app.disable("error page"): disables the page, including for mounted applications', async () => {
    const parent = web()
      .disable('error page')
      .set('error logger', () => undefined);
    assert.equal(isPage(await browse(parent.use(failing(fixed())))), false);
    assert.equal(isPage(await browse(failing(fixed()).enable('error page'))), true);
  });

  test('404: is the page of Express', async () => {
    const answer = await browse(web(), { path: '/nowhere' });
    assert.match(answer.text, /<pre>Cannot GET \/nowhere<\/pre>/);
  });

  test('error handlers: take precedence', async () => {
    const app = failing(new Error('x'));
    app.use((_err: unknown, _req: web.Request, res: web.Response, next: web.NextFunction) => {
      void next;
      res.status(400).send('mine');
    });
    assert.equal((await browse(app)).text, 'mine');
  });

  test('response that has begun: is aborted', async () => {
    const app = web().set('error logger', () => undefined);
    app.get('/', (_req, res, next) => {
      res.write('begun');
      next(new Error('too late'));
    });
    const request = `GET / HTTP/1.1\r\nHost: x\r\nAccept: ${BROWSER}\r\n\r\n`;
    const bytes = await withServer(app, port => exchangeRaw(port, request));
    assert.doesNotMatch(bytes.toString(), /<h1/);
  });

  test('middleware: a replaced res.end receives the page once', async () => {
    const app = web().set('error logger', () => undefined);
    const bodies: unknown[] = [];
    app.use((_req, res, next) => {
      const { end } = res;
      res.end = function patched(this: web.Response, ...args: unknown[]) {
        bodies.push(args[0]);
        return (end as (...all: unknown[]) => web.Response).apply(this, args);
      };
      next(new Error('patched'));
    });
    const { text } = await browse(app);
    assert.deepEqual(bodies, [text]);
    assert.equal(isPage({ text }), true);
  });

  test('hooks: res.onSend receives the page', async () => {
    const app = web().set('error logger', () => undefined);
    app.use((_req, res, next) => {
      res.onSend(body => String(body).replaceAll('No luck', 'Luck'));
      next(new Error('No luck'));
    });
    const { text } = await browse(app);
    assert.match(text, /<h1 tabindex="0">Luck</);
  });

  test('hooks: an error about what a hook of res.onSend returned is shown where the hook was registered', async () => {
    const wrap = (() => ({ a: 1 })) as unknown as Hook;
    const app = web().set('error logger', () => undefined);
    app.get('/', (_req, res) => {
      res.onSend(wrap); // registered here
      res.send('a');
    });
    const { text } = await inEnvironment({ RISTRETTO_WARNINGS: 'on' }, () => browse(app));
    assert.match(plain(text), /<h1 tabindex="0">onSend: expected .* from the hook 'wrap', got \{ a: 1 \}\n/);
    assert.match(text, OPEN_AT_HOOK);
    assert.match(firstMarked(text), /\/\/ registered here/);
  });

  test('hooks: an error about what a hook of app.onSend returned is shown where the hook was registered', async () => {
    const replace: Hook = () => 'b';
    const app = web().set('error logger', () => undefined);
    app.onSend((_body, res) => void res.set('X-A', '1'));
    app.onSend(replace); // registered for all
    app.get('/', (_req, res) => {
      res.write('a');
      res.end();
    });
    const { text } = await inEnvironment({ RISTRETTO_WARNINGS: 'on' }, () => browse(app));
    const message = /<h1 tabindex="0">onSend: the hook 'replace' cannot replace a body .* in chunks\n/;
    assert.match(plain(text), message);
    assert.match(text, OPEN_AT_HOOK);
    assert.match(firstMarked(text), /\/\/ registered for all/);
  });

  test('production: loads none of these modules', () => {
    const program = `
      const app = web();
      app.get('/', () => { throw new Error('x'); });
      app.inject({ headers: { accept: 'text/html', cookie: '${OPENED}' } }).then(({ text }) => {
        seen.push(text().includes('<h1'), Object.keys(require.cache).filter(file => /lib.(dev|application.send-explained)\\b/.test(file)).length);
      });`;
    assert.deepEqual(runProgram(program, { env: { NODE_ENV: 'production' } }).seen, [false, 0]);
    const [isShown, files] = runProgram(program).seen as [boolean, number];
    assert.deepEqual([isShown, files > 5], [true, true]);
  });
});
