// runs: each
/** `web.static` with `precompressed`: compressed files next to the original. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { RequestHandler, ServeStaticOptions } from 'ristretto';
import { ask, withServer } from '../support/http.js';
import type { Answer } from '../support/http.js';
import { isHttp2 } from '../support/transport.js';
import { report } from '../support/static.js';

const compression = createRequire(__filename)('compression') as (options: object) => RequestHandler;

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'precompressed-'));
after(() => fs.rmSync(root, { recursive: true }));

const THEN = new Date('2020-09-13T12:26:40.250Z');

/** Writes a file whose default content is its name. */
function write(name: string, text: string | Buffer = name, date = THEN): void {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
  fs.utimesSync(path.join(root, name), date, date);
}

for (const name of ['main.js', 'main.js.br', 'main.js.zst', 'main.js.gz']) write(name);
write('page.html', 'a page');
write('page.html.gz', zlib.gzipSync('a page'));
write('dir/index.html');
write('dir/index.html.br');
write('plain.txt');
write('.hidden.js');
write('.hidden.js.br');
write('old.js');
write('old.js.br', 'old', new Date(THEN.getTime() - 1000));
write('same.js');
write('same.js.br', 'of the same second', new Date(THEN.getTime() - 250));
write('twin.js', 'twin');
write('twin.js.br', 'niwt');
write('big.js', Buffer.alloc(200_000, 'a'));
write('big.js.br', Buffer.alloc(100_000, 'b'));
write('odd.js');
fs.mkdirSync(path.join(root, 'odd.js.br'));
write('odd.js.gz');

const ALL: ServeStaticOptions = { precompressed: ['br', 'zstd', 'gzip'] };

function serving(options: ServeStaticOptions = ALL): ReturnType<typeof web> {
  const app = web().set('env', 'test');
  app.use(web.static(root, options));
  return app.use(report as never);
}

/** Sends a GET request for `main.js` or another file with these headers. */
function get(
  headers: Record<string, string>,
  file = '/main.js',
  options?: ServeStaticOptions,
): Promise<Answer> {
  return ask(serving(options), { path: file, headers });
}

const accepting = (field: string, file?: string, options?: ServeStaticOptions): Promise<Answer> =>
  get({ 'Accept-Encoding': field }, file, options);

