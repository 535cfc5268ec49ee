/** The setting `x-powered-by`. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask, askPort, withServer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';

const field = async (app: Parameters<typeof ask>[0]): Promise<string | undefined> =>
  (await ask(app)).headers['x-powered-by'];

describe('setting x-powered-by', () => {
  test('default: is enabled, and the header is Ristretto', async () => {
    assert.equal(web().enabled('x-powered-by'), true);
    assert.equal(await field(web().use((_req, res) => void res.send('x'))), 'Ristretto');
  });
  test('disabled: omits the header', async () => {
    const answer = await same(framework =>
      framework()
        .disable('x-powered-by')
        .use((_req, res) => void res.send('x')),
    );
    assert.equal(answer.headers['x-powered-by'], undefined);
  });
  test('changed later: takes effect from the next request on', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework().use((_req, res) => void res.send('x'));
      await withServer(app, async port => {
        assert.ok((await askPort(port)).headers['x-powered-by']);
        app.disable('x-powered-by');
        assert.equal((await askPort(port)).headers['x-powered-by'], undefined);
        app.enable('x-powered-by');
        assert.ok((await askPort(port)).headers['x-powered-by']);
      });
    }
  });
  test('removed: a handler can remove or replace it', async () => {
    const app = web().use((_req, res) => {
      res.removeHeader('X-Powered-By');
      res.send('x');
    });
    assert.equal(await field(app), undefined);
    assert.equal(
      await field(web().use((_req, res) => void res.set('X-Powered-By', 'Mine').send('x'))),
      'Mine',
    );
  });
  test('sub-app: does not inherit it, and sets the header itself', async () => {
    for (const framework of Object.values(frameworks)) {
      const answer = framework().use((_req, res) => void res.send('x'));
      assert.ok(await field(framework().disable('x-powered-by').use(answer)));
      assert.ok(
        await field(
          framework().use(
            framework()
              .disable('x-powered-by')
              .use((_req, res) => void res.send('x')),
          ),
        ),
      );
    }
  });
  test('first field: is sent before all others', () =>
    same(framework => framework().use((_req, res) => void res.set('A', 'b').send('x'))));
  test('migration.md: its line restores the name of Express, for responses, errors and 404', async () => {
    const page = fs.readFileSync(path.join(__dirname, '../../../../docs/migration.md'), 'utf8');
    const [, line = ''] = /^ +`(app\.use\(.*X-Powered-By.*)`$/m.exec(page) ?? [];
    const app = web().set('env', 'test');
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- what the page says
    new Function('app', line)(app);
    app.get('/', (_req, res) => void res.send('x'));
    app.get('/fails', () => {
      throw new Error('failed');
    });
    for (const target of ['/', '/fails', '/none'])
      assert.equal((await ask(app, target)).headers['x-powered-by'], 'Express', target);
  });
});
