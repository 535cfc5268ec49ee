// runs: slow
/** Situations that generated applications do not produce, each on both frameworks. */
import './quiet.js';
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { RequestHandler } from 'express';
import type { Ask } from '../../packages/engine/test/support/http.js';
import { exchangeRaw, withServer } from '../../packages/engine/test/support/http.js';
import { frameworks, same } from '../../packages/engine/test/support/oracle.js';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { words } from '../../packages/engine/test/support/random.js';

type Build = (web: Web) => ReturnType<Web>;

// In production, error pages contain no stacks, which would name the framework's own files; but errors are logged.
const print = console.error;
before(() => {
  console.error = () => undefined;
});
after(() => {
  console.error = print;
});

function production(web: Web): ReturnType<Web> {
  return web().set('env', 'production');
}

function scenario(
  name: string,
  setUp: (app: ReturnType<Web>, web: Web) => void,
  requests: (string | Ask)[],
): void {
  test(`scenario: ${name}`, async () => {
    const build: Build = web => {
      const app = production(web);
      setUp(app, web);
      return app;
    };
    for (const request of requests) await same(build, request);
  });
}

/** Appends a letter to the body that the last handler sends. */
function mark(letter: string): RequestHandler {
  return (_req, res, next) => {
    res.locals.marks = `${String(res.locals.marks ?? '')}${letter}`;
    next();
  };
}

const report: RequestHandler = (req, res) => {
  const { baseUrl, originalUrl, path, params, url } = req;
  res.json({ marks: res.locals.marks, url, baseUrl, originalUrl, path, params });
};

describe('differential: the walk', () => {
  scenario(
    'handlers added while a request is processed are reached',
    app => {
      app.get('/', (_req, _res, next) => {
        app.get('/', report);
        next();
      });
    },
    ['/'],
  );
  scenario(
    'mounted applications: have their own settings and errors, and pass control back',
    (app, web) => {
      app.set('strict routing', true).set('json spaces', 1);
      const sub = production(web);
      sub.get('/a', report);
      sub.get('/set', (req, res) =>
        res.json([req.app.get('strict routing'), req.app.mountpath, req.app.path()]),
      );
      sub.get('/throw', () => {
        throw Object.assign(new Error('sub'), { status: 409 });
      });
      app.use(['/s', '/t'], mark('b'), sub, mark('c'));
      app.use(report);
    },
    ['/s/a', '/s/a/', '/t/set', '/s/throw', '/s/none', '/s', '/sx'],
  );
});

describe('differential: methods', () => {
  const routes = (app: ReturnType<Web>, web: Web) => {
    app.get('/g', report).post('/g', report);
    app.head('/h', (_req, res) => res.set('X-Head', 'own').end());
    app.get('/h', report);
    app.all('/all', report);
    app.route('/r').put(report).delete(report);
    const router = web.Router();
    router.patch('/g', report);
    app.use(router);
    app.options('/o', (_req, res) => res.send('own'));
  };
  for (const method of words('GET HEAD POST PUT PATCH OPTIONS TRACE PROPFIND M-SEARCH QUERY')) {
    // Not every version of Node.js supports QUERY.
    if (!http.METHODS.includes(method)) continue;
    scenario(
      `${method} to every kind of route`,
      routes,
      ['/g', '/h', '/all', '/r', '/o', '/none'].map(path => ({ method, path })),
    );
  }
});

