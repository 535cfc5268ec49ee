/** Settings for the process and its connections: `env`, `error logger`, `keep alive timeout`. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import three from 'ristretto3';
import five from 'ristretto5';
import { inEnvironment, logged } from '../support/environment.js';
import { askHttp2, certificate } from '../support/http2.js';
import { ask, portOf } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('setting env', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    const envOf = (value: string | undefined): unknown =>
      inEnvironment({ NODE_ENV: value }, () => web().get('env'));
    test(`default: is development (${framework})`, () => {
      assert.equal(envOf(undefined), 'development');
      assert.equal(envOf(''), 'development');
    });
    test(`NODE_ENV: is the value (${framework})`, () => {
      assert.equal(envOf('production'), 'production');
      assert.equal(envOf('anything'), 'anything');
    });
    test(`NODE_ENV: is read when the application is created (${framework})`, () => {
      const app = inEnvironment({ NODE_ENV: 'before' }, () => web());
      assert.equal(
        inEnvironment({ NODE_ENV: 'after' }, () => app.get('env')),
        'before',
      );
    });
    test(`set: replaces it and has no other effect (${framework})`, () => {
      const app = inEnvironment({ NODE_ENV: 'development' }, () => web().set('env', 'production'));
      assert.equal(app.get('env'), 'production');
      assert.equal(app.get('view cache'), undefined);
    });
  }
});

type Entry = Parameters<Extract<web.Settings['error logger'], (...args: never[]) => void>>[0];

/** Returns what is written to standard error while `use` runs. */
async function written(use: () => Promise<unknown>): Promise<unknown[]> {
  // The warning about unpatched versions of Node is an exception
  return (await logged(use)).filter(text => !String(text).includes('RISTRETTO_HTTP2_UNPATCHED'));
}

const soon = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20));

const failing = (make = web): web.Express => {
  const app = make();
  app.get('/fails', () => {
    throw new Error('failed');
  });
  app.get('/later', async (_req, _res, next) => {
    next();
    await soon();
    throw new Error('after next');
  });
  app.get('/later', (_req, res) => void res.send('sent'));
  return app;
};

const seen = ({ message, error, req, res }: Entry): unknown[] => [
  message,
  (error as Error).message,
  req?.url,
  res?.req === req,
];

