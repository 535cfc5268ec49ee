/** Responses: bodies of all kinds, files and redirects, with the status first or alone. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { Response } from 'ristretto3/lib/types/core';
import { answering, comparable, looking, ours, same } from './support/oracle.js';
import type { Build } from './support/oracle.js';
import { words } from '../../engine/test/support/random.js';

const sends = (answer: (res: Response) => unknown, request: Parameters<typeof same>[1] = {}) =>
  same(
    answering((_req, res) => void answer(res)),
    request,
  );
type Loose = Record<string, (...args: unknown[]) => unknown>;
const loose = (res: Response): Loose => res as unknown as Loose;

describe('res.send', () => {
  test('body: sends text, bytes, JSON or nothing', async () => {
    for (const body of [
      'hello',
      '',
      Buffer.from('bytes'),
      { a: [1] },
      [1, 2],
      true,
      false,
      null,
      undefined,
    ]) {
      await sends(res => res.send(body));
    }
    assert.equal((await sends(res => loose(res).send!())).text, '');
  });

  test('status, body: takes the status first', async () => {
    for (const body of ['created', { id: 1 }, Buffer.from('x'), null, '']) {
      assert.equal((await sends(res => res.send(201, body))).status, 201);
    }
    await sends(res => res.send(404, 'x'), { method: 'HEAD' });
  });

  test('body, status: takes the arguments in the other order too', async () => {
    for (const body of ['created', { id: 1 }]) {
      assert.equal((await sends(res => loose(res).send!(body, 201))).status, 201);
    }
  });

  test('status alone: sends its text as the body', async () => {
    assert.equal((await sends(res => res.send(404))).text, 'Not Found');
    for (const status of [200, 201, 204, 299, 304, 400, 500]) await sends(res => res.send(status));
  });

  test('status alone: is sent as JSON if that type is set', async () => {
    await sends(res => res.type('json').send(404));
  });

  test('etag: a function gets text with its encoding, and bytes unchanged', async () => {
    const tag = (...args: unknown[]) =>
      `"${Buffer.from(inspect([args.length, ...args]).replace(/\s/g, '')).toString('hex')}"`;
    const seen = async (respond: (res: Response) => unknown, request = '/') => {
      const { headers } = await same(
        answering((_req, res) => void respond(res), { etag: tag, 'json spaces': 0 }),
        request,
      );
      return Buffer.from(headers.etag!.replaceAll('"', ''), 'hex').toString();
    };
    // This tests the tag itself, whose hash the comparison leaves out
    assert.equal(await seen(res => res.send('é')), "[2,'é','utf8']");
    assert.equal(await seen(res => res.send('')), "[2,'','utf8']");
    assert.equal(await seen(res => res.send('x'.repeat(2000))), `[2,'${'x'.repeat(2000)}','utf8']`);
    assert.equal(await seen(res => res.json(['é'])), "[2,'[\"é\"]','utf8']");
    assert.match(await seen(res => res.jsonp(1), '/?callback=f'), /f\(1\);",'utf8'\]$/);
    assert.equal(await seen(res => res.send(Buffer.from('é'))), '[2,<Bufferc3a9>,undefined]');
  });

  test('Content-Type: is kept if set, and text gets a charset', async () => {
    for (const type of ['text/plain', 'html', 'png', 'text/html; charset=iso-8859-1']) {
      await sends(res => res.type(type).send('é'));
      await sends(res => res.type(type).send(Buffer.from('é')));
    }
  });

  test('304: is sent if the client has the response', async () => {
    const tag = { ETag: '"1"' };
    await sends(res => res.set(tag).send('x'), { headers: { 'If-None-Match': '"1"' } });
  });

  test('HEAD: sends the headers without the body', async () => {
    await sends(res => res.send('hello'), { method: 'HEAD' });
  });

  test('sendStatus: is available as in 4.x', async () => {
    const { text } = await same(answering((_req, res) => void (res.sendStatus ?? res.send).call(res, 403)));
    assert.equal(text, 'Forbidden');
  });
});

describe('res.json', () => {
  test('body: sends any JSON value', async () => {
    for (const body of [{ a: 1 }, [1], 'text', 5, true, null]) await sends(res => res.json(body));
  });

  test('status, body: takes the status first or last', async () => {
    assert.equal((await sends(res => res.json(500, { error: 'x' }))).status, 500);
    assert.equal((await sends(res => loose(res).json!({ error: 'x' }, 500))).status, 500);
    await sends(res => res.json(201, [1]));
  });
});

describe('res.jsonp', () => {
  test('callback: sends a guarded call; without a callback, JSON', async () => {
    for (const path of ['/?callback=f', '/', '/?callback=', '/?callback=a.b[0]', '/?callback=a&callback=b']) {
      await sends(res => res.jsonp({ a: '\u2028' }), path);
    }
    assert.match(
      (await sends(res => res.jsonp(1), '/?callback=f;alert(1)')).text,
      /^\/\*\*\/ typeof falert1 ===/,
    );
  });

  test('status, body: takes the status first', async () => {
    for (const path of ['/', '/?callback=f']) {
      assert.equal((await sends(res => res.jsonp(500, { error: 'x' }), path)).status, 500);
    }
  });
});

describe('res.status', () => {
  test('code: sets the status and can be chained', async () => {
    assert.equal((await sends(res => res.status(404).send('none'))).status, 404);
  });
});

const folder = path.join(__dirname, '../../engine/test/fixtures/views');
const file = path.join(folder, 'user.tmpl');
const answer = (send: (res: Response) => void) => answering((_req, res) => send(res));

const sendsFile = (send: (res: Response) => void, headers: Record<string, string> = {}) =>
  same(answer(send), { headers });

describe('res.sendfile', () => {
  test('path: is absolute, or relative to the root or the working directory', async () => {
    assert.equal((await sendsFile(res => res.sendfile(file))).status, 200);
    await sendsFile(res => res.sendfile('user.tmpl', { root: folder }));
    await sendsFile(res => res.sendfile(path.relative(process.cwd(), file)));
  });

  test('path: never leaves the root', async () => {
    for (const name of ['../views/user.tmpl', '../../res.sendFile.test.ts', '/../user.tmpl']) {
      assert.equal((await ours(answer(res => res.sendfile(name, { root: folder })))).status, 403);
    }
  });

  test('maxAge: is in milliseconds; 0 by default', async () => {
    const { headers } = await sendsFile(res => res.sendfile(file, { maxAge: 60_000 }));
    assert.equal(headers['cache-control'], 'public, max-age=60');
    assert.equal((await sendsFile(res => res.sendfile(file))).headers['cache-control'], 'public, max-age=0');
  });

  test('Range: sends the requested part', async () => {
    assert.equal((await sendsFile(res => res.sendfile(file), { Range: 'bytes=0-1' })).status, 206);
  });

  test('fn: gets the error and must send the response', async () => {
    const { text } = await sendsFile(res =>
      res.sendfile('/nowhere/x', err => {
        res.send(404, `${String((err as Error & { status: number }).status)} ${String(res.headersSent)}`);
      }),
    );
    assert.equal(text, '404 false');
    await sendsFile(res =>
      res.sendfile('none', { root: folder }, err => res.send(404, String(Boolean(err)))),
    );
  });

  test('error: goes to the error handlers without fn; a directory is passed on', async () => {
    assert.equal((await ours(answer(res => res.sendfile('/nowhere/x')))).status, 404);
    assert.equal((await sendsFile(res => res.sendfile(folder))).text, 'Cannot GET /\n');
  });
});

describe('res.download', () => {
  test('filename: is taken from the path, or given explicitly', async () => {
    const { headers } = await sendsFile(res => res.download(file));
    assert.equal(headers['content-disposition'], 'attachment; filename="user.tmpl"');
    await sendsFile(res => res.download(file, 'other.txt'));
    const other = await ours(answer(res => res.download(file, '€.txt')));
    assert.match(other.headers['content-disposition']!, /filename\*=UTF-8''%E2%82%AC\.txt/);
  });

  test('fn: works with or without a file name and gets the error', async () => {
    for (const send of [
      (res: Response, fn: (err: Error) => void) => res.download('/nowhere/x', fn),
      (res: Response, fn: (err: Error) => void) => res.download('/nowhere/x', 'name', fn),
    ]) {
      const { text } = await sendsFile(res =>
        send(res, err => res.send(404, `${String(Boolean(err))} ${String(res.get('Content-Disposition'))}`)),
      );
      assert.equal(text, 'true undefined');
    }
  });
});

const located = (urls: string[]) =>
  looking((_req, res) => urls.map(url => res.location(url).get('Location')));

const mounted =
  (path: string, build: Build): Build =>
  web =>
    web().use(path, build(web));

const URLS = [...words('c /c ./c ../c .. . ./ ../../../c ?q #h'), '', 'c/d', 'admin/post/new'];
const OTHERS = ['http://x.com/y', '//h/x', 'mailto:x@y', 'a:b', 'https:foo', 'c/../d'];

/** Redirects, including those relative to the mount or to the request. */
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

  test('this: is the object of handlers, which may call each other', async () => {
    const handlers = {
      html(this: { json: () => unknown }) {
        this.json();
      },
      json: () => undefined as unknown,
    };
    const build = answering((_req, res) => {
      handlers.json = () => res.send('json');
      res.format(handlers);
    });
    const { text } = await same(build, { headers: { Accept: 'text/html' } });
    assert.equal(text, 'json');
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
