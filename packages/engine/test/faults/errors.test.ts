// runs: slow, each
/** Errors of every kind at every place: each request gets exactly one response, and the process keeps running. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import web from 'ristretto';
import type { Application, Request, Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { withServer } from '../support/http.js';
import { root, until } from '../support/tree.js';

const fail = (message: string): never => {
  throw new Error(message);
};

/** Where the error is thrown: each prepares an application that fails on `GET` or `POST /here/bad`. */
const PLACES: Record<string, (app: Application, thrown: () => never) => unknown> = {
  middleware: (app, thrown) => app.use('/here', () => thrown()),
  'a route': (app, thrown) => app.all('/here/:id', () => thrown()),
  'a route, async': (app, thrown) => app.all('/here/:id', async () => thrown()),
  'a route, in a later turn': (app, thrown) =>
    app.all('/here/:id', async () => {
      await new Promise(resolve => setImmediate(resolve));
      thrown();
    }),
  'a router in a router': (app, thrown) =>
    app.use('/here', web.Router().use(web.Router().all('/:id', () => thrown()))),
  'a mounted application': (app, thrown) => {
    const inner = web().set('env', 'test');
    inner.all('/:id', () => thrown());
    app.use('/here', inner);
  },
  'a parameter callback': (app, thrown) => {
    app.param('id', () => thrown());
    app.all('/here/:id', (_req, res) => res.send('never'));
  },
  'a parameter callback, async': (app, thrown) => {
    app.param('id', async () => thrown());
    app.all('/here/:id', (_req, res) => res.send('never'));
  },
  'an error handler': (app, thrown) => {
    app.all('/here/:id', () => fail('first'));
    app.use((_err: unknown, _req: Request, _res: Response, _next: unknown) => thrown());
  },
  'an error handler, async': (app, thrown) => {
    app.all('/here/:id', () => fail('first'));
    app.use(async (_err: unknown, _req: Request, _res: Response, _next: unknown) => thrown());
  },
  'a view engine': (app, thrown) => {
    app.set('views', root).engine('txt', () => thrown());
    app.all('/here/:id', (_req, res) => res.render('todo.txt'));
  },
  'a view engine, asynchronously': (app, thrown) => {
    app.set('views', root).engine('txt', (_path, _options, done) => {
      setImmediate(() => {
        try {
          thrown();
        } catch (error) {
          done(error || new Error('nothing was thrown'));
        }
      });
    });
    app.all('/here/:id', (_req, res) => res.render('todo.txt'));
  },
  toJSON: (app, thrown) => app.all('/here/:id', (_req, res) => res.json({ toJSON: () => thrown() })),
  'the JSON replacer': (app, thrown) => {
    app.set('json replacer', () => thrown());
    app.all('/here/:id', (_req, res) => res.json({}));
  },
  'the ETag function': (app, thrown) => {
    app.set('etag', () => thrown());
    app.all('/here/:id', (_req, res) => res.send('never'));
  },
  'the query parser': (app, thrown) => {
    app.set('query parser', () => thrown());
    app.all('/here/:id', (req, res) => res.json(req.query));
  },
  'trust proxy': (app, thrown) => {
    app.set('trust proxy', () => thrown());
    app.all('/here/:id', (req, res) => res.json(req.ip));
  },
  'res.format': (app, thrown) => app.all('/here/:id', (_req, res) => res.format({ default: () => thrown() })),
  setHeaders: (app, thrown) => {
    app.use((req, _res, next) => {
      if (req.path === '/here/bad') Object.assign(req, { method: 'GET', url: '/todo.txt' });
      next();
    });
    app.use(web.static(root, { setHeaders: () => thrown() }));
  },
  'the type of a parser': (app, thrown) => app.use(web.json({ type: () => thrown() })),
  'verify of a parser': (app, thrown) => app.use(web.json({ verify: () => thrown() })),
  'reviver of a parser': (app, thrown) => app.use(web.json({ reviver: () => thrown() })),
};

const hostile = {
  get message(): string {
    return fail('message');
  },
  get stack(): string {
    return fail('stack');
  },
  get status(): number {
    return fail('status');
  },
  toString: () => fail('toString'),
};

