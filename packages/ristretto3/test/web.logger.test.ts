/** What is said about requests: `web.logger`, `responseTime`, `timeout`, `errorHandler`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as passed } from 'node:timers/promises';
import type { Handler, Request } from 'ristretto3/lib/middleware/connect';
import type { Ask } from '../../engine/test/support/http.js';
import { until } from '../../engine/test/support/until.js';
import { askAll, loose, oracle, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const REQUEST: Ask = { path: '/p?q', headers: { Referer: 'R', 'User-Agent': 'U' } };

/** `web.logger`: writes a line for each request, in predefined or custom formats. */
describe('web.logger', () => {
  type Options = Exclude<Parameters<Web['logger']>[0], string | ((...args: never[]) => unknown) | undefined>;
  const answer: Handler = (_req, res) => {
    res.setHeader('Content-Length', '2');
    res.end('ok');
  };
  /** Returns the log lines of some requests, with times and dates normalized. */
  async function linesOf(
    { logger }: Web,
    options: Options,
    requests: Ask[] = [REQUEST],
    expected = requests.length,
  ): Promise<string[]> {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    await askAll([logger({ ...options, stream: { write } }), answer], requests);
    await until(() => lines.length >= expected);
    return lines.map(line =>
      line
        .replace(/\d+\.\d{3} ms/g, 'T ms')
        .replace(/(?:\d{4}:)?\d{2}:\d{2}:\d{2}/g, 'T')
        .replace(/\d+\.\d{3}(?=\n)/, 'T'),
    );
  }
  async function sameLines(options: Options, requests?: Ask[], expected?: number): Promise<string[]> {
    const ours = await linesOf(web, options, requests, expected);
    assert.deepEqual(ours, await linesOf(oracle, options, requests, expected));
    return ours;
  }

  for (const format of ['default', 'combined', 'common', 'short', 'tiny']) {
    test(`format: ${format}`, async () => {
      assert.equal((await sameLines({ format })).length, 1);
    });
  }

  test('format: is default if none is given, and dev has colours', async () => {
    assert.deepEqual(await sameLines({}), await linesOf(web, { format: 'default' }));
    assert.match((await linesOf(web, { format: 'dev' }))[0]!, /GET \/p\?q .*32m.*200/);
  });

  test('tokens: all tokens of 3.x exist', async () => {
    const format =
      ':method :url :status :res[content-length] :http-version :req[host] :referrer :user-agent :remote-addr ' +
      ':remote-user :date[clf] :date[web] :response-time';
    const lines = await sameLines({ format }, [
      REQUEST,
      { ...REQUEST, headers: { Host: 'h', 'User-Agent': 'V' } },
    ]);
    assert.equal(lines.length, 2);
    assert.match(lines[0]!, /^GET \/p\?q 200 2 1\.1 127\.0\.0\.1 R U 127\.0\.0\.1 - /);
  });

  test('format: a function returns the line, or null for none', async () => {
    const format: Options['format'] = (tokens, req, res) => `${String(tokens.method!(req, res))}!`;
    assert.deepEqual(await sameLines({ format }), ['GET!\n']);
    assert.deepEqual(await sameLines({ format: () => null }, [REQUEST], 0), []);
  });

  test('immediate: logs when the request arrives', async () => {
    assert.deepEqual(await sameLines({ format: 'tiny', immediate: true }), ['GET /p?q - - - - ms\n']);
  });

  test('buffer: lines are written together', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    await askAll([web.logger({ format: ':url', buffer: 60, stream }), answer], [REQUEST, REQUEST]);
    assert.deepEqual(lines, []);
    await until(() => lines.length > 0);
    assert.deepEqual(lines, ['/p?q\n/p?q\n']);
  });

  test('buffer: true flushes after a second', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lines: string[] = [];
    const log = web.logger({
      format: ':url',
      buffer: true,
      immediate: true,
      stream: { write: line => lines.push(line) },
    });
    log({ url: '/', headers: {}, socket: {} } as never, {} as never, () => undefined);
    t.mock.timers.tick(999);
    assert.deepEqual(lines, []);
    t.mock.timers.tick(1);
    assert.equal(lines.length, 1);
  });

  test('skip: skipped requests are not logged', async () => {
    assert.deepEqual(await sameLines({ format: 'tiny', skip: () => true }, [REQUEST], 0), []);
  });

  test('stream: is standard output by default, also if only the format is given', async t => {
    const written: string[] = [];
    t.mock.method(process.stdout, 'write', (text: string) => written.push(text));
    await askAll([web.logger(':method :url'), answer], [REQUEST]);
    await until(() => written.includes('GET /p?q\n'));
  });

  test('token and format: add to the logger and return it', async () => {
    for (const one of [web, oracle]) {
      one.logger.token('animal', () => 'ferret');
      one.logger.format('zoo', ':animal at :url');
    }
    assert.deepEqual(await sameLines({ format: 'zoo' }), ['ferret at /p?q\n']);
    assert.equal(
      web.logger.token('a', () => ''),
      web.logger,
    );
    assert.equal(web.logger.format('a', ''), web.logger);
    assert.equal(typeof web.logger.compile(':url'), 'function');
  });

  test('members: are the formats and tokens of 3.x', () => {
    const ours = web.logger as unknown as Record<string, unknown>;
    const theirs = oracle.logger as unknown as Record<string, unknown>;
    for (const name of Object.keys(theirs)) assert.equal(typeof ours[name], typeof theirs[name], name);
    for (const name of ['default', 'combined', 'common', 'short', 'tiny'])
      assert.equal(ours[name], theirs[name]);
  });

  test('wrong format: throws', () => {
    for (const format of [1, true, {}]) {
      assert.throws(
        () => loose(web.logger)({ format }),
        /^TypeError: logger\(\): expected a format string or a function/,
      );
    }
  });
});