describe('setting error logger', () => {
  const unhandled = ['unhandled request error', 'failed', '/fails', true];

  test('a function: gets errors that no handler has handled, and nothing is written', async () => {
    for (const send of [ask, askHttp2]) {
      const entries: unknown[] = [];
      const app = failing().set('error logger', (entry: Entry) => entries.push(seen(entry)));
      const lines = await written(async () => {
        const { status } = await send(app, '/fails');
        assert.equal(status, 500);
        await soon();
      });
      assert.deepEqual([entries, lines], [[unhandled], []]);
    }
  });

  test('a function: gets rejections that occur after next() was called', async () => {
    const entries: unknown[] = [];
    const app = failing().set('error logger', (entry: Entry) => entries.push(seen(entry)));
    const lines = await written(async () => {
      assert.equal((await ask(app, '/later')).text, 'sent');
      await soon();
      await soon();
    });
    assert.deepEqual(entries, [
      ['error after the handler had passed control on', 'after next', '/later', true],
    ]);
    assert.deepEqual(lines, []);
  });

  test('an object: its error() method gets err, req and res, and the message, as in pino', async () => {
    const calls: unknown[] = [];
    const logger = {
      error(fields: { err: unknown; req?: web.Request }, message: string) {
        calls.push([
          this === logger,
          Object.keys(fields),
          (fields.err as Error).message,
          fields.req!.url,
          message,
        ]);
      },
    };
    await ask(failing().set('error logger', logger), '/fails');
    await soon();
    assert.deepEqual(calls, [[true, ['err', 'req', 'res'], 'failed', '/fails', 'unhandled request error']]);
  });

  test('env: the logger is called in tests too, but standard error is not written to', async () => {
    const entries: unknown[] = [];
    const app = failing().set('env', 'test');
    assert.deepEqual(await written(() => ask(app, '/fails').then(soon)), []);
    app.set('error logger', (entry: Entry) => entries.push(seen(entry)));
    await ask(app, '/fails');
    await soon();
    assert.deepEqual(entries, [unhandled]);
  });

  test('sub-applications: inherit it for late errors, unless they have their own', async () => {
    for (const own of [undefined, 'own'] as const) {
      const loggers: string[] = [];
      const sub = failing();
      const app = web().set('error logger', () => loggers.push('parent'));
      if (own) sub.set('error logger', () => loggers.push(own));
      app.use('/sub', sub);
      await ask(app, '/sub/later');
      await soon();
      await soon();
      await ask(app, '/sub/fails');
      await soon();
      assert.deepEqual(loggers, [own ?? 'parent', 'parent']);
    }
  });

  test('null: restores writing to standard error', async () => {
    const app = failing()
      .set('error logger', () => assert.fail())
      .set('error logger', null);
    const [line] = await written(() => ask(app, '/fails').then(soon));
    assert.match(String(line), /^Error: failed\n {4}at /);
  });

  test('null: frames of the framework are folded in all versions, in errors after next() too', async () => {
    for (const make of [web, three as unknown as typeof web, five as unknown as typeof web]) {
      for (const path of ['/fails', '/later']) {
        const lines = await written(async () => {
          await ask(failing(make).set('env', 'development'), path);
          await soon();
          await soon();
        });
        assert.equal(lines.length, 1);
        assert.match(String(lines[0]), /^Error: (?:failed|after next)\n {4}at .*settings\.process\.test/);
        assert.match(String(lines[0]), path === '/fails' ? /\n {4}at … \d+ frames of ristretto/ : /./);
        assert.doesNotMatch(String(lines[0]), /walk\.|\/engine\/(?:src|lib)\//);
      }
    }
  });

  test('failures: an error thrown by the logger is written, followed by the original error', async () => {
    const app = failing().set('error logger', () => {
      throw new Error('disk full');
    });
    const lines = await written(() => ask(app, '/fails').then(soon));
    assert.equal((lines[0] as Error).message, 'disk full');
    assert.match(String(lines[1]), /^Error: failed\n/);
  });

  test('failures: a rejection of the logger is written, followed by the original error', async () => {
    const reject = async (): Promise<never> => {
      await soon();
      throw new Error('disk full');
    };
    for (const logger of [reject, { error: reject }]) {
      const lines = await written(() => ask(failing().set('error logger', logger), '/fails').then(soon));
      assert.equal((lines[0] as Error).message, 'disk full');
      assert.match(String(lines[1]), /^Error: failed\n/);
    }
  });

  test('other values: throw', () => {
    for (const value of [5, true, 'console', {}, { error: 'no function' }]) {
      assert.throws(() => web().set('error logger', value as never), {
        name: 'TypeError',
        message: /^The setting 'error logger' must be a function or an object with a method error\(\), got /,
      });
    }
    assert.doesNotThrow(() =>
      web()
        .set('error logger', console)
        .disable('error logger' as never),
    );
    assert.doesNotThrow(() => web().set('error logger', undefined));
  });
});

type Use = (server: Server, port: number) => unknown;

async function listening(app: web.Express, args: unknown[], use: Use): Promise<void> {
  const server = (app.listen as (...all: unknown[]) => Server)(...args);
  const port = await portOf(server);
  try {
    await use(server, port);
  } finally {
    server.close();
  }
}

const sending = (make = web): web.Express => make().get('/', (_req, res) => void res.send('here'));

/** Returns the header that tells clients how long an idle connection is kept. */
async function told(port: number): Promise<string | null> {
  const response = await fetch(`http://127.0.0.1:${port}`);
  await response.text();
  return response.headers.get('keep-alive');
}

describe('setting keep-alive timeout', () => {
  test('without it: idle connections close after Node’s 5 seconds, or the server’s own timeout', async () => {
    for (const value of [undefined, null]) {
      await listening(sending().set('keep-alive timeout', value), [0], async (server, port) => {
        assert.equal(await told(port), 'timeout=5');
        server.keepAliveTimeout = 9000;
        assert.equal(await told(port), 'timeout=9');
      });
    }
  });

  test('milliseconds and text: are sent to clients in Keep-Alive, in all versions', async () => {
    for (const make of [web, three as unknown as typeof web, five as unknown as typeof web]) {
      for (const value of [75_000, '75s']) {
        await listening(sending(make).set('keep-alive timeout', value), [0], async (server, port) => {
          assert.equal(await told(port), 'timeout=75');
          assert.equal(server.keepAliveTimeout, 75_000);
        });
      }
    }
  });

  test('a short one: an idle connection is closed', async () => {
    await listening(sending().set('keep-alive timeout', 20), [0], async (_server, port) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
      await new Promise(resolve => socket.resume().once('end', resolve));
    });
  });

  test('http2: applies to HTTP/1.1 connections of the server', async () => {
    const options = { http2: true, port: 0, ...certificate() };
    await listening(sending().set('keep-alive timeout', '75s'), [options], server => {
      assert.equal(server.keepAliveTimeout, 75_000);
    });
  });

  test('other values: throw', () => {
    for (const value of [0, -1, 2 ** 31, false, true, '75', 'soon', {}]) {
      assert.throws(
        () => web().set('keep-alive timeout', value as never),
        /Expected .*the setting 'keep-alive timeout'/,
      );
    }
  });
});
