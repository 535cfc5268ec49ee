/** Redirects, including those relative to the mount or to the request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, comparable, looking, ours, same } from './support/oracle.js';
import type { Build } from './support/oracle.js';
import type { Response } from 'ristretto3/lib/types/core';

const located = (urls: string[]) =>
  looking((_req, res) => urls.map(url => res.location(url).get('Location')));
const mounted =
  (path: string, build: Build): Build =>
  web =>
    web().use(path, build(web));

const URLS = [
  'c',
  '/c',
  './c',
  '../c',
  '..',
  '.',
  './',
  '../../../c',
  '?q',
  '#h',
  '',
  'c/d',
  'admin/post/new',
];
const OTHERS = ['http://x.com/y', '//h/x', 'mailto:x@y', 'a:b', 'https:foo', 'c/../d'];

describe('res.location', () => {
  test('relative: resolves against the mount path, or with a dot against the request', async () => {
    for (const path of ['/', '/a', '/a/b', '/a/b/?q=5', '/a/b/c/d#x']) {
      await same(located([...URLS, ...OTHERS]), path);
    }
    await same(mounted('/blog', located([...URLS, ...OTHERS])), '/blog/a/b');
    await same(mounted('/blog', mounted('/admin', located(URLS))), '/blog/admin/a/b');
    assert.equal(
      (await same(mounted('/blog', located(['admin/post/new'])), '/blog')).text,
      "[ '/blog/admin/post/new' ]",
    );
  });

  test('relative: keeps query and hash', async () => {
    const { text } = await ours(located(['./c?x=../y#z', '..?x', './']), '/a/b');
    assert.equal(text, "[ '/a/b/c?x=../y#z', '/a/?x', '/a/b/' ]");
  });

  test('back: redirects to the Referer, or to /', async () => {
    for (const headers of [{}, { Referer: '/some/page' }, { Referer: 'http://x.com/' }] as Record<
      string,
      string
    >[]) {
      await same(located(['back']), { headers });
    }
  });

  test('other host: is never the target of a relative URL', async () => {
    // Express 3 redirects to //c and //evil.com here
    assert.equal((await ours(mounted('/', located(['c'])), '/')).text, "[ '/c' ]");
    for (const path of ['//evil.com/x', '/\\evil.com/x']) {
      const { text } = await ours(located(['./c', '..', '.', '../../..']), path);
      for (const url of text.match(/'[^']*'/g)!) assert.match(url, /^'\/(?![\\/])/);
    }
    assert.equal((await ours(located(['\\\\evil.com']))).text, "[ '/evil.com' ]");
    assert.equal((await ours(located(['back']), { headers: { Referer: '//evil.com' } })).text, "[ '/' ]");
  });

  test('characters: those not allowed in a URL are encoded', async () => {
    assert.equal((await ours(located(['/é <b>']))).text, "[ '/%C3%A9%20%3Cb%3E' ]");
  });
});

describe('res.redirect', () => {
  const redirects = (redirect: (res: Response) => void, headers: Record<string, string> = {}) =>
    same(
      answering((_req, res) => redirect(res)),
      { path: '/a/b', headers },
    );

  test('url: sends 302 and a text page', async () => {
    const answer = await redirects(res => res.redirect('/login'));
    assert.deepEqual([answer.status, answer.headers.location], [302, '/login']);
    assert.equal(answer.text, 'Found. Redirecting to /login');
    await redirects(res => res.redirect('/login'), { Accept: 'text/plain' });
    await redirects(res => res.redirect('/login'), { Accept: 'text/xml' });
  });

  test('status: may come first or second', async () => {
    assert.equal((await redirects(res => res.redirect(301, '/x'))).status, 301);
    assert.equal((await redirects(res => res.redirect('/x', 303))).status, 303);
  });

  test('mount: resolves relative to it', async () => {
    const build = answering((_req, res) => res.redirect('login'));
    const answer = await same(mounted('/admin', build), '/admin/x');
    assert.equal(answer.headers.location, '/admin/login');
  });

  test('page: has no link in HTML, escapes everything, and sends a policy that allows nothing (CVE-2024-43796)', async () => {
    const build = answering((_req, res) => res.redirect('/?a=<script>"'));
    const answer = await ours(build, { headers: { Accept: 'text/html' } });
    assert.equal(answer.text, '<p>Found. Redirecting to /?a=%3Cscript%3E%22</p>');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
    const head = await ours(build, { method: 'HEAD', headers: { Accept: 'text/html' } });
    assert.deepEqual(comparable({ ...head, body: answer.body }), comparable(answer));
    assert.equal(head.headers['content-security-policy'], "default-src 'none'");
  });

  test('page: keeps a policy of the application, and text has none (CVE-2024-43796)', async () => {
    const own = answering((_req, res) => {
      res.set('Content-Security-Policy', "img-src 'self'");
      res.redirect('/x');
    });
    const answer = await ours(own, { headers: { Accept: 'text/html' } });
    assert.equal(answer.headers['content-security-policy'], "img-src 'self'");
    const text = await ours(answering((_req, res) => res.redirect('/x')));
    assert.equal(text.headers['content-security-policy'], undefined);
  });

  test('HEAD: sends no page', async () => {
    await same(
      answering((_req, res) => res.redirect('/x')),
      { method: 'HEAD' },
    );
  });
});

describe('res.format', () => {
  const build = (withDefault = false): Build =>
    answering((_req, res) => {
      const handlers = {
        'text/plain': () => res.send('text'),
        html: () => res.end('html'),
        json: () => res.send({ a: 1 }),
        png: () => res.end('png'),
        ...(withDefault && { default: () => res.send('default') }),
      };
      res.format(handlers);
    });

  test('Accept: runs the handler of the best type, or the first without the header', async () => {
    for (const Accept of [
      'text/plain',
      'text/html',
      'application/json',
      'image/*',
      '*/*',
      'text/*;q=.5, text/html',
    ]) {
      await same(build(), { headers: { Accept } });
    }
    assert.equal((await same(build())).text, 'text');
  });

  test('default: runs if no type matches', async () => {
    assert.equal((await same(build(true), { headers: { Accept: 'audio/x' } })).text, 'default');
  });

  test('406: is sent if no type matches and there is no default', async () => {
    const answer = await ours(build(), { headers: { Accept: 'audio/x' } });
    assert.equal(answer.status, 406);
    assert.equal(answer.headers.vary, 'Accept');
  });

  test('returns: returns the response', async () => {
    const { text } = await ours(
      answering((_req, res) => {
        res.end(String(res.format({ text: () => undefined }) === res));
      }),
    );
    assert.equal(text, 'true');
  });
});