/** `web.responseTime`: sends the time until the header block, in milliseconds, as a response header. */
describe('web.responseTime', () => {
  const answer = show(() => 'ok');
  type Options = Parameters<Web['responseTime']>[0];
  const build = (options?: Options) => (web: Web) => [web.responseTime(options), answer];
  /** Returns the header, whose value is different each time. */
  async function fieldOf(options?: Options, name = 'x-response-time'): Promise<string> {
    const [ours] = await sameEach(build(options), [{}], { fields: [name] });
    return ours!.headers[name]!;
  }

  test('field: is in milliseconds with three digits', async () => {
    assert.match(await fieldOf(), /^\d+\.\d{3}ms$/);
  });

  test('digits: may be a number or an option', async () => {
    assert.match(await fieldOf(5), /^\d+\.\d{5}ms$/);
    assert.match(await fieldOf({ digits: 0 }), /^\d+ms$/);
  });

  test('header and suffix: change the name and remove the unit', async () => {
    assert.match(await fieldOf({ header: 'X-Time', suffix: false }, 'x-time'), /^\d+\.\d{3}$/);
  });

  test('function: is called with the time', async () => {
    let measured = -1;
    await sameEach(
      build((_req, _res, time) => (measured = time)),
      [{}],
    );
    assert.ok(measured >= 0 && measured < 10_000);
  });

  test('field: an existing header is kept', async () => {
    const before: Handler = (_req, res) => {
      res.setHeader('X-Response-Time', 'mine');
      res.end();
    };
    const [ours] = await sameEach(web => [web.responseTime(), before], [{}]);
    assert.equal(ours!.headers['x-response-time'], 'mine');
  });

  test('time: is measured from the middleware to the header block of the response', async () => {
    const slow: Handler = (_req, res) => void setTimeout(() => res.end(), 20);
    const [ours] = await askAll([web.responseTime(), slow], [{}]);
    assert.ok(Number.parseFloat(ours!.headers['x-response-time']!) >= 19);
  });
});

type Timed = Request & { timedout: boolean; clearTimeout(): void };
const never: Handler = () => undefined;
const timedout = show(req => (req as unknown as Timed).timedout);

/** `web.timeout`: passes a 503 error to the error handlers when a response takes too long. */
describe('web.timeout', () => {
  test('too late: passes a 503 to the error handlers', async () => {
    const [answer] = await sameEach(web => [web.timeout(10), never], [{}]);
    assert.equal(answer!.text, '503 Response timeout ETIMEDOUT');
  });

  test('in time: req.timedout is false', async () => {
    const [answer] = await sameEach(web => [web.timeout('5s'), timedout], [{}]);
    assert.equal(answer!.text, 'false');
    await sameEach(web => [web.timeout(), timedout], [{}]);
  });

  test('respond: false only emits the event', async () => {
    const late: Handler = (req, res) => {
      req.on('timeout', (time: number) => res.end(`${String(time)} ${String((req as Timed).timedout)}`));
    };
    const [answer] = await sameEach(web => [web.timeout(10, { respond: false }), late], [{}]);
    assert.equal(answer!.text, '10 true');
  });

  test('clearTimeout: cancels the timeout', async () => {
    const slow: Handler = (req, res) => {
      (req as Timed).clearTimeout();
      setTimeout(() => res.end(String((req as Timed).timedout)), 30);
    };
    const [answer] = await sameEach(web => [web.timeout(10), slow], [{}]);
    assert.equal(answer!.text, 'false');
  });

  test('answered: the timer is stopped by the header block, and by the end of the connection', async () => {
    let req: Timed | undefined;
    let raised = false;
    const streaming: Handler = (request, res) => {
      req = request as Timed;
      req.on('timeout', () => (raised = true));
      res.write('x');
      setTimeout(() => res.end(), 30);
    };
    const [answer] = await askAll([web.timeout(10), streaming], [{}]);
    assert.equal(answer!.text, 'x');
    assert.deepEqual([raised, req!.timedout], [false, false]);
    const cut: Handler = (request, res) => {
      req = request as Timed;
      req.on('timeout', () => (raised = true));
      res.destroy();
    };
    await assert.rejects(askAll([web.timeout(10), cut], [{}]));
    await passed(30);
    assert.equal(raised, false);
  });

  test('wrong time: throws', () => {
    for (const time of ['soon', NaN, -1, {}]) {
      assert.throws(() => loose(web.timeout)(time), /^(?:Type|Range)Error: Expected .*web\.timeout\(\)/);
    }
  });
});