const KINDS: Record<string, () => unknown> = {
  'an Error': () => new Error('boom'),
  text: () => 'boom',
  undefined: () => undefined,
  null: () => null,
  0: () => 0,
  'an object without a prototype': () => Object.create(null) as unknown,
  'a frozen Error': () => Object.freeze(new Error('frozen')),
  'a status that is none': () => Object.assign(new Error('status'), { status: 'teapot', statusCode: 99999 }),
  'a status of success': () => Object.assign(new Error('fine'), { status: 200 }),
  'a status that is NaN': () => Object.assign(new Error('NaN'), { status: NaN }),
  'headers that cannot be sent': () =>
    Object.assign(new Error('headers'), { status: 503, headers: { 'Bad Name': 'a\r\nb', X: undefined } }),
  'headers that are none': () => Object.assign(new Error('headers'), { status: 503, headers: 7 }),
  'a symbol': () => Symbol('boom'),
  'a function': () => () => undefined,
  'getters that throw': () => hostile,
};

/** Sends a request and waits for its response and that of a second request, which shows that there was only one. */
async function answersOf(port: number): Promise<number[]> {
  const connection = await Connection.open(port);
  const body = '{"a":1}';
  const type = 'Content-Type: application/json';
  connection.socket.write(
    `POST /here/bad?x=1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await connection.until(/^HTTP/);
  connection.socket.write('GET /alive HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await connection.closed();
  return connection.statuses();
}

describe('errors', () => {
  for (const [place, prepare] of Object.entries(PLACES)) {
    test(`${place}: responds once to whatever is thrown, and to the next request`, async () => {
      for (const [kind, make] of Object.entries(KINDS)) {
        const app = web().set('env', 'test');
        prepare(app, () => {
          throw make();
        });
        app.get('/alive', (_req, res) => res.sendStatus(204));
        await withServer(app, async port => {
          const statuses = await answersOf(port);
          assert.equal(statuses.length, 2, `${kind}: ${statuses.join()}`);
          // Some places have never treated a falsy value as an error.
          if (make()) assert.ok(statuses[0]! >= 400, `${kind}: ${statuses[0]}`);
        });
      }
    });
  }

  test('hundreds of each: each gets its 500 response, in order, and nothing else is sent', async () => {
    const times = 200;
    const places = ['a route', 'a route, async', 'a parameter callback', 'a view engine', 'an error handler'];
    for (const place of places) {
      const app = web().set('env', 'production');
      const { error } = console;
      console.error = () => undefined;
      PLACES[place]!(app, () => fail('again'));
      app.get('/alive', (_req, res) => res.sendStatus(204));
      try {
        await withServer(app, async port => {
          const connection = await Connection.open(port);
          connection.get(...Array.from({ length: times }, () => '/here/bad'), '/alive');
          await connection.until(/ 204 /);
          const statuses = connection.statuses();
          assert.equal(statuses.length, times + 1, place);
          assert.ok(
            statuses.slice(0, times).every(status => status === 500),
            place,
          );
          connection.socket.destroy();
        });
      } finally {
        console.error = error;
      }
    }
  });

  test('the log: contains the error as thrown, or its inspection, or says that it cannot be read', async t => {
    const logged: unknown[] = [];
    t.mock.method(console, 'error', (line: unknown) => logged.push(line));
    const malformed = Object.assign(new Error('upstream'), {
      status: 502,
      headers: { 'set-cookie': ['a', 'b\n'] },
    });
    const unreadable = { status: 404, toString: () => fail('text'), [inspect.custom]: () => fail('inspect') };
    const sendable = Object.assign(new Error('fine'), { status: 503, headers: { 'X-Many': ['a', 'b'] } });
    for (const [thrown, expected] of [
      [malformed, malformed.stack],
      [sendable, sendable.stack],
      [hostile, inspect(hostile)],
      [unreadable, 'The error cannot be read'],
    ] as const) {
      const app = web().set('env', 'production');
      app.use(() => {
        throw thrown as Error;
      });
      await withServer(app, async port => {
        const connection = (await Connection.open(port)).get('/');
        await connection.until(/HTTP[^]*html>/);
        assert.deepEqual(connection.statuses(), [
          thrown === hostile ? 500 : (thrown as { status: number }).status,
        ]);
        connection.socket.destroy();
      });
      await until(() => logged.length === 1);
      assert.equal(logged.pop(), expected);
    }
  });

  test('after the header: destroys the connection, whatever fails', async () => {
    for (const late of ['a route', 'a route, async', 'a route, in a later turn', 'an error handler']) {
      const app = web().set('env', 'test');
      app.use((_req, res, next) => {
        res.write('half');
        next();
      });
      PLACES[late]!(app, () => fail('late'));
      await withServer(app, async port => {
        const connection = (await Connection.open(port)).get('/here/bad');
        await connection.closed();
        assert.deepEqual(connection.statuses(), [200], late);
        assert.ok(!connection.text.endsWith('0\r\n\r\n'), late);
      });
    }
  });
});
