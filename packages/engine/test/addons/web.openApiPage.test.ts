/** `web.openApiPage`: the page, its files and nothing else. `scripts/openapi-page.mjs` opens it in a browser. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import web from 'ristretto';
import type { OpenApiPageOptions } from 'ristretto';
import { ask } from '../support/http.js';
import { withoutModule } from '../support/modules.js';
import { words } from '../support/random.js';

const load = createRequire(__filename);
const bundle = load.resolve('swagger-ui-dist/swagger-ui-bundle.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'openapi-page-'));
after(() => fs.rmSync(folder, { recursive: true }));

const make = (url = '/openapi.json', options?: OpenApiPageOptions) => {
  const app = web().use(
    '/docs',
    web.openApiPage(url, options),
    (_req, res) => void res.status(404).send('next'),
  );
  return app.use('/a/b', web.openApiPage(url, options));
};

/** Returns the addresses in a page as a browser resolves them. */
async function addressesAt(app: ReturnType<typeof make>, target: string, base = ''): Promise<string[]> {
  const { text } = await app.inject(target);
  const found = [...text().matchAll(/(?:href|src|data-document)="([^"]*)"/g)].map(match => match[1]!);
  return found.map(address => new URL(address, `http://host${base}${target}`).pathname);
}

describe('web.openApiPage', () => {
  test('page: has no inline scripts or styles, and a policy that allows none', async () => {
    const { status, headers, text } = await ask(make(), '/docs');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.doesNotMatch(text, /<script>|<style|style=|\son\w+=|https?:/);
    assert.match(text, /<title>API<\/title>/);
  });

  test('page: is revalidated with its ETag', async () => {
    const { headers } = await ask(make(), '/docs');
    assert.equal(headers['cache-control'], 'no-cache');
    const again = await ask(make(), { path: '/docs', headers: { 'if-none-match': headers.etag! } });
    assert.equal(again.status, 304);
  });

  test('addresses: work with and without a trailing slash, and behind a proxy that strips a prefix', async () => {
    const files = (mount: string) =>
      ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'].map(
        name => `${mount}/${name}`,
      );
    const expected = (prefix: string, mount: string) =>
      [...files(prefix + mount), `${prefix}/openapi.json`].sort();
    for (const prefix of ['', '/prefix', '/x/y']) {
      for (const target of ['/docs', '/docs/', '/docs?a=/b/', '/a/b', '/a/b/']) {
        const mount = target.replace(/\/?(\?.*)?$/, '');
        const found = await addressesAt(make(), target, prefix);
        assert.deepEqual(found.sort(), expected(prefix, mount), prefix + target);
      }
    }
  });

  test('addresses: a relative document URL is resolved against the page', async () => {
    for (const target of ['/docs', '/docs/'])
      assert.ok((await addressesAt(make('../openapi.json'), target)).includes('/openapi.json'));
    assert.ok((await addressesAt(make('own.json'), '/docs')).includes('/docs/own.json'));
  });

  test('addresses: work in a mounted application, at the root, and for absolute-form requests', async () => {
    const mounted = web().use('/v1', make('../openapi.json'));
    assert.ok((await addressesAt(mounted, '/v1/docs')).includes('/v1/openapi.json'));
    const root = web().use(web.openApiPage('/openapi.json'));
    const atRoot = await addressesAt(root, '/');
    assert.ok(atRoot.includes('/openapi.json') && atRoot.includes('/swagger-ui.css'));
    const { text } = await ask(make(), 'http://127.0.0.1/docs');
    assert.match(text, /data-document="\.\/openapi\.json"/);
  });

  test('addresses: characters of the path are escaped', async () => {
    const app = web().use(
      '/:any',
      web.openApiPage('/openapi.json', { title: '<b>', ui: { filter: '"><script>' } }),
    );
    const { text } = await ask(app, '/"><script>x');
    assert.match(text, /href="\.\/&quot;&gt;&lt;script&gt;x\/swagger-ui\.css"/);
    assert.match(text, /<title>&lt;b&gt;<\/title>/);
    assert.doesNotMatch(text, /<script>/);
  });

  test('files: are served from the package, with ETag, ranges and types', async () => {
    const script = await ask(make(), '/docs/swagger-ui-bundle.js');
    assert.equal(script.status, 200);
    assert.ok(script.body.equals(fs.readFileSync(bundle)));
    assert.match(script.headers['content-type']!, /javascript/);
    const headers = { 'if-none-match': script.headers.etag! };
    assert.equal((await ask(make(), { path: '/docs/swagger-ui-bundle.js', headers })).status, 304);
    assert.match((await ask(make(), '/docs/swagger-ui.css')).headers['content-type']!, /css/);
    assert.equal((await ask(make(), { method: 'HEAD', path: '/docs/favicon-32x32.png' })).status, 200);
    const start = await ask(make(), '/docs/start.js');
    assert.match(start.text, /SwaggerUIBundle\(settings\)/);
    assert.match(start.headers['content-type']!, /javascript/);
  });

  test('files: no other file of the package is served, whatever the path', async () => {
    for (const name of words(`
      index.html package.json swagger-ui.js swagger-ui-bundle.js.map ../swagger-ui-dist/package.json
      ..%2fswagger-ui-dist%2fpackage.json ./swagger-ui.css/../package.json swagger-ui.css/
      swagger-ui.css%00 constructor __proto__
    `)) {
      const { status, text } = await ask(make(), `/docs/${name}`);
      assert.deepEqual([status, text], [404, 'next'], name);
    }
    assert.equal((await ask(make(), { method: 'POST', path: '/docs' })).text, 'next');
  });

  test('connect: adds origins that requests may be sent to', async () => {
    const { headers } = await ask(make('/x', { connect: ['https://api.example', 'http://a:8'] }), '/docs');
    assert.match(
      headers['content-security-policy']!,
      /connect-src 'self' https:\/\/api\.example http:\/\/a:8;/,
    );
  });

  test('arguments: invalid values throw', () => {
    for (const url of [
      'https://evil.example/x',
      '//evil.example',
      'javascript:x',
      '\\\\evil',
      '',
      'a b',
      5,
    ]) {
      assert.throws(() => web.openApiPage(url as string), {
        name: 'TypeError',
        message: /expected the path of a document on the same host/,
      });
    }
    for (const [options, message] of [
      [{ connect: 'https://a' }, /connect must be an array of origins such as .*, got 'https:\/\/a'/],
      [{ connect: ["https://a; script-src 'unsafe-inline'"] }, /connect must be/],
      [{ connect: ['ftp://a'] }, /connect must be/],
      [{ connect: ['https://a/'] }, /connect must be/],
    ] as const) {
      assert.throws(() => web.openApiPage('/x', options as OpenApiPageOptions), {
        name: 'TypeError',
        message,
      });
    }
  });

  test('swagger-ui-dist: the error says how to install it if it is missing or too old', () => {
    const manifest = 'swagger-ui-dist/package.json';
    assert.throws(() => withoutModule(manifest, () => web.openApiPage('/x')), {
      message: /is not installed\. Install it: npm install swagger-ui-dist/,
    });
    const older = path.join(folder, 'package.json');
    fs.writeFileSync(older, JSON.stringify({ version: '4.19.1' }));
    assert.throws(() => withoutModule(manifest, () => web.openApiPage('/x'), older), {
      message:
        /needs swagger-ui-dist 5 or newer, and 4\.19\.1 is installed: npm install swagger-ui-dist@latest/,
    });
  });
});