const accepting = (type: string) => ({ headers: { Accept: type } });
const TYPES = ['text/html', 'application/json', 'text/plain', 'image/png'].map(accepting);

/** Our JSON is indented, and the heading of the page has our name. */
const BODIES = { body: true };

function problem(members: object = {}): Error {
  const error = Object.assign(new Error('b<o>om'), members);
  error.stack = 'Error: b<o>om\n    at f (x.js:1:2)';
  return error;
}

const failing =
  (error: unknown): Handler =>
  (_req, _res, next) =>
    next(error);

/** `web.errorHandler`: sends errors as HTML, JSON or text, with their status, and logs them. */
describe('web.errorHandler', () => {
  const { NODE_ENV } = process.env;
  before(() => (process.env.NODE_ENV = 'test'));
  after(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  });
  const build = (error: unknown) => (web: Web) => [failing(error), web.errorHandler()];

  test('types: sends HTML, JSON or text, whichever the client prefers', async () => {
    const [html, json, text, other] = await sameEach(build(problem()), TYPES, BODIES);
    assert.match(html!.text, /<h1>Ristretto<\/h1>[^]*b&lt;o&gt;om/);
    assert.deepEqual(JSON.parse(json!.text), {
      error: { message: 'b<o>om', stack: 'Error: b<o>om\n    at f (x.js:1:2)' },
    });
    assert.equal(text!.text, 'Error: b<o>om\n    at f (x.js:1:2)');
    assert.equal(other!.text, text!.text);
    for (const answer of [html, json, text])
      assert.equal(answer!.headers['x-content-type-options'], 'nosniff');
  });

  test('status: comes from the error, else from the response, else is 500', async () => {
    const status = async (error: unknown, before = 200) => {
      const setting: Handler = (_req, res, next) => {
        res.statusCode = before;
        next();
      };
      const links = (web: Web) => [setting, failing(error), web.errorHandler()];
      return (await sameEach(links, [accepting('text/plain')]))[0]!.status;
    };
    assert.equal(await status(problem({ status: 404 })), 404);
    assert.equal(await status(problem({ status: 200 })), 500);
    assert.equal(await status(problem(), 418), 418);
  });

  test('values that are not errors: strings and objects are sent too', async () => {
    for (const error of ['text', { a: 1 }, 5]) await sameEach(build(error), TYPES, BODIES);
  });

  test('log: is called with the error and its text', async () => {
    const logged: unknown[] = [];
    const error = problem();
    const log = (...args: unknown[]) => logged.push(args.slice(0, 2));
    await askAll([failing(error), web.errorHandler({ log })], [{}]);
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual(logged, [[error, 'Error: b<o>om\n    at f (x.js:1:2)']]);
    assert.throws(() => loose(web.errorHandler)({ log: 1 }), TypeError);
  });

  test('title: is the heading of the page', async t => {
    const before = web.errorHandler.title;
    t.after(() => (web.errorHandler.title = before));
    web.errorHandler.title = 'My site';
    const [answer] = await askAll(build(problem())(web), [accepting('text/html')]);
    assert.match(answer!.text, /<h1>My site<\/h1>/);
  });

  test('headers already sent: closes the connection', async () => {
    const late: Handler = (_req, res, next) => {
      res.write('half');
      setImmediate(() => next(problem()));
    };
    const cut = askAll([late, web.errorHandler()], [{}]);
    await assert.rejects(cut, /body is cut off/);
  });
});
