/** Shared by the tests of the four body parsers: an application that reports what it sees, and the common options. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import zlib from 'node:zlib';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import { ask } from './http.js';
import type { Ask } from './http.js';
import { frameworks, same } from './oracle.js';
import type { Web } from './oracle.js';

export type Member = 'json' | 'raw' | 'text' | 'urlencoded';
type Make = (web: Web) => RequestHandler;

/** Returns an application that responds with what the handler, or the error handler, sees. */
export function reporting(make: Make, before?: RequestHandler): (web: Web) => Express {
  return web => {
    const app = web();
    if (before) app.use(before);
    app.use(make(web));
    app.use((req, res) => {
      res.json({ body: describeBody(req.body), _body: (req as { _body?: unknown })._body });
    });
    app.use(reportError);
    return app;
  };
}

/** Returns an error handler, recognized by its four parameters. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an error may be anything, as in the type of error handlers
export function onError(handle: (err: any, req: Request, res: Response) => void): ErrorRequestHandler {
  return (err, req, res, next) => {
    if (err) handle(err, req, res);
    else next();
  };
}

const reportError = onError((err, req, res) => {
  const { message, name, status, statusCode, expose } = err;
  const own = Object.getOwnPropertyNames(err).filter(key => key !== 'stack');
  res.status(status).json({
    ...{ ...err, own, message, name, status, statusCode, expose },
    isError: err instanceof Error,
    reqBody: describeBody(req.body),
    _body: (req as { _body?: unknown })._body,
  });
});

function describeBody(body: unknown): unknown {
  if (body === undefined) return 'undefined';
  return Buffer.isBuffer(body) ? { hex: body.toString('hex') } : body;
}

/** Encodes a body with the chunked coding, in chunks of `size` bytes. */
export function chunked(body: string | Buffer, size = 7): Buffer {
  const bytes = Buffer.from(body);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Returns a POST request with a body of the given type. */
export function post(type: string, body: string | Buffer, headers: Record<string, string> = {}): Ask {
  return { method: 'POST', headers: { 'Content-Type': type, ...headers }, body };
}

/** Returns a POST request with a body of unknown length. */
export function postChunked(type: string, body: string | Buffer, headers: Record<string, string> = {}): Ask {
  return post(type, chunked(body), { 'Transfer-Encoding': 'chunked', ...headers });
}

/** A body that a parser reads by default, and the result. */
export interface Sample {
  member: Member;
  type: string;
  body: string;
  parsed: unknown;
  /** Options passed to every parser of this kind. */
  options?: object;
}

/** Registers the tests of the options that all parsers share, and of how they handle any request. */
export function testCommonOptions(sample: Sample): void {
  const make =
    (options: object = {}): Make =>
    web =>
      web[sample.member]({ ...sample.options, ...options });
  const size = sample.body.length;
  const gzip = { 'Content-Encoding': 'gzip' };

  test(`function: is named ${sample.member}Parser and takes req, res, next`, () => {
    for (const web of Object.values(frameworks)) {
      const parser = make()(web);
      assert.equal(parser.name, `${sample.member}Parser`);
      assert.equal(parser.length, 3);
    }
  });

  test('body: is parsed, whether its length is known or not', async () => {
    const answer = await same(reporting(make()), post(sample.type, sample.body));
    assert.deepEqual(JSON.parse(answer.text), { body: sample.parsed, _body: true });
    await same(reporting(make()), postChunked(sample.type, sample.body));
  });

  test('no body: req.body is {} and the request counts as unread', async () => {
    const answer = await same(reporting(make()), {
      method: 'POST',
      headers: { 'Content-Type': sample.type },
    });
    assert.deepEqual(JSON.parse(answer.text), { body: {} });
  });

  test('empty body: may have length 0 or no chunks', async () => {
    await same(reporting(make()), post(sample.type, ''));
    await same(reporting(make()), postChunked(sample.type, ''));
  });

  test('req._body: a request that is marked as read is not parsed', async () => {
    const mark: RequestHandler = (req, _res, next) => {
      (req as { _body?: boolean })._body = true;
      next();
    };
    const answer = await same(reporting(make(), mark), post(sample.type, sample.body));
    assert.deepEqual(JSON.parse(answer.text), { body: 'undefined', _body: true });
  });

  test('req.body: an existing value is kept if the type does not match, and a falsy one becomes {}', async () => {
    for (const [body, expected] of [
      [{ kept: 1 }, { kept: 1 }],
      [0, {}],
    ]) {
      const preset: RequestHandler = (req, _res, next) => {
        req.body = body;
        next();
      };
      const answer = await same(reporting(make(), preset), post('other/type', sample.body));
      assert.deepEqual(JSON.parse(answer.text).body, expected);
    }
  });

  test('inflate: gzip and deflate, in any spelling, are inflated by default', async () => {
    for (const [coding, bytes] of [
      ['gzip', zlib.gzipSync(sample.body)],
      ['GZip', zlib.gzipSync(sample.body)],
      ['deflate', zlib.deflateSync(sample.body)],
      ['Identity', Buffer.from(sample.body)],
      ['', Buffer.from(sample.body)],
    ] as [string, Buffer][]) {
      const answer = await same(reporting(make()), post(sample.type, bytes, { 'Content-Encoding': coding }));
      assert.deepEqual(JSON.parse(answer.text).body, sample.parsed, coding);
    }
  });

  test('inflate: false rejects encoded bodies with 415, whatever their encoding', async () => {
    const build = reporting(make({ inflate: false }));
    for (const coding of ['gzip', 'foo']) {
      const answer = await same(build, post(sample.type, zlib.gzipSync(''), { 'Content-Encoding': coding }));
      assert.equal(answer.status, 415);
    }
    const identity = { 'Content-Encoding': 'identity' };
    assert.equal((await same(build, post(sample.type, sample.body, identity))).status, 200);
  });

  test('limit: is a number of bytes or text', async () => {
    for (const limit of [size, String(size), `${String(size / 1024)}kb`]) {
      assert.equal((await same(reporting(make({ limit })), post(sample.type, sample.body))).status, 200);
    }
    for (const limit of [size - 1, String(size - 1), 0, size - 0.5]) {
      const answer = await same(reporting(make({ limit })), post(sample.type, sample.body));
      assert.equal(answer.status, 413, String(limit));
      assert.equal(JSON.parse(answer.text).type, 'entity.too.large');
    }
  });

  test('limit: 100 KiB is the default, also for null', async () => {
    for (const options of [{}, { limit: undefined }, { limit: null }]) {
      const over = await same(reporting(make(options)), post(sample.type, 'x'.repeat(102_401)));
      assert.equal(over.status, 413);
      assert.equal(JSON.parse(over.text).limit, 102_400);
    }
  });

  test('limit: applies to bytes of a body of unknown length, and to inflated ones', async () => {
    const build = reporting(make({ limit: size - 1 }));
    const plain = await same(build, postChunked(sample.type, sample.body));
    assert.equal(plain.status, 413);
    const inflated = await same(build, post(sample.type, zlib.gzipSync(sample.body), gzip));
    assert.deepEqual([inflated.status, JSON.parse(inflated.text).received], [413, size]);
    const small = await same(
      reporting(make({ limit: size })),
      post(sample.type, zlib.gzipSync(sample.body), gzip),
    );
    assert.equal(small.status, 200);
  });

  test('limit: Infinity accepts everything', async () => {
    assert.equal(
      (await same(reporting(make({ limit: Infinity })), post(sample.type, sample.body))).status,
      200,
    );
  });

  test('limit: NaN or unparsable values throw when the parser is created (CVE-2026-12590)', () => {
    const unreadByAll = [Number.NaN, 'abc', '', 'kb', 'Infinity', true, false, [5], () => 1];
    const misread = ['10mbb', '10 megs', '1O0kb', '1e3', '0x10', '-5kb', -5];
    for (const limit of [...unreadByAll, ...misread]) {
      for (const web of Object.values(
        misread.includes(limit as never) ? { ours: frameworks.ristretto } : frameworks,
      )) {
        const message = `option limit "${String(limit)}" is invalid`;
        assert.throws(() => make({ limit })(web), { name: 'TypeError', message });
      }
    }
  });

  test('type: may be a media type, an extension, a suffix, a wildcard or a list', async () => {
    for (const [option, type, taken] of [
      ['application/x-mine', 'application/x-mine', true],
      ['application/x-mine', 'Application/X-Mine; a=b', true],
      ['application/x-mine', sample.type, false],
      ['application/X-Mine', 'application/x-mine', false],
      ['html', 'text/html', true],
      ['+mine', 'application/vnd.a+mine', true],
      ['+mine', 'application/mine', false],
      ['image/*', 'image/png', true],
      ['*/*', 'image/png', true],
      [['html', 'image/*'], 'image/png', true],
      [['html', 'image/*'], 'text/plain', false],
      [['html', undefined], 'text/html', true],
      [[5], 'text/html', false],
      [[], 'text/html', true],
    ] as [unknown, string, boolean][]) {
      const answer = await same(reporting(make({ type: option })), post(type, sample.body));
      assert.equal(JSON.parse(answer.text)._body, taken || undefined, `${String(option)} ${type}`);
    }
  });

  test('type: null, false and empty select the default', async () => {
    for (const type of [null, false, '', undefined]) {
      const answer = await same(reporting(make({ type })), post(sample.type, sample.body));
      assert.deepEqual(JSON.parse(answer.text).body, sample.parsed);
    }
  });

  test('type: a function is called with the request if there is a body', async () => {
    const calls: unknown[] = [];
    const type = (...args: { headers: Record<string, string> }[]): unknown => {
      calls.push(args.length);
      return args[0]?.headers['x-parse'];
    };
    const build = reporting(make({ type }));
    const taken = await same(build, { method: 'POST', headers: { 'X-Parse': '1' }, body: sample.body });
    assert.deepEqual(JSON.parse(taken.text).body, sample.parsed);
    const left = await same(build, post(sample.type, sample.body));
    assert.deepEqual(JSON.parse(left.text), { body: {} });
    await same(build, { method: 'POST', headers: { 'X-Parse': '1' } });
    assert.deepEqual(calls, [1, 1, 1, 1]);
  });

  test('type: an error thrown by the function goes to the error handlers', async () => {
    const type = (): never => {
      throw Object.assign(new Error('no'), { status: 418 });
    };
    assert.equal((await same(reporting(make({ type })), post(sample.type, sample.body))).status, 418);
  });

  test('type: another kind of value throws when the parser is created', () => {
    for (const type of [5, true, /json/]) {
      const message = `option type must be a string, an array of strings or a function, not "${String(type)}"`;
      assert.throws(() => make({ type })(frameworks.ristretto), { name: 'TypeError', message });
    }
  });

  test('type: a malformed Content-Type matches no type (CVE-2022-41919)', async () => {
    for (const tail of ['\ta', ' garbage', '; junk', ';', ',text/plain', '; a=b; c']) {
      const answer = await same(reporting(make()), post(sample.type + tail, sample.body));
      assert.deepEqual(JSON.parse(answer.text), { body: {} }, tail);
    }
  });

  test('verify: gets req, res, the inflated bytes and the charset', async () => {
    const seen: unknown[] = [];
    const verify = (...args: unknown[]): void => {
      const [req, res, bytes, charset] = args as [{ res: unknown }, { req: unknown }, Buffer, unknown];
      seen.push([args.length, req.res === res, res.req === req, bytes.toString(), charset]);
    };
    await same(reporting(make({ verify })), post(sample.type, zlib.gzipSync(sample.body), gzip));
    assert.equal(seen.length, 2);
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual((seen[0] as unknown[])[3], sample.body);
  });

  test('verify: a thrown error is 403 with the bytes, unless it has a status or a type', async () => {
    for (const cause of [
      new Error('forged'),
      new TypeError(''),
      Object.assign(new Error('who?'), { status: 401, extra: 1 }),
      Object.assign(new Error('pay'), { statusCode: 402, type: 'not.paid' }),
      Object.assign(new Error('odd'), { status: 'abc' }),
      'a string',
      { type: 'an.object', status: 499 },
    ]) {
      const verify = (): never => {
        throw cause instanceof Error ? Object.assign(new Error(cause.message), cause) : cause;
      };
      const answer = await same(reporting(make({ verify })), post(sample.type, sample.body));
      assert.ok(answer.status >= 400);
    }
  });

  test('verify: a thrown undefined or number is 403, where Express crashes the process', async () => {
    for (const cause of [undefined, null, 404]) {
      const verify = (): never => {
        throw cause;
      };
      const answer = await ask(
        reporting(make({ verify }))(frameworks.ristretto),
        post(sample.type, sample.body),
      );
      assert.equal(answer.status, 403);
      assert.equal(JSON.parse(answer.text).type, 'entity.verify.failed');
    }
  });

  test('verify: an async function is awaited, and its rejection is 403', async () => {
    const rejects = reporting(make({ verify: () => Promise.reject(new Error('forged')) }));
    const refused = await ask(rejects(frameworks.ristretto), post(sample.type, sample.body));
    assert.deepEqual([refused.status, JSON.parse(refused.text).message], [403, 'forged']);
    const resolves = reporting(make({ verify: () => Promise.resolve(false) }));
    const passed = await same(resolves, post(sample.type, sample.body));
    assert.deepEqual(JSON.parse(passed.text).body, sample.parsed);
  });

  test('verify: a value that is neither a function nor falsy throws when the parser is created', () => {
    for (const web of Object.values(frameworks)) {
      for (const verify of ['x', 1, {}, true]) {
        assert.throws(() => make({ verify })(web), {
          name: 'TypeError',
          message: 'option verify must be function',
        });
      }
      for (const verify of [undefined, null, false, '', 0]) assert.doesNotThrow(() => make({ verify })(web));
    }
  });

  test('options: may be null, omitted, or inherited', async () => {
    for (const web of Object.values(frameworks)) assert.doesNotThrow(() => web[sample.member](null as never));
    const inherited = Object.create({ ...sample.options, limit: size - 1 }) as object;
    const answer = await same(
      reporting(web => web[sample.member](inherited)),
      post(sample.type, sample.body),
    );
    assert.equal(answer.status, 413);
  });
}
