/** `addResponseHook`: what follows when a hook fails, and its response has been begun, wrapped or replaced meanwhile. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import compression from 'compression';
import express from 'express';
import session from 'express-session';
import ristretto from 'ristretto';
import type { Response as Ours } from 'ristretto';
import { ask, withServer } from '../../../engine/test/support/http.js';
import { Connection } from '../../../engine/test/support/connection.js';
import { until } from '../../../engine/test/support/until.js';
import { addResponseHook } from '../src/index.js';

type Act = (res: ServerResponse) => unknown;

const frameworks = { 'Express 4': express, ristretto: ristretto as unknown as typeof express };

const fail = (): never => {
  throw new Error('hook failed');
};

/** Hooks that fail when a response is sent in chunks. */
const failing: Record<string, Act> = {
  head: res => {
    addResponseHook(res, { head: fail });
  },
  pieces: res => {
    addResponseHook(res, { pieces: (_res, next) => ({ write: fail, end: () => next.end() }) });
  },
  'res.onSend': res => (res as Ours).onSend(fail),
  'asynchronous res.onSend': res => (res as Ours).onSend(() => sleep(3).then(fail)),
};

/** Handlers that go on when the first chunk has failed. */
const goingOn: Record<string, Act> = {
  'at once': res => {
    res.write('[1]');
    res.end('[1]');
  },
  later: async res => {
    res.write('[1]');
    await sleep(1);
    res.write('[1]');
    await sleep(6);
    res.end('[1]');
  },
};

function appOf(make: typeof express, hook: Act, handler: Act): express.Express {
  const app = make().set('env', 'test');
  app.use((_req, res, next) => {
    hook(res);
    next();
  });
  app.get('/', (_req, res) => void handler(res));
  return app;
}

describe('addResponseHook: hooks that fail', () => {
  for (const [framework, make] of Object.entries(frameworks)) {
    for (const [name, hook] of Object.entries(failing).slice(0, make === express ? 2 : 4)) {
      test(`${framework}, ${name}: an error handler that streams is not mixed with the handler that goes on`, async () => {
        for (const [title, handler] of Object.entries(goingOn)) {
          const app = appOf(make, hook, handler);
          app.use(((error: Error, _req, res, next) => {
            if (res.headersSent) {
              next(error);
              return;
            }
            res.status(500).write('sorry: ');
            setTimeout(() => res.end(error.message), 4);
          }) as express.ErrorRequestHandler);
          const { status, text } = await ask(app as never);
          assert.deepEqual([status, text], [500, 'sorry: hook failed'], title);
        }
      });
    }

    test(`${framework}: a body whose beginning has failed behind its headers is cut off`, async () => {
      const app = appOf(make, failing.pieces!, res => {
        res.writeHead(200, { 'X-A': 'b' });
        res.write('first');
        res.end('second');
      });
      await withServer(app as never, async port => {
        const connection = (await Connection.open(port)).get('/');
        await until(() => connection.isClosed);
        assert.doesNotMatch(connection.text, /second|\r\n0\r\n/);
      });
    });

    const wrappers = {
      compression: compression({ threshold: 0 }),
      'express-session': session({ secret: 'a', resave: true, saveUninitialized: true }),
    };
    for (const [name, wrapper] of Object.entries(wrappers)) {
      test(`${framework}, npm ${name} above: the response to the error is whole`, async () => {
        const sends: Act[] = [
          res => (res as express.Response).type('text').send('hello'),
          res => (res as express.Response).type('text').end('hello'),
          res => ((res as express.Response).type('text').write('hello'), res.end()),
        ];
        for (const send of sends) {
          const app = make().set('env', 'test');
          app.use((_req, res, next) => {
            failing.head!(res);
            next();
          }, wrapper);
          app.get('/', (_req, res) => void send(res));
          app.use(((error: Error, _req, res, _next) => {
            res.status(500).send(error.message);
          }) as express.ErrorRequestHandler);
          const { status, text } = await ask(app as never, { headers: { 'Accept-Encoding': 'gzip' } });
          assert.deepEqual([status, text], [500, 'hook failed']);
        }
      });
    }

    test(`${framework}: an error handler may stream behind the hooks of another interceptor`, async () => {
      const app = make().set('env', 'test');
      app.use((_req, res, next) => {
        addResponseHook(res, { whole: fail });
        const end = res.end.bind(res) as (...args: unknown[]) => typeof res;
        res.end = (...args: unknown[]) => end(...args);
        addResponseHook(res, { whole: () => sleep(4) as Promise<undefined> });
        next();
      });
      app.get('/', (_req, res) => void res.send('hello'));
      app.use(((error: Error, _req, res, _next) => {
        res.status(500).write('sorry: ');
        setTimeout(() => res.end(error.message), 3);
      }) as express.ErrorRequestHandler);
      assert.equal((await ask(app as never)).text, 'sorry: hook failed');
    });

    test(`${framework}: what an output throws in a later turn is an error of the request`, async () => {
      const later: Act = res => {
        addResponseHook(res, {
          pieces: (_res, next) => ({
            write: chunk => {
              setTimeout(() => next.write(chunk), 2);
              return true;
            },
            end: () => void setTimeout(() => next.end(), 4),
          }),
        });
      };
      const handlers: Act[] = [
        res => {
          res.statusCode = 42;
          res.write('hello');
          res.end();
        },
        res => {
          failing.pieces!(res);
          later(res);
          res.write('hello');
          res.end();
        },
      ];
      for (const handler of handlers) {
        const app = appOf(make, later, handler);
        app.use(((error: Error, _req, res, _next) => {
          res.status(500).send(`sorry: ${error.message}`);
        }) as express.ErrorRequestHandler);
        const { status, text } = await ask(app as never);
        assert.equal(status, 500);
        assert.match(text, /^sorry: (?:Invalid status code: 42|hook failed)$/);
      }
    });

    test(`${framework}: a body that is replaced behind its Content-Length is an error`, async () => {
      let caught: unknown;
      const longer: Act = res => {
        addResponseHook(res, { whole: (_res, body) => `${String(body)}!` });
      };
      const app = appOf(make, longer, res => res.writeHead(200, { 'Content-Length': 5 }).end('hello'));
      app.use(((error, _req, _res, next) => {
        caught = error;
        next(error);
      }) as express.ErrorRequestHandler);
      await assert.rejects(ask(app as never));
      assert.match(String(caught), /6 bytes, but writeHead has sent the Content-Length 5/);
    });
  }
});