describe('web.static', () => {
  test('precompressed: sends the compressed file with its length and ETag, and the type of the original', async () => {
    const { status, headers, text } = await accepting('gzip, deflate, br');
    assert.deepEqual([status, text], [200, 'main.js.br']);
    assert.equal(headers['content-encoding'], 'br');
    assert.equal(headers['content-type'], 'application/javascript; charset=UTF-8');
    assert.equal(headers['content-length'], '10');
    assert.equal(headers.etag, 'W/"a-174876e80fa-br"');
    assert.equal(headers['last-modified'], 'Sun, 13 Sep 2020 12:26:40 GMT');
    assert.equal(headers['cache-control'], 'public, max-age=0');
    assert.equal(headers.vary, 'Accept-Encoding');
    assert.equal(headers['accept-ranges'], undefined);
  });

  test('precompressed: selects by quality, then by the order of the option', async () => {
    const chosen = async (field: string, precompressed = ALL.precompressed!): Promise<string> => {
      const answer = await accepting(field, '/main.js', { precompressed });
      assert.equal(answer.headers.vary, 'Accept-Encoding', field);
      return answer.headers['content-encoding'] ?? 'identity';
    };
    const rows: Record<string, string> = {
      'gzip, zstd, br': 'br',
      'gzip, zstd': 'zstd',
      'br;q=0.5, gzip;q=0.8': 'gzip',
      BR: 'br',
      '*': 'br',
      '*, br;q=0': 'zstd',
      'br;q=0.2, *;q=0.5': 'zstd',
      'gzip;q=0.5': 'gzip',
      'identity, gzip;q=0.5': 'identity',
      'identity, gzip': 'gzip',
      'identity;q=0.5, gzip;q=0.5': 'gzip',
      'identity;q=0, gzip;q=0.1': 'gzip',
      'identity;q=x, gzip;q=0.1': 'gzip',
      'gzip;q=0, br;q=0': 'identity',
      'gzip;Q=0, br;Q=0': 'identity',
      'gzip;q=x': 'identity',
      'br;q=-1': 'identity',
      deflate: 'identity',
      'compress, x-br': 'identity',
      'identity;q=0, *;q=0': 'identity',
      '': 'identity',
    };
    for (const [field, coding] of Object.entries(rows)) assert.equal(await chosen(field), coding, field);
    assert.equal(await chosen('gzip, zstd, br', ['gzip', 'br']), 'gzip');
    assert.equal(await chosen('zstd', ['gzip', 'br']), 'identity');
  });

  test('precompressed: the original gets Vary too, and keeps its ranges and ETag', async () => {
    const without = await get({}, '/main.js', {});
    for (const answer of [await get({}), await accepting('br', '/plain.txt')]) {
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      assert.equal(answer.headers['content-encoding'], undefined);
      assert.equal(answer.headers['accept-ranges'], 'bytes');
    }
    const { headers, text } = await get({});
    assert.deepEqual([text, headers.etag], ['main.js', without.headers.etag]);
    assert.equal(without.headers.vary, undefined);
    assert.equal(
      (await accepting('br', '/main.js', { precompressed: [] })).headers['content-encoding'],
      undefined,
    );
    assert.equal((await accepting('br', '/main.js', { precompressed: false })).headers.vary, undefined);
  });

  test('precompressed: a missing compressed file falls back to the next, and finally to the original', async () => {
    assert.equal((await accepting('br, gzip', '/page.html')).headers['content-encoding'], 'gzip');
    assert.equal((await accepting('br, zstd', '/page.html')).text, 'a page');
    assert.equal((await accepting('br', '/plain.txt')).text, 'plain.txt');
  });

  test('precompressed: HEAD and 304 describe the compressed file', async () => {
    const head = await ask(serving(), {
      method: 'HEAD',
      path: '/main.js',
      headers: { 'Accept-Encoding': 'br' },
    });
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.headers['content-encoding']],
      [200, '10', 'br'],
    );
    const coded = head.headers.etag!;
    const asked = { 'Accept-Encoding': 'br', 'If-None-Match': coded };
    const fresh = await get(asked);
    assert.deepEqual([fresh.status, fresh.text, fresh.headers.vary], [304, '', 'Accept-Encoding']);
    assert.equal(fresh.headers.etag, coded);
    assert.equal(fresh.headers['content-encoding'], undefined);
    assert.equal((await get({ ...asked, 'Accept-Encoding': 'gzip' })).status, 200);
    assert.equal((await get({ 'If-None-Match': coded })).status, 200);
    const own = (await get({})).headers.etag!;
    assert.equal((await get({ 'If-None-Match': own })).status, 304);
    assert.equal((await get({ ...asked, 'If-None-Match': own })).text, 'main.js.br');
    const since = { 'Accept-Encoding': 'br', 'If-Modified-Since': 'Sun, 13 Sep 2020 12:26:40 GMT' };
    assert.equal((await get(since)).status, 304);
  });

  test('precompressed: variants of the same size and date have different ETags', async () => {
    const tags = [await get({}, '/twin.js'), await accepting('br', '/twin.js')].map(
      ({ headers }) => headers.etag!,
    );
    assert.equal(tags[0]!.replace('"', ''), tags[1]!.replace('"', '').replace('-br', ''));
    assert.notEqual(tags[0], tags[1]);
  });

  test('precompressed: 412 applies to the compressed file, and the error response is not encoded', async () => {
    const answer = await get({ 'Accept-Encoding': 'br', 'If-Match': (await get({})).headers.etag! });
    assert.equal(answer.status, 412);
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.equal(answer.headers.vary, 'Accept-Encoding');
    const { headers } = await accepting('br');
    assert.equal((await get({ 'Accept-Encoding': 'br', 'If-Match': headers.etag! })).text, 'main.js.br');
  });

  test('precompressed: a range applies to the original', async () => {
    const part = await get({ 'Accept-Encoding': 'br', Range: 'bytes=1-3' });
    assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'ain', 'bytes 1-3/7']);
    assert.equal(part.headers['content-encoding'], undefined);
    assert.equal(part.headers.vary, 'Accept-Encoding');
    const beyond = await get({ 'Accept-Encoding': 'br', Range: 'bytes=8-' });
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */7']);
    assert.equal(beyond.headers.vary, 'Accept-Encoding');
    const { headers } = await accepting('br');
    const resumed = await get({ 'Accept-Encoding': 'br', Range: 'bytes=1-3', 'If-Range': headers.etag! });
    assert.deepEqual([resumed.status, resumed.text], [200, 'main.js']);
    const dated = { 'Accept-Encoding': 'br', Range: 'bytes=1-3', 'If-Range': headers['last-modified']! };
    assert.deepEqual((await get(dated)).status, 200, 'a date may be that of the compressed file');
  });

  test('precompressed: Range is ignored if the original is not acceptable, ranges are off, or the unit is unknown', async () => {
    const asked = { 'Accept-Encoding': 'br, identity;q=0', Range: 'bytes=1-3' };
    const whole = async (
      headers: Record<string, string>,
      options?: ServeStaticOptions,
    ): Promise<unknown[]> => {
      const { status, text } = await get(headers, '/main.js', options);
      return [status, text];
    };
    assert.deepEqual(await whole(asked), [200, 'main.js.br']);
    assert.deepEqual(await whole({ ...asked, Range: 'lines=1-3' }), [200, 'main.js.br']);
    const off = { ...ALL, acceptRanges: false };
    assert.deepEqual(await whole({ ...asked, 'Accept-Encoding': 'br' }, off), [200, 'main.js.br']);
  });

  test('precompressed: a compressed file older than the original is not sent, comparing full seconds', async () => {
    assert.equal((await accepting('br', '/old.js')).text, 'old.js');
    assert.equal((await accepting('br', '/same.js')).text, 'of the same second');
  });

  test('precompressed: a directory or a file that fstat fails for is not sent', async () => {
    const answer = await accepting('br, gzip', '/odd.js');
    assert.deepEqual([answer.text, answer.headers['content-encoding']], ['odd.js.gz', 'gzip']);
    const { fstatSync } = fs;
    let calls = 0;
    fs.fstatSync = ((...args: Parameters<typeof fstatSync>) => {
      if (calls++ === 0) throw new Error('fstat');
      return fstatSync(...args);
    }) as typeof fstatSync;
    try {
      assert.equal((await accepting('br, gzip')).text, 'main.js.gz');
    } finally {
      fs.fstatSync = fstatSync;
    }
  });

  test(
    'precompressed: a pipe is not sent, and opening it does not block',
    { skip: process.platform === 'win32' },
    async () => {
      write('piped.js');
      execFileSync('mkfifo', [path.join(root, 'piped.js.br')]);
      assert.equal((await accepting('br', '/piped.js')).text, 'piped.js');
    },
  );

  test('precompressed: nothing is sent without the original, and hidden files stay hidden', async () => {
    write('lonely.js.br');
    assert.equal((await accepting('br', '/lonely.js')).status, 404);
    assert.equal((await accepting('br', '/.hidden.js')).status, 404);
    assert.equal((await accepting('br', '/.hidden.js', { ...ALL, dotfiles: 'allow' })).text, '.hidden.js.br');
    assert.equal((await accepting('br', '/main.js/')).status, 404);
    assert.equal((await accepting('br', '/%2e%2e/main.js')).status, 404);
  });

  test('precompressed: the compressed file itself is served like any other', async () => {
    const { headers, text } = await accepting('gzip', '/main.js.br');
    assert.deepEqual([text, headers['content-encoding']], ['main.js.br', undefined]);
  });

  test('precompressed: works with index, extensions and redirects', async () => {
    assert.equal((await accepting('br', '/dir/')).text, 'dir/index.html.br');
    const redirected = await accepting('br', '/dir');
    assert.deepEqual([redirected.status, redirected.headers['content-encoding']], [301, undefined]);
    assert.equal((await accepting('br', '/main', { ...ALL, extensions: ['txt', 'js'] })).text, 'main.js.br');
    const spelled = await accepting('br', '/%6dain.js');
    assert.deepEqual([spelled.status, spelled.headers.location], [301, '/main.js']);
    assert.equal(spelled.headers['content-encoding'], undefined);
  });

  test('precompressed: setHeaders gets the original path and the stats of the sent file, and may set all headers', async () => {
    const seen: unknown[] = [];
    const options: ServeStaticOptions = {
      ...ALL,
      setHeaders(res, file, stat: fs.Stats) {
        seen.push(path.relative(root, file), stat.size, res.getHeader('Content-Encoding'));
        res.setHeader('ETag', '"mine"');
      },
    };
    const { headers } = await accepting('br', '/main.js', options);
    assert.deepEqual([...seen, headers.etag], ['main.js', 10, 'br', '"mine"']);
    const failing: ServeStaticOptions = {
      ...ALL,
      setHeaders() {
        throw new Error('mine');
      },
    };
    const failed = await accepting('br', '/main.js', failing);
    assert.deepEqual([failed.status, failed.headers['content-encoding']], [500, undefined]);
  });

  test('precompressed: Vary is added to an existing value, and an encoded response is not changed', async () => {
    const varied = web().use((_req, res, next) => {
      res.setHeader('Vary', ['Origin', 'Accept']);
      next();
    });
    const answer = await ask(varied.use(web.static(root, ALL)), '/main.js');
    assert.equal(answer.headers.vary, 'Origin, Accept, Accept-Encoding');
    const encoded = web().use((_req, res, next) => {
      res.setHeader('Content-Encoding', 'x');
      next();
    });
    const asked = { path: '/main.js', headers: { 'Accept-Encoding': 'br' } };
    const left = await ask(encoded.use(web.static(root, ALL)), asked);
    assert.deepEqual([left.text, left.headers['content-encoding']], ['main.js', 'x']);
  });

  test('precompressed: compression middleware does not compress it again', async () => {
    const app = web().use(compression({ threshold: 0 }), web.static(root, ALL));
    const { headers, body } = await ask(app, { path: '/page.html', headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(zlib.gunzipSync(body).toString(), 'a page');
  });

  test('precompressed: large files are streamed', async () => {
    const { body, headers } = await accepting('br', '/big.js');
    assert.deepEqual([body.length, headers['content-length'], body[99_999]], [100_000, '100000', 0x62]);
  });

  test('precompressed: app.fetch sends it, and the client decodes it', { skip: isHttp2 }, async () => {
    const response = await serving().fetch(
      new Request('http://x/page.html', { headers: { 'Accept-Encoding': 'gzip' } }),
    );
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(zlib.gunzipSync(Buffer.from(await response.arrayBuffer())).toString(), 'a page');
    await withServer(serving().listen(0), async port => {
      const answer = await fetch(`http://127.0.0.1:${String(port)}/page.html`);
      assert.deepEqual([await answer.text(), answer.headers.get('content-encoding')], ['a page', 'gzip']);
    });
  });

  test('precompressed: other values throw when the middleware is created', () => {
    const make = web.static as unknown as (root: string, options: object) => unknown;
    const message = (got: string): string =>
      `precompressed option must be an array of 'br', 'zstd' and 'gzip', got ${got}`;
    for (const [value, got] of [
      [true, 'true'],
      ['br', "'br'"],
      [['br', 'deflate'], "'deflate'"],
      [[1], '1'],
      [{}, '{}'],
    ] as const)
      assert.throws(() => make(root, { precompressed: value }), { name: 'TypeError', message: message(got) });
    for (const cut of [{ start: 1 }, { end: 5 }])
      assert.throws(() => make(root, { ...ALL, ...cut }), {
        name: 'TypeError',
        message: 'precompressed option cannot be combined with start or end',
      });
  });
});

describe('res.sendFile', () => {
  test('precompressed: sends the compressed file, as res.download does', async () => {
    const app = web();
    app.get('/file', (_req, res) => res.sendFile('main.js', { root, precompressed: ['gzip'] }));
    app.get('/download', (_req, res) =>
      res.download(path.join(root, 'main.js'), 'a.js', { precompressed: ['gzip'] }),
    );
    for (const asked of ['/file', '/download']) {
      const { headers, text } = await ask(app, { path: asked, headers: { 'Accept-Encoding': 'gzip' } });
      assert.deepEqual(
        [text, headers['content-encoding'], headers.vary],
        ['main.js.gz', 'gzip', 'Accept-Encoding'],
      );
      assert.equal(headers['content-type'], 'application/javascript; charset=UTF-8');
    }
  });
});