describe('differential: responses', () => {
  const send = (name: string, handler: RequestHandler, requests: (string | Ask)[] = ['/']) =>
    scenario(name, app => app.use(handler), requests);
  send('custom Transfer-Encoding', (_req, res) => res.set('Transfer-Encoding', 'chunked').send('text'));
  send('custom Connection: close', (_req, res) => res.set('Connection', 'close').send('text'));
  send('custom Date', (_req, res) => res.set('Date', 'Tue, 05 Mar 2024 06:07:08 GMT').send('text'));
  send('no Date', (_req, res) => {
    res.sendDate = false;
    res.send('text');
  });
  send('custom statusMessage', (_req, res) => {
    res.statusMessage = 'Fine';
    res.send('text');
  });
  send('status codes without a reason phrase', (_req, res) => res.status(299).send('x'));
  send(
    'non-ASCII headers, with strings of every kind',
    (req, res) => {
      res.set('X-Latin', 'caf\u00e9').send(req.query.text);
    },
    ['/?text=a', '/?text=%C3%A9', '/?text=', `/?text=${'x'.repeat(2000)}`],
  );
  send('write, then end', (_req, res) => {
    res.write('a');
    res.end('b');
  });
  send('an error after the headers closes the connection', (_req, res, next) => {
    res.writeHead(200, { 'Content-Length': '10' });
    res.write('part');
    next(new Error('late'));
  });
  send('flushed headers', (_req, res) => {
    res.set('X-A', '1').flushHeaders();
    res.end('x');
  });
  send('trailers', (_req, res) => {
    res.set('Trailer', 'X-T');
    res.write('x');
    res.addTrailers({ 'X-T': '1' });
    res.end();
  });
  send('patched end and writeHead are called', (_req, res) => {
    const { end, writeHead } = res;
    res.writeHead = function patched(this: typeof res, ...args: never[]) {
      this.setHeader('X-WriteHead', '1');
      return (writeHead as (...all: never[]) => typeof res).apply(this, args);
    } as typeof writeHead;
    res.end = function patched(this: typeof res, chunk: unknown, ...args: never[]) {
      this.setHeader('X-End', Buffer.isBuffer(chunk) ? 'buffer' : typeof chunk);
      return (end as (...all: never[]) => typeof res).apply(this, [chunk, ...args] as never[]);
    } as typeof end;
    res.send('text');
  });
  send('HTTP/1.0 and closing clients', (_req, res) => res.send('text'), [
    { headers: { Connection: 'close' } },
    { headers: { Connection: 'keep-alive, close' } },
  ]);
  send('ranges do not apply to send', (_req, res) => res.send('0123456789'), [
    { headers: { Range: 'bytes=0-1' } },
  ]);
});

describe('differential: connections', () => {
  /** Returns all bytes of the connection, without those that always differ. */
  async function bytesOf(web: Web, text: string): Promise<string> {
    const app = production(web);
    app.use('/slow', (_req, res) => {
      setImmediate(() => res.send('slow'));
    });
    app.use('/late', (_req, res) => {
      res.write('a');
      res.send('b');
    });
    app.post('/body', web.text(), (req, res) => res.send(req.body));
    app.use((req, res) => res.send(`${req.method} ${req.url}`));
    const bytes = await withServer(app, port => exchangeRaw(port, text));
    return bytes.toString('latin1').replace(/Date: .*|X-Powered-By: .*/g, '');
  }
  const lines = (...all: string[]) => all.join('\r\n');
  const END = lines('', 'Host: a', 'Connection: close', '', '');
  const cases: Record<string, string> = {
    'pipelined requests receive their responses in order': `${lines('GET /slow HTTP/1.1', 'Host: a', '', '')}${lines('HEAD /b HTTP/1.1', 'Host: a', '', '')}GET /c HTTP/1.1${END}`,
    'HTTP/1.0': lines('GET /old HTTP/1.0', '', ''),
    'HTTP/1.0 with keep-alive': `${lines('GET /old HTTP/1.0', 'Connection: keep-alive', '', '')}GET /last HTTP/1.1${END}`,
    'an unread body before the next request': `${lines('POST /x HTTP/1.1', 'Host: a', 'Content-Length: 3', '', 'abc')}GET /c HTTP/1.1${END}`,
    'Expect: 100-continue': lines(
      'POST /body HTTP/1.1',
      'Host: a',
      'Content-Type: text/plain',
      'Content-Length: 2',
      'Expect: 100-continue',
      'Connection: close',
      '',
      'ok',
    ),
    'write, then send': `GET /late HTTP/1.1${END}`,
    'a request that is not HTTP': 'NONSENSE\r\n\r\n',
    'an absolute target': `GET http://other.test/a/b?c HTTP/1.1${END}`,
  };
  for (const [name, text] of Object.entries(cases)) {
    test(`connection: ${name}`, async () => {
      assert.equal(await bytesOf(frameworks.ristretto, text), await bytesOf(frameworks.express, text));
    });
  }
});
