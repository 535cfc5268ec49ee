// runs: slow, each
/** Clients that disconnect in the middle of an upload or download: handlers are notified once, and nothing leaks. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import type http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { Request, RequestHandler, Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { withServer } from '../support/http.js';
import { root, until } from '../support/tree.js';

const compression = require('compression') as (options: object) => RequestHandler;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-aborts-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const noDescriptors = { skip: process.platform !== 'linux' };
const descriptors = (): number => fs.readdirSync('/proc/self/fd').length;

/** Sends half of a body and disconnects. */
async function cutUpload(port: number, target: string, fields: string, body: Buffer): Promise<void> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\n${fields}Content-Length: ${body.length}\r\n\r\n`);
  socket.write(body.subarray(0, body.length / 2), () => setImmediate(() => socket.destroy()));
  await once(socket, 'close');
}

/** Reads this many bytes of a response and disconnects. */
async function cutDownload(port: number, target: string, size: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`);
  let received = 0;
  socket.on('data', piece => {
    received += piece.length;
    if (received >= size) socket.destroy();
  });
  await once(socket, 'close');
}

describe('aborts', () => {
  test('mid-body: every parser reports the abort once, for plain and encoded bodies', async () => {
    const errors: string[] = [];
    const app = web().set('env', 'test');
    app.use(web.json(), web.urlencoded({ extended: true }), web.text(), web.raw());
    app.use((_req, res) => void res.send('whole'));
    app.use((err: { type?: string }, _req: Request, _res: Response, _next: unknown) => {
      errors.push(err.type ?? String(err));
    });
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/octet-stream',
    ];
    const plain = Buffer.alloc(20_000, '"');
    const packed = zlib.gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 251)));
    await withServer(app, async port => {
      for (const type of types) {
        for (let i = 0; i < 20; i++) {
          await cutUpload(port, '/', `Content-Type: ${type}\r\n`, plain);
          await cutUpload(port, '/', `Content-Type: ${type}\r\nContent-Encoding: gzip\r\n`, packed);
        }
      }
      await until(() => errors.length >= 160);
      await (await Connection.open(port)).get('/').until(/whole/);
    });
    assert.deepEqual(
      errors,
      Array.from({ length: 160 }, () => 'request.aborted'),
    );
  });

  test(
    'mid-body: an upload to a file ends with an error and leaves no file or descriptor open',
    noDescriptors,
    async () => {
      let cut = 0;
      let files = 0;
      const app = web();
      app.post('/', (req, res) => {
        const file = path.join(folder, String(files++));
        const output = fs.createWriteStream(file);
        // Checked only now: a client may disconnect before the file is opened, and thus created.
        output.on('close', () => fs.rmSync(file, { force: true }));
        pipeline(req, output, error => {
          if (error) cut++;
          else res.end();
        });
      });
      await withServer(app, async port => {
        await cutUpload(port, '/', '', Buffer.alloc(100_000));
        await until(() => cut === 1);
        const before = descriptors();
        await Promise.all(Array.from({ length: 100 }, () => cutUpload(port, '/', '', Buffer.alloc(100_000))));
        await until(() => cut === 101);
        await until(() => descriptors() <= before && fs.readdirSync(folder).length === 0);
      });
      assert.equal(cut, 101);
    },
  );

  test(
    'mid-response: static files, plain and compressed, leave no descriptor open',
    noDescriptors,
    async () => {
      const app = web();
      app.use('/gzip', compression({ filter: () => true }), web.static(root));
      app.use(web.static(root));
      app.get('/sent', (_req, res) => res.sendFile('huge.bin', { root }, () => undefined));
      await withServer(app, async port => {
        await cutDownload(port, '/huge.bin', 1);
        const before = descriptors();
        for (const target of ['/huge.bin', '/gzip/huge.bin', '/sent', '/gzip/big.bin']) {
          await Promise.all(Array.from({ length: 15 }, (_, i) => cutDownload(port, target, 1 + i * 200)));
        }
        await until(() => descriptors() <= before);
      });
    },
  );

  test('mid-response: destroys the stream piped to the response', async () => {
    const sources: Readable[] = [];
    const app = web().get('/', (_req, res) => {
      const source = new Readable({
        read() {
          this.push(Buffer.alloc(60_000));
        },
      });
      sources.push(source);
      pipeline(source, res, () => undefined);
    });
    await withServer(app, async port => {
      for (let i = 0; i < 5; i++) await cutDownload(port, '/', 50_000);
      await until(() => sources.length === 5 && sources.every(source => source.destroyed));
    });
  });

  test('sources that fail: cause a 500 before the first byte, and destroy the connection after it', async () => {
    const app = web().set('env', 'test');
    app.get('/:pieces', (req, res, next) => {
      let left = Number(req.params.pieces);
      const source = new Readable({
        read() {
          if (left-- > 0) this.push('piece');
          else this.destroy(new Error('source'));
        },
      });
      source.on('error', next).pipe(res);
    });
    await withServer(app, async port => {
      const early = await (await Connection.open(port)).get('/0').until(/source/);
      assert.deepEqual(early.statuses(), [500]);
      early.socket.destroy();
      const late = (await Connection.open(port)).get('/3');
      await late.closed();
      assert.doesNotMatch(late.text, /0\r\n\r\n$/);
    });
  });

  test('a full disk: fails the request, and the next one is served', noDescriptors, async () => {
    const app = web().set('env', 'test');
    app.post('/', (req, res, next) => {
      pipeline(req, fs.createWriteStream('/dev/full'), error => {
        if (error) next(Object.assign(error, { status: 507 }));
        else res.end();
      });
    });
    app.get('/', (_req, res) => void res.send('alive'));
    await withServer(app, async port => {
      const connection = await Connection.open(port);
      connection.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
      await connection.until(/507 [^]*ENOSPC/);
      await (await Connection.open(port)).get('/').until(/alive/);
      connection.socket.destroy();
    });
  });

  test('files that vanish: cause a 404, as do views that were found before', async () => {
    const file = path.join(folder, 'gone.txt');
    const view = path.join(folder, 'gone.view');
    const app = web().set('env', 'test').set('views', folder);
    app.engine('view', (name, _options, done) => fs.readFile(name, 'utf8', done));
    app.get('/view', (_req, res) => res.render('gone.view'));
    app.get('/sent', (_req, res) => res.sendFile(file));
    app.use(web.static(folder));
    const statusOf = async (port: number, target: string): Promise<number> =>
      (await (await Connection.open(port)).get(target).until(/^HTTP/)).statuses()[0]!;
    await withServer(app, async port => {
      for (const expected of [
        [200, 200, 200],
        [500, 404, 404],
      ]) {
        if (expected[0] === 200) for (const name of [file, view]) fs.writeFileSync(name, 'here');
        else for (const name of [file, view]) fs.unlinkSync(name);
        const statuses = [];
        for (const target of ['/view', '/sent', '/gone.txt']) statuses.push(await statusOf(port, target));
        assert.deepEqual(statuses, expected);
      }
    });
  });

  test('both directions: a client that sends and reads at once and disconnects is reported once', async () => {
    let closed = 0;
    const app = web().post('/', (req: http.IncomingMessage, res: http.ServerResponse) => {
      pipeline(req, res, () => closed++);
    });
    await withServer(app, async port => {
      for (let i = 0; i < 20; i++) await cutUpload(port, '/', '', Buffer.alloc(50_000));
      await until(() => closed === 20);
    });
    assert.equal(closed, 20);
  });
});
