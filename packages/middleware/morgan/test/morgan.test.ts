import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import morgan from '@ristretto/morgan';
import original from 'morgan';
import { ask, withServer } from '../../../engine/test/support/http.js';
import { askHttp2 } from '../../../engine/test/support/http2.js';
import { until } from '../../../engine/test/support/until.js';
import { application } from '../../test-support/frameworks.js';
import type { FrameworkName, Handler } from '../../test-support/frameworks.js';

function logged(format: string, lines: string[]): Handler {
  return morgan(format, { stream: { write: line => void lines.push(line) } }) as Handler;
}

/** Runs a program and returns what it writes to the standard error. */
function errorsOf(program: string, env = {}): string {
  return execFileSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
}

describe('morgan', () => {
  test('morgan: has the members of the original, for import and for require', async () => {
    assert.deepEqual(Object.getOwnPropertyNames(morgan), Object.getOwnPropertyNames(original));
    const imported = Object.keys((await import('@ristretto/morgan')) as object);
    for (const name of ['compile', 'format', 'token']) assert.ok(imported.includes(name), name);
    assert.equal(morgan.length, original.length);
    assert.equal(morgan('tiny').name, 'logger');
  });

  test('morgan: text from clients cannot end a line, fake a field or reach a terminal (CVE-2019-5413)', async () => {
    const lines: string[] = [];
    const user = Buffer.from('a\nb "\u001b[31m:x').toString('base64');
    await ask(application('http', [logged(':remote-user ":user-agent"', lines), (_req, res) => res.end()]), {
      headers: { Authorization: `Basic ${user}`, 'User-Agent': 'x" "y\\' },
    });
    assert.deepEqual(lines, ['a\\nb \\"\\u001b[31m "x\\" \\"y\\\\"\n']);
  });

  test('morgan: a user name of Basic authentication cannot begin another line (CVE-2026-5078)', async () => {
    const lines: string[] = [];
    const app = application('http', [logged('combined', lines), (_req, res) => res.end()]);
    for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
      const user = Buffer.from(`a${end}::1 - root [x] "GET /faked HTTP/1.1" 200 0:x`).toString('base64');
      await ask(app, { headers: { Authorization: `Basic ${user}` } });
    }
    assert.equal(lines.length, 8);
    for (const line of lines) assert.match(line, /^[ -~]+\n$/);
  });

  test('morgan: every character is escaped as in the original', () => {
    for (let code = 0; code < 0x3000; code++) {
      const req = { headers: { 'user-agent': `x${String.fromCharCode(code)}` } };
      const tokens = [morgan, original].map(each =>
        (each as never as Record<string, (req: unknown) => string>)['user-agent']!(req),
      );
      assert.equal(tokens[0], tokens[1]);
    }
  });

  test('morgan: tokens of applications are escaped and called as by the original', () => {
    const [ours, theirs] = [morgan, original].map(each => {
      const members = each as unknown as Record<string, unknown>;
      const line = (format: string) => each.compile(format)(each as never, {} as never, {} as never);
      each.token('text', () => 'a\n"b\\\u001b');
      each.token('list', () => ['a\n'] as never);
      each.token('self', function self(this: unknown, ...args: unknown[]) {
        return `${this === each} ${args.length}`;
      } as never);
      members.assigned = () => 'a\n';
      return [line(':text :list :self :self[x] :assigned'), (members.text as () => string)()];
    });
    assert.deepEqual(ours, theirs);
    assert.deepEqual(ours?.[1], 'a\\n\\"b\\\\\\u001b');
  });

  test('morgan: formats and tokens of the wrong type, and messages with few members, are as with the original', () => {
    const outcome = (use: () => unknown): unknown => {
      try {
        return use();
      } catch (error) {
        return (error as Error).name;
      }
    };
    const request = (more: object): never => ({ headers: {}, method: 'GET', url: '/', ...more }) as never;
    const response = (more: object): never =>
      ({ statusCode: 200, getHeader: () => undefined, ...more }) as never;
    const uses: ((api: typeof morgan) => unknown)[] = [
      api => api.compile(5 as never),
      api => api.token('missing', 5 as never) === api,
      api => api.compile(':missing')(api as never, request({}), response({})),
      api =>
        api.compile(':remote-addr')(
          api as never,
          request({ connection: { remoteAddress: 'a' } }),
          response({}),
        ),
      api => api.compile(':remote-addr')(api as never, request({ socket: {} }), response({})),
      api => api.compile(':status')(api as never, request({}), response({ headersSent: true })),
      api => api.compile(':status')(api as never, request({}), response({ _header: 'x' })),
      api => api.compile(':status')(api as never, request({}), response({})),
      ...['', 'Basic', 'Basic !', 'Basic YQ==', 'basic  YTpi ', 'Bearer x'].map(
        (authorization: string) => (api: typeof morgan) =>
          api.compile(':remote-user')(api as never, request({ headers: { authorization } }), response({})),
      ),
    ];
    for (const [index, use] of uses.entries())
      assert.deepEqual(
        outcome(() => use(morgan)),
        outcome(() => use(original as typeof morgan)),
        String(index),
      );
  });

  test('morgan: a format is text, not code', () => {
    const format = morgan.compile('${process.exit(1)} " + process.exit(1) + " \' ` \\');
    assert.equal(
      format(morgan as never, {} as never, {} as never),
      '${process.exit(1)} " + process.exit(1) + " \' ` \\',
    );
  });

  test('morgan: formats work where code cannot be generated from strings', () => {
    const program = `const morgan = require('@ristretto/morgan'); morgan('combined'); process.stdout.write('ok')`;
    const out = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '-e', program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    assert.equal(out, 'ok');
  });

  test('morgan: an undefined token throws an error that names it; one defined later is used', () => {
    const format = morgan.compile(':later');
    assert.throws(
      () => format(morgan as never, {} as never, {} as never),
      /there is no token :later; define it with morgan.token\('later', fn\)/,
    );
    morgan.token('later', () => 'x');
    assert.equal(format(morgan as never, {} as never, {} as never), 'x');
  });

  test('morgan: a token, a format or skip that throws after the response is a warning', async t => {
    const warnings: Error[] = [];
    t.mock.method(process, 'emitWarning', (warning: Error) => warnings.push(warning));
    const fail = (): never => {
      throw new Error('mine');
    };
    morgan.token('failing', fail);
    for (const [format, options] of [[':failing'], [fail], ['tiny', { skip: fail }]] as [string, object?][]) {
      const stream = { write: () => assert.fail('a line') };
      await ask(
        application('http', [morgan(format, { stream, ...options }) as never, (_req, res) => res.end()]),
      );
    }
    await until(() => warnings.length === 3);
    assert.ok(warnings.every(({ message }) => message === 'mine'));
    t.mock.restoreAll();
    const warned = once(process, 'warning');
    const failWithNull = (): never => {
      throw null;
    };
    await ask(application('http', [morgan(failWithNull) as never, (_req, res) => res.end()]));
    assert.equal(((await warned) as [Error])[0].message, 'null');
  });

  test('morgan: a replaced built-in token is called, also by loggers created before', async () => {
    const url = (morgan as never as Record<string, never>).url!;
    const lines: string[] = [];
    const app = application('http', [logged(':url', lines), (_req, res) => res.end()]);
    morgan.token('url', req => `replaced ${String(req.url)}`);
    await ask(app, '/a');
    morgan.token('url', url);
    assert.deepEqual(lines, ['replaced /a\n']);
  });

  test('morgan: a client that disconnects gets a line without a status', async () => {
    for (const name of ['express4', 'ristretto', 'ristretto5', 'http'] as FrameworkName[]) {
      const lines: string[] = [];
      let started: () => void = () => undefined;
      const isStarted = new Promise<void>(resolve => (started = resolve));
      const app = application(name, [logged(':method :url :status :response-time', lines), () => started()]);
      await withServer(app, async port => {
        const socket = net.connect(port, '127.0.0.1', () =>
          socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'),
        );
        await isStarted;
        socket.destroy();
        while (lines.length === 0) await new Promise(setImmediate);
      });
      assert.deepEqual(lines, ['GET /slow - -\n'], name);
    }
  });

  test('morgan: a response of http2 is logged', async () => {
    const lines: string[] = [];
    const logger = logged('HTTP/:http-version :status :res[x-a] :response-time[0]', lines);
    await askHttp2((req: http.IncomingMessage, res: http.ServerResponse) => {
      void logger(req, res, () => {
        res.setHeader('X-A', 'b');
        res.end('ok');
      });
    });
    while (lines.length === 0) await new Promise(setImmediate);
    assert.match(lines[0]!, /^HTTP\/2\.0 200 b \d+\n$/);
  });

  test('morgan: :res has headers that are passed to writeHead, as with the original', async () => {
    const respond: Handler = (_req, res) => {
      res.writeHead(201, { 'Content-Length': 5, 'X-A': ['1', '2'] });
      res.end('hello');
    };
    const frameworks: FrameworkName[] = [
      'http',
      'connect',
      'express4',
      'ristretto',
      'ristretto5',
      'ristretto3',
    ];
    for (const name of frameworks)
      for (const create of [morgan, original as unknown as typeof morgan])
        for (const format of ['combined', ':status :res[content-length] :res[x-a]']) {
          const lines: string[] = [];
          const log = create(format, { stream: { write: line => void lines.push(line) } }) as Handler;
          await ask(application(name, [log, respond], { 'x-powered-by': false }));
          await until(() => lines.length === 1);
          assert.match(lines[0]!, format === 'combined' ? / 201 5 "/ : /^201 5 1, 2\n$/, name);
        }
  });

  test('morgan: a response that has already been sent is logged', async () => {
    const lines: string[] = [];
    const logger = logged(':status', lines);
    await ask(
      http.createServer((req, res) => {
        res.end('ok');
        res.on('finish', () => void logger(req, res, () => undefined));
      }),
    );
    while (lines.length === 0) await new Promise(setImmediate);
    assert.deepEqual(lines, ['200\n']);
  });

  test('morgan: deprecated usage is reported as in the original', () => {
    const uses = `m({ format: 'tiny' }); m(); m('tiny', { buffer: 5 }); m.default; m('default'); m({}); m({ format: () => '' }); m('tiny', { buffer: true, stream: { write() {} } })`;
    const [own, theirs] = ['@ristretto/morgan', 'morgan'].map(name =>
      errorsOf(
        `const lines = []; process.on('deprecation', error => lines.push(error.message)); const m = require('${name}'); ${uses}; console.log(lines.join('\\n'))`,
      ),
    );
    assert.equal(own, theirs);
    assert.match(own!, /specify a format/);
  });

  test('morgan: the format dev has no colors with NO_COLOR', () => {
    const use = (name: string) =>
      `const m = require('${name}'); console.log(JSON.stringify([100, 200, 300, 400, 500].map(statusCode => m.dev(m, { method: 'GET', url: '/' }, { headersSent: true, statusCode, getHeader() {} }))))`;
    for (const NO_COLOR of ['', '1'])
      assert.equal(errorsOf(use('@ristretto/morgan'), { NO_COLOR }), errorsOf(use('morgan'), { NO_COLOR }));
  });

  test('morgan: lines are written together with the option buffer', async () => {
    const written: string[] = [];
    const buffer = 5 as unknown as boolean;
    const logger = morgan(':url', { buffer, stream: { write: text => void written.push(text) } });
    const app = application('http', [logger as Handler, (_req, res) => res.end()]);
    await ask(app, '/a');
    await ask(app, '/b');
    while (written.join('').length < 6) await new Promise(setImmediate);
    assert.equal(written.join(''), '/a\n/b\n');
  });
});
