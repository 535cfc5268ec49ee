/** Forms with files: fields, files, storages, limits, errors, and clients that disconnect. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import original from 'multer';
import multer from '@ristretto/multer';
import web from 'ristretto';
import { Connection } from '../../../engine/test/support/connection.js';
import { withServer } from '../../../engine/test/support/http.js';
import { askHttp2 } from '../../../engine/test/support/http2.js';
import { until } from '../../../engine/test/support/until.js';
import { BOUNDARY, directory, END, field, file, openFiles, part, Server, TYPE } from './support/forms.js';
import type { Failure, Middleware, Received } from './support/forms.js';
import { words } from '../../../engine/test/support/random.js';

const LINUX = { skip: process.platform !== 'linux' };
type Storage = multer.StorageEngine;
const FACTORIES = [multer, original as unknown as typeof multer];
type Callback = (error?: unknown, info?: object) => void;

/** Creates a storage with these functions. */
function storage(
  handle: (file: Express.Multer.File, callback: Callback) => unknown,
  removed: string[] = [],
): Storage {
  return {
    _handleFile: (_req, each, callback) => handle(each, callback) as never,
    _removeFile: (_req, each, callback) => {
      removed.push(each.fieldname);
      callback(null);
    },
  };
}

describe('multer', () => {
  test('fields: become a tree in req.body, without prototypes', async t => {
    const server = await Server.start(t, multer().none());
    const { req, error } = await server.send(
      field('a', '1') + field('a', '2') + field('pet[name]', 'x') + field('t[]', 'y') + END,
    );
    assert.equal(error, undefined);
    assert.equal(Object.getPrototypeOf(req.body), null);
    assert.deepEqual(JSON.parse(JSON.stringify(req.body)), { a: ['1', '2'], pet: { name: 'x' }, t: ['y'] });
  });

  test('memory storage: single() describes the file in req.file', async t => {
    const server = await Server.start(t, multer().single('photo'));
    const { req } = await server.send(
      field('a', '1') + file('photo', 'C:\\\\x\\\\me.png', 'data', 'Image/PNG') + END,
    );
    assert.deepEqual(req.file, {
      fieldname: 'photo',
      originalname: 'me.png',
      encoding: '7bit',
      mimetype: 'image/png',
      buffer: Buffer.from('data'),
      size: 4,
    });
  });

  test('disk storage: writes a file under a random name', async t => {
    const { dest, left } = directory(t);
    const server = await Server.start(t, multer({ dest }).array('f'));
    const content = 'x'.repeat(300_000);
    const { req } = await server.send(file('f', 'a.txt', content) + file('f', 'b.txt', '') + END);
    const [first, second] = req.files as Express.Multer.File[];
    assert.match(first!.filename, /^[\da-f]{32}$/);
    assert.deepEqual(
      Object.keys(first!),
      words('fieldname originalname encoding mimetype path destination filename size'),
    );
    assert.equal(fs.readFileSync(first!.path, 'utf8'), content);
    assert.deepEqual([first!.size, second!.size, left().length], [300_000, 0, 2]);
    if (process.platform === 'linux') assert.equal(openFiles(dest), 0);
  });

  test('disk storage: flushes files to the disk if flush is set', async t => {
    const { dest } = directory(t);
    const sync = t.mock.method(fs, 'fsync');
    const server = await Server.start(
      t,
      multer({ storage: multer.diskStorage({ destination: dest, flush: true }) }).any(),
    );
    const { error } = await server.send(file('f', 'a.txt', 'x') + END);
    assert.deepEqual([error, sync.mock.callCount()], [undefined, 1]);
  });

  test('disk storage: a function that names files may read their content first', async t => {
    const { dest } = directory(t);
    const seen: string[] = [];
    const options: multer.DiskStorageOptions = {
      destination: dest,
      filename: (_req, { stream }, callback) => {
        stream.once('readable', () => {
          const start = stream.read(2) as Buffer;
          seen.push(start.toString());
          stream.unshift(start);
          callback(null, 'named');
        });
      },
    };
    const server = await Server.start(t, multer({ storage: multer.diskStorage(options) }).single('f'));
    const { error, req } = await server.send(file('f', 'a', 'MZ...') + END);
    assert.equal(error, undefined);
    assert.deepEqual(
      [seen, fs.readFileSync(path.join(dest, 'named'), 'utf8'), req.file!.size],
      [['MZ'], 'MZ...', 5],
    );
  });

  test('custom storage: reads file.stream, and its result is added to the file', async t => {
    const custom = storage((each, callback) => {
      assert.ok(!Object.keys(each).includes('stream'));
      let size = 0;
      each.stream
        .on('data', (piece: Buffer) => (size += piece.length))
        .on('end', () => callback(null, { size, key: 'k' }));
    });
    const server = await Server.start(t, multer({ storage: custom }).single('f'));
    const { req } = await server.send(file('f', 'a.txt', 'x'.repeat(100_000)) + END);
    assert.deepEqual([req.file!.size, req.file!.key, 'stream' in req.file!], [100_000, 'k', false]);
  });

  test('order: req.files follows the form, whichever file is stored first', async t => {
    let wait = 30;
    const custom = storage((each, callback) => {
      each.stream.resume();
      setTimeout(callback, (wait -= 10));
    });
    const server = await Server.start(t, multer({ storage: custom }).any());
    const { req } = await server.send(['c', 'a', 'b'].map(name => file(name, 'x', '1')).join('') + END);
    assert.deepEqual(
      (req.files as Express.Multer.File[]).map(each => each.fieldname),
      ['c', 'a', 'b'],
    );
  });

  test('streams: a request is read only as fast as its file is stored', async t => {
    let read: () => void = () => undefined;
    const custom = storage((each, callback) => {
      read = () => void each.stream.on('data', () => undefined).on('end', () => callback(null, {}));
    });
    const server = await Server.start(t, multer({ storage: custom }).any());
    const size = 32 * 1024 * 1024;
    const start = file('f', 'x', '').slice(0, -2);
    const socket = server.connect(start.length + size + END.length + 2);
    socket.write(start);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    // Data that does not fit into the buffers waits in the client.
    for (; sent < size; sent += piece.length) socket.write(piece);
    await new Promise(resolve => setTimeout(resolve, 200));
    assert.ok(socket.writableLength > size / 2, `${socket.writableLength} bytes wait`);
    const outcome = server.next();
    read();
    socket.end(`\r\n${END}`);
    const { error } = await outcome;
    assert.equal(error, undefined);
  });

  test('fileFilter: sees the fields before a file, and rejects the file without an error', async t => {
    const seen: unknown[] = [];
    const upload = multer({
      fileFilter: (req, each, callback) => {
        seen.push({ ...(req.body as object) }, Object.keys(each));
        callback(null, each.originalname !== 'no');
      },
    });
    const server = await Server.start(t, upload.fields([{ name: 'f', maxCount: 1 }]));
    const { req, error } = await server.send(
      field('a', '1') + file('f', 'no', 'x') + file('f', 'yes', 'y') + END,
    );
    assert.equal(error, undefined);
    assert.deepEqual(seen.slice(0, 2), [{ a: '1' }, ['fieldname', 'originalname', 'encoding', 'mimetype']]);
    const files = req.files as Record<string, Express.Multer.File[]>;
    assert.deepEqual(
      files.f!.map(each => each.originalname),
      ['yes'],
    );
  });

  test('AsyncLocalStorage: filter, storage and the next handler see the store of the request', async t => {
    const store = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const custom = storage((each, callback) => {
      seen.push(store.getStore());
      each.stream.resume().on('end', () => store.exit(() => setTimeout(callback, 5)));
    });
    const upload = multer({
      storage: custom,
      fileFilter: (_req, _file, callback) => (seen.push(store.getStore()), callback(null, true)),
    }).any();
    const server = await Server.start(t, ((req, res, next) => {
      store.run('mine', () => upload(req, res, error => (seen.push(store.getStore()), next(error))));
    }) as Middleware);
    await server.send(file('f', 'x', 'y') + END);
    assert.deepEqual(seen, ['mine', 'mine', 'mine']);
  });

  test('HTTP/2: receives a form', async () => {
    const upload = multer().single('f');
    const app = (req: Received, res: ServerResponse) =>
      upload(req as never, res as never, error => res.end(JSON.stringify([error, req.file?.size])));
    const { text } = await askHttp2(app, {
      method: 'POST',
      headers: { 'content-type': TYPE },
      body: file('f', 'x', 'four') + END,
    });
    assert.equal(text, '[null,4]');
  });

  test('streamHandler: feeds the parser with a body that was read before', async t => {
    const rawBody = Buffer.from(file('f', 'x', 'four') + END);
    const server = await Server.start(
      t,
      multer({ streamHandler: (_req, parser) => void parser.end(rawBody) }).single('f'),
    );
    const { req, error } = await server.send('ignored');
    assert.deepEqual([error, req.file!.size], [undefined, 4]);
  });

  test('streamHandler: waits while a file is stored, and its errors are passed to next', async t => {
    const { dest, left } = directory(t);
    const content = 'x'.repeat(3_000_000);
    const pieces = (file('f', 'x', content) + END).match(/[^]{1,50000}/g)!;
    const server = await Server.start(
      t,
      multer({
        dest,
        highWaterMark: 1000,
        streamHandler: (_req, parser) => void Readable.from(pieces).pipe(parser as Writable),
      }).any(),
    );
    assert.equal((await server.send('ignored')).error, undefined);
    assert.equal(fs.readFileSync(path.join(dest, left()[0]!), 'latin1'), content);
    const failure = new Error('no body');
    const failing: multer.Options['streamHandler'][] = [
      () => Promise.reject(failure),
      (_req, parser) => void (parser as Writable).destroy(failure),
      () => {
        throw failure;
      },
    ];
    for (const streamHandler of failing) {
      const other = await Server.start(t, multer({ streamHandler }).any());
      assert.equal((await other.send('ignored')).error, failure);
    }
  });

  test('a request with an encoding: is read as the bytes of its text', async t => {
    const upload = multer().single('f');
    const server = await Server.start(t, ((req: Received, res, next) => {
      req.setEncoding('utf8');
      upload(req as never, res, next);
    }) as Middleware);
    const { req } = await server.send(Buffer.from(file('f', 'x', 'é漢') + END));
    assert.equal(String(req.file!.buffer), 'é漢');
  });

  test('other bodies: are not parsed', async t => {
    const server = await Server.start(t, multer().any());
    const { req, error, listeners } = await server.send('{}', { 'Content-Type': 'application/json' });
    assert.deepEqual([error, req.body, req.files, listeners], [undefined, undefined, undefined, {}]);
  });
});

