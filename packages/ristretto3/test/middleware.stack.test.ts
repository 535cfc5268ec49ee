/** The default middleware stack of 3.x applications as a whole. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto3';
import type { Ask } from '../../engine/test/support/http.js';
import { askPort, withServer } from '../../engine/test/support/http.js';
import { at } from '../../engine/test/support/tree.js';
import { form, uploadDirectory } from './support/multipart.js';
import { same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

const classic = (uploadDir: string) => (web: Web) => {
  const app = web();
  app.use(web.favicon(Buffer.from('icon')));
  app.use(web.logger({ format: 'tiny', stream: { write: () => undefined } }));
  app.use(web.responseTime((_req, res) => res.setHeader('X-Timed', 'yes')));
  app.use(web.compress());
  app.use(web.cookieParser('secret'));
  app.use(web.bodyParser({ uploadDir }));
  app.use(web.methodOverride());
  app.use(web.cookieSession({ key: 'kept' }));
  app.use(app.router);
  app.use(web.static(at('')));
  app.use(web.errorHandler({ log: false }));
  app.get('/', (_req, res) => void res.send('x'.repeat(3000)));
  app.get('/visits', (req, res) => {
    req.session.visits = 1;
    res.cookie('name', 'tobi', { signed: true });
    res.json({ visits: req.session.visits });
  });
  app.post(
    '/form',
    (req, res) => void res.json({ body: req.body, files: Object.keys((req.files ?? {}) as object) }),
  );
  app.put('/form', (req, res) => void res.json({ put: req.body }));
  app.get('/broken', () => {
    throw Object.assign(new Error('broken'), { stack: 'broken' });
  });
  return app;
};

const parts = [
  { name: 'pet[name]', value: 'Tobi' },
  { name: 'photo', filename: 'tobi.png', value: 'PNG' },
];
const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
const requests: Record<string, Ask> = {
  'a page': { path: '/' },
  'a page, compressed': { path: '/', headers: { 'Accept-Encoding': 'gzip' } },
  'a page, asked for with HEAD': { path: '/', method: 'HEAD' },
  'a session and a signed cookie': { path: '/visits' },
  'an upload': form(parts, { path: '/form' }),
  'a form that means PUT': { method: 'POST', path: '/form', headers: urlencoded, body: '_method=PUT&a[b]=1' },
  'JSON that is none': {
    method: 'POST',
    path: '/form',
    headers: { 'Content-Type': 'application/json' },
    body: '',
  },
  'a file': { path: '/todo.txt' },
  'an error': { path: '/broken', headers: { Accept: 'text/plain' } },
  nothing: { path: '/nope' },
};

describe('middleware: the classic stack', () => {
  for (const [what, request] of Object.entries(requests)) {
    test(`${what}: sends the same response`, t => same(classic(uploadDirectory(t).uploadDir), request));
  }

  test('session, csrf and basicAuth: log in and submit a form', async () => {
    const app = web();
    app.use(web.basicAuth('tobi', 'ferret'));
    app.use(web.cookieParser());
    app.use(web.session({ secret: 'secret' }));
    app.use(web.urlencoded());
    app.use(web.csrf());
    app.get('/', (req, res) => void res.send((req as unknown as { csrfToken(): string }).csrfToken()));
    app.post(
      '/',
      (req, res) => void res.send(`${String((req as { user?: string }).user)} says ${req.body.text}`),
    );
    app.set('env', 'test');
    await withServer(app as never, async port => {
      const Authorization = `Basic ${Buffer.from('tobi:ferret').toString('base64')}`;
      assert.equal((await askPort(port)).status, 401);
      const page = await askPort(port, { headers: { Authorization } });
      const headers = { ...urlencoded, Authorization, Cookie: page.headers['set-cookie']!.split(';')[0]! };
      const send = (body: string) => askPort(port, { method: 'POST', headers, body });
      assert.equal((await send('text=hi')).status, 403);
      const sent = await send(`text=hi&_csrf=${encodeURIComponent(page.text)}`);
      assert.equal(sent.text, 'tobi says hi');
    });
  });
});