describe('multer errors', () => {
  const files = file('f', 'x', '') + file('f', 'x', '');
  for (const [limit, body, code, about, filename] of [
    [{ fieldNameSize: 2 }, field('abc', '1'), 'LIMIT_FIELD_KEY'],
    [{ fieldSize: 2 }, field('a', '123'), 'LIMIT_FIELD_VALUE', 'a'],
    [{ fields: 1 }, field('a', '1') + field('b', '1'), 'LIMIT_FIELD_COUNT'],
    [{ fieldNestingDepth: 1 }, field('a[b][c]', '1'), 'LIMIT_FIELD_NESTING', 'a[b][c]'],
    [{ fieldArrayIndexLimit: 2 }, field('a[3]', '1'), 'LIMIT_FIELD_ARRAY_INDEX', 'a[3]'],
    [{ fileSize: 3 }, file('f', 'x', '1234'), 'LIMIT_FILE_SIZE', 'f', 'x'],
    [{ files: 1 }, files, 'LIMIT_FILE_COUNT'],
    [{ parts: 1 }, field('a', '1') + file('f', 'x', ''), 'LIMIT_PART_COUNT'],
  ] as [object, string, string, string?, string?][]) {
    const [name] = Object.keys(limit);
    test(`limits.${name}: is enforced, as an object and as a function, and leaves no file behind`, async t => {
      const { dest, left } = directory(t);
      for (const limits of [limit, () => limit]) {
        const server = await Server.start(t, multer({ dest, limits }).any());
        const first = name === 'files' || name === 'parts' ? '' : file('first', 'y', 'z');
        const { error } = await server.send(first + body + END);
        assert.ok(error instanceof multer.MulterError, String(error));
        assert.deepEqual([error.code, error.field], [code, about]);
        if (filename !== undefined) assert.equal(error.filename, filename);
        assert.deepEqual([error.storageErrors, left()], [[], []]);
      }
    });
  }

  test('fieldNameSize: counts the escapes of browsers as they are sent, in names of fields and of files', async t => {
    for (const [fieldNameSize, code] of [
      [4, 'LIMIT_FIELD_KEY'],
      [5, undefined],
    ] as const) {
      const server = await Server.start(t, multer({ limits: { fieldNameSize } }).any());
      for (const body of [field('a%22b', '1'), file('a%0Db', 'x', '1')]) {
        const { error } = await server.send(body + END);
        assert.equal(error?.code, code);
      }
    }
  });

  test('fileSize: accepts a file of exactly that size', async t => {
    const server = await Server.start(t, multer({ limits: { fileSize: 4 } }).any());
    const { error } = await server.send(file('f', 'x', '1234') + END);
    assert.equal(error, undefined);
  });

  test('fileSize: applies while the filter decides, but not to a file that it rejects', async t => {
    for (const isAccepted of [true, false]) {
      const upload = multer({
        limits: { fileSize: 3 },
        fileFilter: (_req, _file, callback) => void setTimeout(callback, 5, null, isAccepted),
      });
      const server = await Server.start(t, upload.any());
      const { error } = await server.send(file('f', 'x', '1234') + END);
      assert.equal(error?.code, isAccepted ? 'LIMIT_FILE_SIZE' : undefined);
    }
  });

  test('fields: one too many after a file is found only once the filter has decided, beyond fileHwm', async () => {
    for (const factory of FACTORIES) {
      const removed: string[] = [];
      const upload = factory({
        fileHwm: 50,
        limits: { fields: 0 },
        fileFilter: (_req, _file, callback) => void setImmediate(callback, null, true),
        storage: storage(({ stream }, callback) => void stream.resume().on('end', callback), removed),
      });
      const chunks = [file('f', 'x', '1'.repeat(100)), field('a', '1') + END];
      const req = Object.assign(Readable.from(chunks.map(text => Buffer.from(text))), {
        headers: { 'content-type': TYPE, 'transfer-encoding': 'chunked' },
      });
      const error = await new Promise(resolve => void upload.any()(req as never, {} as never, resolve));
      assert.equal((error as Failure).code, 'LIMIT_FIELD_COUNT');
      assert.deepEqual(removed, ['f']);
    }
  });

  test('unexpected files: cause an error with the field and the file name', async t => {
    const server = await Server.start(t, multer().single('f'));
    const { error } = await server.send(file('f', 'x', '1') + file('f', 'y', '2') + END);
    assert.deepEqual(
      [error!.name, error!.code, error!.field, error!.filename],
      ['MulterError', 'LIMIT_UNEXPECTED_FILE', 'f', 'y'],
    );
  });

  test('a field without a name: causes an error', async t => {
    const server = await Server.start(t, multer().any());
    const { error } = await server.send(part('Content-Disposition: form-data', 'x') + END);
    assert.equal(error!.code, 'MISSING_FIELD_NAME');
  });

  const malformed: [string, string, string][] = [
    ['a header that is none', `--${BOUNDARY}\r\nno header\r\n\r\nx\r\n${END}`, 'Malformed part header'],
    ['a header without end', `--${BOUNDARY}\r\nX: ${'y'.repeat(20_000)}`, 'Malformed part header'],
    [
      'a boundary within a header',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n--${BOUNDARY}: b\r\n\r\nc\r\n${END}`,
      'Malformed part header',
    ],
    ['a missing last boundary', file('f', 'x', 'y'), 'Unexpected end of form'],
    ['an empty body', '', 'Unexpected end of form'],
  ];
  for (const [what, body, message] of malformed) {
    test(`${what}: causes an error, and files are removed`, async t => {
      const { dest, left } = directory(t);
      const server = await Server.start(t, multer({ dest }).any());
      const { error } = await server.send(file('f', 'x', 'y') + body);
      assert.deepEqual([error!.message, left()], [message, []]);
    });
  }

  test('Content-Type: a missing, duplicate or overlong boundary is an error', async t => {
    const server = await Server.start(t, multer().any());
    const messages: unknown[] = [];
    for (const parameters of ['', '; boundary=a; boundary=b', `; boundary=${'b'.repeat(71)}`]) {
      const { error } = await server.send(END, { 'Content-Type': `multipart/form-data${parameters}` });
      messages.push(error!.message);
    }
    assert.deepEqual(messages, [
      'Multipart: Boundary not found',
      'Malformed content type',
      'Multipart: Boundary exceeds 70 characters',
    ]);
  });

  test('the rest of the body: is discarded before the error is passed on', async t => {
    const server = await Server.start(t, multer().none());
    const head = file('f', 'x', '1');
    const rest = 'y'.repeat(1_000_000);
    const socket = server.connect(head.length + rest.length);
    socket.write(head);
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.equal(server.outcomes.length, 0);
    const outcome = server.next();
    socket.write(rest);
    const { error, req, listeners } = await outcome;
    assert.deepEqual([error!.code, req.readableEnded, listeners], ['LIMIT_UNEXPECTED_FILE', true, {}]);
    socket.destroy();
  });

  const failure = new Error('of the application');
  const throwing = (): never => {
    throw failure;
  };
  const rejecting = () => Promise.reject(failure) as never;
  const failures: Record<string, multer.Options> = {
    'fileFilter throws': { fileFilter: throwing },
    'fileFilter rejects': { fileFilter: rejecting },
    'fileFilter reports an error': { fileFilter: (_req, _file, callback) => callback(failure) },
    '_handleFile throws': { storage: storage(throwing) },
    '_handleFile rejects': { storage: storage(rejecting) },
    '_handleFile reports an error': { storage: storage((_file, callback) => callback(failure)) },
    'the stream is destroyed': { storage: storage(({ stream }) => stream.destroy(failure)) },
    'limits throws': { limits: throwing },
  };
  for (const [what, options] of Object.entries(failures)) {
    test(`${what}: ends the request with that error, and leaves no listeners`, async t => {
      const server = await Server.start(t, multer(options).any());
      const { error, listeners } = await server.send(
        file('f', 'x', 'y'.repeat(200_000)) + file('g', 'x', '1') + END,
      );
      assert.deepEqual([error, listeners], [failure, {}]);
    });
  }

  test('a function of the application that fails without a reason: ends the request with an error', async t => {
    const ways = [
      () => Promise.reject(undefined as unknown as Error),
      () => {
        throw undefined as unknown as Error;
      },
    ];
    for (const way of ways) {
      for (const options of [
        { fileFilter: way as never },
        { storage: storage(way) },
        { streamHandler: way },
      ] satisfies multer.Options[]) {
        const server = await Server.start(t, multer(options).any());
        const { error } = await server.send(file('f', 'x', '1') + END);
        assert.equal(error?.message, 'An upload failed without a reason (undefined)');
      }
    }
  });

  test('a storage that does not read the stream: does not stop the request', async t => {
    const server = await Server.start(
      t,
      multer({ storage: storage((_file, callback) => callback(null, { key: 1 })) }).any(),
    );
    const { error, req } = await server.send(file('f', 'x', 'y'.repeat(200_000)) + field('a', '1') + END);
    assert.deepEqual([error, { ...req.body }], [undefined, { a: '1' }]);
  });

  test('a storage that calls back twice: counts once', async t => {
    const custom = storage(({ stream }, callback) => {
      stream.resume();
      callback(null, { key: 1 });
      callback(new Error('late'));
    });
    const server = await Server.start(t, multer({ storage: custom }).single('f'));
    const { error, req } = await server.send(file('f', 'x', '1') + END);
    assert.deepEqual([error, req.file!.key], [undefined, 1]);
  });

  test('_removeFile: ends a file that is still being written, and calls back when it has been removed', async t => {
    const destination = directory(t).dest;
    for (const create of FACTORIES) {
      const disk = create.diskStorage({ destination, filename: (_req, _file, done) => done(null, 'x') });
      const stream = new PassThrough();
      const each = { fieldname: 'f', stream } as unknown as Express.Multer.File;
      const handled = new Promise<NodeJS.ErrnoException>(resolve =>
        disk._handleFile({} as never, each, resolve as never),
      );
      stream.push('abc');
      while (!fs.existsSync(path.join(destination, 'x'))) await turn();
      const removed = await new Promise(resolve => {
        disk._removeFile({} as never, each, resolve);
      });
      // With the original, it depends on whether the first write has ended
      assert.match((await handled).code!, /^ERR_STREAM_(?:PREMATURE_CLOSE|DESTROYED)$/);
      assert.equal(removed, null);
      assert.deepEqual([stream.destroyed, fs.readdirSync(destination)], [true, []]);
    }
  });

  test('_handleFile: a stream that is destroyed already is a STREAM_DESTROYED', async t => {
    const destination = directory(t).dest;
    for (const create of FACTORIES) {
      const each = { fieldname: 'f', stream: new PassThrough().destroy() } as unknown as Express.Multer.File;
      const { code, message } = await new Promise<NodeJS.ErrnoException>(resolve =>
        create.diskStorage({ destination })._handleFile({} as never, each, resolve as never),
      );
      assert.deepEqual([code, message], ['STREAM_DESTROYED', 'File stream was destroyed']);
    }
    const { MulterError } = original;
    for (const code of ['STREAM_DESTROYED', 'INVALID_FIELD_NAME'] as const)
      assert.equal(new multer.MulterError(code).message, new MulterError(code as never).message);
  });

  test('_removeFile: its errors are in storageErrors, with field and file', async t => {
    const custom: Storage = {
      _handleFile: (_req, { stream }, callback) => void stream.resume().on('end', () => callback(null, {})),
      _removeFile: (_req, each, callback) => {
        if (each.fieldname === 'f') callback(new Error('remove'));
        else throw new Error('thrown');
      },
    };
    const server = await Server.start(t, multer({ storage: custom, limits: { fields: 0 } }).any());
    const { error } = await server.send(file('f', 'x', '1') + file('g', 'x', '1') + field('a', '1') + END);
    const errors = error!.storageErrors!.map(each => [each.message, each.field, typeof each.file]);
    assert.deepEqual(errors, [
      ['remove', 'f', 'object'],
      ['thrown', 'g', 'object'],
    ]);
  });

  test('a request that was read or destroyed before: ends with an error', async t => {
    const upload = multer().any();
    const read = await Server.start(t, ((req: Received, res, next) => {
      req.resume().on('end', () => setTimeout(() => upload(req as never, res, next), 5));
    }) as Middleware);
    assert.equal((await read.send(field('a', '1') + END)).error!.message, 'Unexpected end of form');
    const destroyed = await Server.start(t, ((req: Received, res, next) => {
      req.on('close', () => upload(req as never, res, next));
      req.destroy();
    }) as Middleware);
    const outcome = destroyed.next();
    destroyed.connect(100);
    assert.equal((await outcome).error!.message, 'Request aborted');
  });
});

describe('multer and deadlines', () => {
  for (const isSlow of [false, true]) {
    const when = isSlow ? 'before the error handler responds' : 'after the response';
    test(`an upload that ends after its deadline, ${when}: leaves no file behind`, async t => {
      const { dest, left } = directory(t);
      let respond: (() => void) | undefined;
      const app = web().set('env', 'test');
      app.post('/', web.deadline(30), multer({ dest }).single('f') as never, (_req, res) => {
        res.send('stored');
      });
      app.use(((error, _req, res, _next) => {
        respond = () => void res.status(503).send(error.name);
        if (!isSlow) respond();
      }) as web.ErrorRequestHandler);
      await withServer(app, async port => {
        const connection = await Connection.open(port);
        const body = file('f', 'x', 'y') + END;
        const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
        connection.socket.write(head + body.slice(0, -END.length));
        await until(() => left().length > 0 && respond !== undefined);
        connection.socket.write(END);
        await until(() => left().length === 0);
        respond!();
        await connection.until(/^HTTP\/1.1 503 .*TimeoutError$/s);
        connection.socket.destroy();
      });
    });
  }
});

describe('multer and deadlines: functions that never call back', () => {
  const stalls: [string, (dest: string) => multer.Options][] = [
    [
      'fileFilter',
      dest => ({
        dest,
        fileFilter: (_req, { originalname }, callback) => {
          if (originalname !== 'stalls') callback(null, true);
        },
      }),
    ],
    [
      '_handleFile',
      dest => {
        const disk = multer.diskStorage({ destination: dest });
        return {
          storage: {
            _handleFile: (req, each, callback) => {
              if (each.originalname !== 'stalls') disk._handleFile(req, each, callback);
            },
            _removeFile: disk._removeFile.bind(disk),
          },
        };
      },
    ],
  ];
  for (const [name, optionsOf, size] of stalls.flatMap(each =>
    [1, 500_000].map(size => [...each, size] as const),
  )) {
    test(`${name} of ${size} bytes: the other files of the form are removed after the deadline`, async t => {
      const { dest, left } = directory(t);
      const errors: unknown[] = [];
      const app = web().set('env', 'test');
      app.post('/', web.deadline(100), multer(optionsOf(dest)).any() as never, (_req, res) => {
        res.send('stored');
      });
      app.use(((error, _req, _res, next) => {
        errors.push(error);
        next(error);
      }) as web.ErrorRequestHandler);
      const body = file('f', 'x', 'y') + file('g', 'stalls', 'y'.repeat(size)) + file('h', 'z', 'y') + END;
      await withServer(app, async port => {
        const connection = await Connection.open(port);
        const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
        connection.socket.write(head + body);
        await until(() => left().length > 0);
        await connection.until(/^HTTP\/1.1 503 /);
        await until(() => left().length === 0);
        connection.socket.destroy();
      });
      assert.equal(errors.length, 1);
    });
  }
});

describe('multer and clients that disconnect', () => {
  for (const [what, start] of [
    ['CVE-2026-2359: within a file', file('f', 'x', 'y') + file('g', 'x', 'z'.repeat(50_000)).slice(0, -100)],
    ['within a header', `${file('f', 'x', 'y')}--${BOUNDARY}\r\nContent-Disp`],
    ['within a field', file('f', 'x', 'y') + field('a', 'b').slice(0, -3)],
    ['before the last boundary', file('f', 'x', 'y')],
  ] as const) {
    test(`${what}: removes files, closes descriptors, and reports the error`, LINUX, async t => {
      const { dest, left } = directory(t);
      const server = await Server.start(t, multer({ dest }).any());
      const socket = server.connect(1_000_000);
      socket.write(start);
      await until(() => left().length > 0);
      const outcome = server.next();
      socket.destroy();
      const { error, listeners } = await outcome;
      assert.deepEqual([error!.message, left(), openFiles(dest), listeners], ['Request aborted', [], 0, {}]);
    });
  }

  test('while a file is being named: the file is not created', async t => {
    const { dest, left } = directory(t);
    const named: (() => void)[] = [];
    const filename: multer.DiskStorageOptions['filename'] = (_req, _file, callback) =>
      named.push(() => callback(null, 'x'));
    const server = await Server.start(
      t,
      multer({ storage: multer.diskStorage({ destination: dest, filename }) }).any(),
    );
    const socket = server.connect(1000);
    socket.write(file('f', 'x', 'y').slice(0, -2));
    await until(() => named.length > 0);
    const outcome = server.next();
    socket.destroy();
    assert.equal((await outcome).error!.message, 'Request aborted');
    named[0]!();
    await new Promise(resolve => setTimeout(resolve, 20));
    assert.deepEqual(left(), []);
  });

  test('a custom storage: a file that it stores after its stream failed is removed', async t => {
    const removed: string[] = [];
    const errors: string[] = [];
    const stored: Callback[] = [];
    const custom = storage(({ stream }, callback) => {
      stream.resume().on('error', error => errors.push(error.message));
      stored.push(callback);
    }, removed);
    const server = await Server.start(t, multer({ storage: custom }).any());
    const socket = server.connect(1000);
    socket.write(file('f', 'x', 'y').slice(0, -2));
    await until(() => stored.length > 0);
    const outcome = server.next();
    socket.destroy();
    await outcome;
    assert.deepEqual([errors, removed], [['Request aborted'], []]);
    stored[0]!(null, {});
    assert.deepEqual(removed, ['f']);
  });

  test('a hundred at once: leave no file, descriptor or memory behind', LINUX, async t => {
    const { dest, left } = directory(t);
    const server = await Server.start(t, multer({ dest }).any());
    for (let count = 0; count < 100; count++) {
      const socket = server.connect(1_000_000);
      socket.write(file('f', 'x', 'y'.repeat(count * 700)).slice(0, -2));
      // On a busy machine, clients that disconnect at a fixed time would be gone before any request has arrived
      void until(() => server.requests > 20).then(() => setTimeout(() => socket.destroy(), (count % 20) * 3));
    }
    await until(() => server.requests > 20);
    await new Promise(resolve => setTimeout(resolve, 300));
    await until(() => server.outcomes.length === server.requests);
    assert.deepEqual([server.outcomes.length, left(), openFiles(dest)], [server.requests, [], 0]);
  });
});

describe('multer and disks', () => {
  for (const [what, target, code] of [
    ['a directory that does not exist', '/missing/x', 'ENOENT'],
    ['a file that may not be written', '/taken', 'EISDIR'],
  ] as const) {
    test(`${what}: causes an error, and nothing else changes`, async t => {
      const { dest, left } = directory(t);
      fs.mkdirSync(path.join(dest, 'taken'));
      const [destination, filename] = [path.dirname(dest + target), path.basename(target)];
      const disk = multer.diskStorage({
        destination: (_req, _file, callback) => callback(null, destination),
        filename: (_req, _file, callback) => callback(null, filename),
      });
      const server = await Server.start(t, multer({ storage: disk }).any());
      const { error } = await server.send(file('f', 'x', 'y'.repeat(500_000)) + END);
      assert.deepEqual([error!.code, left()], [code, ['taken']]);
    });
  }

  test(
    'a full disk: is an error, the partial file is removed, and the next upload succeeds',
    LINUX,
    async t => {
      const { dest, left } = directory(t);
      const program = `
      const multer = require('@ristretto/multer');
      const http = require('node:http');
      const upload = multer({ dest: process.argv[1] }).any();
      const server = http.createServer((req, res) => upload(req, res, error => res.end(error ? error.code : 'ok')));
      server.listen(0, () => {
        const send = size => new Promise(done => {
          const request = http.request({ port: server.address().port, method: 'POST', headers: { 'Content-Type': '${TYPE}' } }, response => {
            let text = '';
            response.on('data', piece => (text += piece)).on('end', () => done(text));
          });
          request.end('${file('f', 'x', 'CONTENT').replaceAll('\r\n', '\\r\\n')}'.replace('CONTENT', 'y'.repeat(size)) + '${END.trim()}\\r\\n');
        });
        (async () => {
          process.stdout.write([await send(300000), require('node:fs').readdirSync(process.argv[1]).length, await send(1000)].join());
          process.exit();
        })();
      });`;
      const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
      // A file size limit is the closest to a full disk without privileges: one write is cut short, and the next fails.
      const text = execFileSync(
        'sh',
        ['-c', 'ulimit -f 128 && exec "$0" "$@"', process.execPath, '-e', program, dest],
        {
          cwd: path.join(__dirname, '..'),
          env,
          encoding: 'utf8',
        },
      );
      assert.equal(text, 'EFBIG,0,ok');
      assert.equal(left().length, 1);
    },
  );

  test('a file system that writes only some of the bytes: is asked again for the rest', async t => {
    const { dest, left } = directory(t);
    const server = await Server.start(t, multer({ dest }).any());
    const { writev } = fs;
    let calls = 0;
    t.mock.method(fs, 'writev', (fd: number, pieces: Buffer[], done: (error: Error | null) => void) => {
      const first = pieces[0]!;
      const some = calls++ % 2 === 0 ? [first.subarray(0, Math.ceil(first.length / 3))] : pieces;
      writev(fd, some, done as never);
    });
    const content = Array.from({ length: 50_000 }, (_, index) => index).join();
    assert.equal((await server.send(file('f', 'x', content) + END)).error, undefined);
    assert.equal(fs.readFileSync(path.join(dest, left()[0]!), 'latin1'), content);
    assert.ok(calls > 1);
  });

  for (const call of ['open', 'writev', 'fsync', 'close'] as const) {
    test(`fs.${call} that fails: its error is passed to next, and no file remains`, async t => {
      const { dest, left } = directory(t);
      const storage = multer.diskStorage({ destination: dest, flush: true } as multer.DiskStorageOptions);
      const server = await Server.start(t, multer({ storage }).any());
      const real = fs[call] as (...args: unknown[]) => void;
      const failing = t.mock.method(fs, call, (...args: unknown[]) => {
        const done = args.at(-1) as (error: Error) => void;
        // A file is closed even if that fails.
        if (call === 'close') real(args[0], () => done(new Error('no space')));
        else setImmediate(done, new Error('no space'));
      });
      const { error } = await server.send(file('f', 'x', 'y'.repeat(300_000)) + END);
      failing.mock.restore();
      assert.deepEqual([error!.message, left()], ['no space', []]);
    });
  }

  test('functions that name a file: their errors and rejections are passed to next', async t => {
    const failure = new Error('no name');
    const fails: Record<string, multer.DiskStorageOptions['filename']> = {
      'calls back': (_req, _file, callback) => callback(failure, ''),
      throws: () => {
        throw failure;
      },
      rejects: (() => Promise.reject(failure)) as never,
    };
    for (const [how, fail] of Object.entries(fails)) {
      for (const option of ['destination', 'filename']) {
        const server = await Server.start(
          t,
          multer({ storage: multer.diskStorage({ [option]: fail }) }).any(),
        );
        const { error } = await server.send(file('f', 'x', 'y') + END);
        assert.equal(error, failure, `${option} ${how}`);
      }
    }
  });

  test('a device that is full: causes an error', LINUX, async t => {
    const server = await Server.start(
      t,
      multer({
        storage: multer.diskStorage({
          destination: (_req, _file, callback) => callback(null, '/dev'),
          filename: (_req, _file, callback) => callback(null, 'full'),
        }),
      }).any(),
    );
    const { error } = await server.send(file('f', 'x', 'y') + END);
    assert.deepEqual([error!.code, fs.existsSync('/dev/full')], ['ENOSPC', true]);
  });

  test('a thousand files: few are open at once', LINUX, async t => {
    const { dest, left } = directory(t);
    const server = await Server.start(t, multer({ dest }).any());
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, openFiles(dest))), 1);
    t.after(() => clearInterval(timer));
    const { error } = await server.send(file('f', 'x', 'y').repeat(3000) + END);
    assert.deepEqual([error, left().length], [undefined, 3000]);
    assert.ok(most < 1000, `${most} open files`);
  });
});

describe('multer options', () => {
  const none = 5 as never;
  const { diskStorage } = multer;
  const wrong: [string, () => unknown, RegExp][] = [
    ['multer(5)', () => multer(none), /^Expected object for argument options$/],
    [
      'limits.files = -1',
      () => multer({ limits: { files: -1 } }),
      /^Expected limits.files to be a non-negative integer or Infinity$/,
    ],
    [
      'limits.filesize',
      () => multer({ limits: { filesize: 1 } as never }),
      /^Expected limits.fileSize, got limits.filesize$/,
    ],
    ['limits.files as text', () => multer({ limits: { files: '1' as never } }), /^Expected limits\.files/],
    [
      'storage without methods',
      () => multer({ storage: {} as never }),
      /^Expected storage to have a method _handleFile, got {}$/,
    ],
    ['fileFilter', () => multer({ fileFilter: none }), /^Expected fileFilter to be a function, got 5$/],
    ['defParamCharset', () => multer({ defParamCharset: 'x' }), /^Expected defParamCharset to be a charset/],
    ['defCharset', () => multer({ defCharset: none }), /^Expected defCharset to be a charset .*, got 5$/],
    ['streamHandler', () => multer({ streamHandler: none }), /^Expected streamHandler to be a function/],
    [
      'filename',
      () => diskStorage({ filename: 'x' as never }),
      /^Expected filename to be a function, got 'x'$/,
    ],
    ['destination', () => diskStorage({ destination: none }), /^Expected destination to be/],
    ['fields that are null', () => multer().fields([null as never]), /./],
    ['fields without names', () => multer().fields(['a' as never]), /^Expected a list of fields such as/],
  ];
  for (const [what, create, message] of wrong) {
    test(`${what}: a wrong value is rejected when the middleware is created`, () => {
      assert.throws(create, (error: Failure) => error instanceof TypeError && message.test(error.message));
    });
  }

  test('no value: counts as none, and an unknown code of an error is in its message', () => {
    multer({ limits: { files: undefined, parts: null as never }, storage: multer.diskStorage() });
    assert.equal(new multer.MulterError('ODD' as never).message, 'Unknown error: ODD');
  });

  test('names: import finds what require returns', () => {
    const program = `
      import multer, { diskStorage, memoryStorage, MulterError } from '@ristretto/multer';
      const same = [diskStorage === multer.diskStorage, memoryStorage === multer.memoryStorage, MulterError === multer.MulterError];
      process.stdout.write([typeof multer, ...same].join());`;
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const args = ['--input-type=module', '-e', program];
    const text = execFileSync(process.execPath, args, {
      cwd: path.join(__dirname, '..'),
      env,
      encoding: 'utf8',
    });
    assert.equal(text, 'function,true,true,true');
  });
});
