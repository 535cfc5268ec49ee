// runs: each
/** `res.onSend`: runs a function before the header block is sent; with middleware. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { RequestHandler, Response } from 'ristretto';
import { answering, fail, hooked, later, show, shown } from '../../support/hooks.js';
import type { Hook } from '../../support/hooks.js';
import { ask, askPort, withServer } from '../../support/http.js';
import type { Answer } from '../../support/http.js';
import { askHttp2 } from '../../support/http2.js';
import { tmpl, VIEWS } from '../../support/views.js';

const upper: Hook = body => (typeof body === 'string' ? body.toUpperCase() : undefined);

/** Each way of sending a response, and what a hook receives. */
const ways: Record<string, [handler: RequestHandler, seen: string]> = {
  send: [(_req, res) => res.send('text'), 'text'],
  'send bytes': [(_req, res) => res.send(Buffer.from('text')), '<bytes>'],
  'send nothing': [(_req, res) => res.send(), ''],
  json: [(_req, res) => res.json({ a: 1 }), '{"a":1}'],
  jsonp: [(_req, res) => res.jsonp({ a: 1 }), '{"a":1}'],
  sendStatus: [(_req, res) => res.sendStatus(403), 'Forbidden'],
  redirect: [(_req, res) => res.redirect('/x'), 'Found. Redirecting to /x'],
  end: [(_req, res) => void res.end('text'), 'text'],
  'end in another encoding': [(_req, res) => void res.end('74657874', 'hex'), '<bytes>'],
  'end with bytes': [(_req, res) => void res.end(new Uint8Array([116])), '<bytes>'],
  'end with nothing': [(_req, res) => void res.end(), ''],
  writeHead: [(_req, res) => void res.writeHead(201, 'Made', { 'X-A': '1' }).end('text'), 'text'],
  'writeHead with a list': [(_req, res) => void res.writeHead(201, ['X-A', '1']).end('text'), 'text'],
  'write and end': [(_req, res) => void (res.write('a'), res.end('b')), '<undefined>'],
  flushHeaders: [(_req, res) => void (res.flushHeaders(), res.end('b')), '<undefined>'],
  pipe: [(_req, res) => void Readable.from(['a', 'b']).pipe(res), '<undefined>'],
  sendFile: [(_req, res) => res.sendFile(__filename), '<undefined>'],
  download: [(_req, res) => res.download(__filename), '<undefined>'],
  error: [
    (_req, _res, next) => next({ status: 418, stack: 'of a handler' }),
    '<!DOCTYPE html> <html lang="en"> <head> <meta charset="utf-8',
  ],
  'unhandled request': [
    (_req, _res, next) => next(),
    '<!DOCTYPE html> <html lang="en"> <head> <meta charset="utf-8',
  ],
};

/** Not compared, because Node itself sets no Content-Length for the body passed to `end` after `writeHead`. */
const NOT_COMPARED = ['x-body', 'date', 'content-length', 'transfer-encoding'];

describe('res.onSend', () => {
  for (const [way, [handler, seen]] of Object.entries(ways)) {
    test(`${way}: hooks run once, and the rest of the response does not change`, async () => {
      const plain = await ask(web().set('env', 'test').use(handler));
      for (const hook of [show, later(show)]) {
        let runs = 0;
        const count: Hook = () => void runs++;
        const { headers, status, reason, body } = await ask(answering(handler, count, hook));
        assert.equal(runs, 1);
        assert.equal(headers['x-body'], seen);
        assert.deepEqual([status, reason], [plain.status, plain.reason]);
        assert.deepEqual(body, plain.body);
        for (const one of [headers, plain.headers]) for (const name of NOT_COMPARED) delete one[name];
        assert.deepEqual(headers, plain.headers);
      }
    });
  }

  test('render: hooks get the rendered page', async () => {
    const app = hooked(show).engine('tmpl', tmpl).set('views', VIEWS);
    app.get('/', (_req, res) => res.render('user.tmpl', { user: { name: 'tobi' } }));
    const { headers, text } = await ask(app);
    assert.equal(headers['x-body'], text.trim());
  });

  test('static: hooks run for files and directory redirects', async () => {
    const app = hooked(show).use(web.static(path.join(__dirname, '../../fixtures')));
    const directory = fs
      .readdirSync(path.join(__dirname, '../../fixtures'), { withFileTypes: true })
      .find(e => e.isDirectory())!;
    const redirect = await ask(app, `/${directory.name}`);
    assert.equal(redirect.status, 301);
    assert.match(redirect.headers['x-body']!, /^<!DOCTYPE html>/);
  });

  test('OPTIONS: hooks run for the automatic response', async () => {
    const app = hooked(show);
    app.get('/', (_req, res) => void res.end());
    const { headers, text } = await ask(app, { method: 'OPTIONS' });
    assert.deepEqual([headers['x-body'], text], ['GET,HEAD', 'GET,HEAD']);
  });

  test('order: hooks run in order of registration, each with the body returned by the previous one', async () => {
    const add =
      (letter: string): Hook =>
      body =>
        `${String(body)}${letter}`;
    for (const make of [(hook: Hook) => hook, later]) {
      const app = hooked(add('1'), make(add('2')));
      const sub = web().use((_req, res, next) => {
        res.onSend(make(add('3')));
        next();
      });
      sub.get('/', (_req, res) => res.onSend(add('4')).send('0'));
      assert.equal((await ask(app.use('/sub', sub), '/sub')).text, '01234');
    }
  });

  test('order: a hook may add another hook', async () => {
    const app = answering(
      (_req, res) => res.send('a'),
      (_body, res) => res.onSend(body => `${String(body)}b`),
    );
    assert.equal((await ask(app)).text, 'ab');
  });

  test('body: a replaced body has its own length and ETag', async () => {
    for (const hook of [upper, later(upper)]) {
      const { text, headers } = await ask(answering((_req, res) => res.send('ä'), hook));
      const plain = await ask(answering((_req, res) => res.send('Ä')));
      assert.equal(text, 'Ä');
      assert.deepEqual([headers.etag, headers['content-length']], [plain.headers.etag, '2']);
    }
  });

  test('body: bytes of any type may be returned', async () => {
    const bytes = new Uint8Array([0, 97, 98, 0]).subarray(1, 3);
    for (const body of [bytes, Buffer.from('ab')]) {
      const seen = await ask(
        answering(
          (_req, res) => res.json({}),
          () => body,
          show,
        ),
      );
      assert.deepEqual([seen.text, seen.headers['x-body']], ['ab', '<bytes>']);
    }
  });

  test('body: a hook may replace that of res.end(), and Content-Length is updated only if it was set', async () => {
    const app = hooked(upper);
    app.get('/set', (_req, res) => void res.set('Content-Length', '2').end('äb'.slice(1) + 'c'));
    app.get('/unset', (_req, res) => void res.end('ab', () => void ended.push('/unset')));
    const ended: string[] = [];
    const set = await ask(app, '/set');
    assert.deepEqual([set.text, set.headers['content-length']], ['BC', '2']);
    const unset = await ask(app, '/unset');
    assert.deepEqual([unset.text, unset.headers['content-length'], ended], ['AB', '2', ['/unset']]);
    const redirect = await ask(
      answering(
        (_req, res) => res.redirect('/x'),
        body => `${String(body)}, all of you`,
      ),
    );
    assert.equal(redirect.headers['content-length'], String(redirect.body.length));
    assert.match(redirect.text, /all of you$/);
  });

  test('body: other return values of a hook are ignored, such as the response or a number', async () => {
    const hooks: unknown[] = [
      (_body: unknown, res: http.ServerResponse) => res.setHeader('X-A', '1'),
      () => 5,
      () => null,
    ];
    const { text, headers } = await ask(answering((_req, res) => res.send('a'), ...(hooks as Hook[])));
    assert.deepEqual([text, headers['x-a']], ['a', '1']);
  });

  test('body: an empty body may be replaced by text, and text by an empty body', async () => {
    assert.equal(
      (
        await ask(
          answering(
            (_req, res) => res.send(),
            () => 'new',
          ),
        )
      ).text,
      'new',
    );
    const { text, headers } = await ask(
      answering(
        (_req, res) => res.send('old'),
        () => '',
      ),
    );
    assert.deepEqual([text, headers['content-length']], ['', '0']);
  });

  test('304: a conditional request is compared with the body after the hooks', async () => {
    await withServer(
      answering((_req, res) => res.send('a'), upper, show),
      async port => {
        const { headers } = await askPort(port);
        const fresh = await askPort(port, { headers: { 'If-None-Match': headers.etag! } });
        assert.deepEqual([fresh.status, fresh.text, fresh.headers['x-body']], [304, '', 'A']);
        const { etag } = (await ask(answering((_req, res) => res.send('a')))).headers;
        const stale = await askPort(port, { headers: { 'If-None-Match': etag! } });
        assert.deepEqual([stale.status, stale.text], [200, 'A']);
      },
    );
  });

  test('HEAD: has the headers of GET', async () => {
    for (const handler of [ways.send![0], ways.json![0], ways.redirect![0]]) {
      const app = answering(handler, body => `${String(body)}!`);
      const { headers } = await ask(app);
      const head = await ask(app, { method: 'HEAD' });
      assert.deepEqual({ ...head.headers, date: '' }, { ...headers, date: '' });
      assert.equal(head.text, '');
    }
  });

  test('HEAD: the body is undefined if the handler sends none', async () => {
    const hooks = [show, () => 'longer'];
    const app = answering((_req, res) => void res.set('Content-Length', '1').end(), ...hooks);
    const { headers, text } = await ask(app, { method: 'HEAD' });
    assert.deepEqual([headers['x-body'], headers['content-length'], text], ['<undefined>', '6', '']);
    const conditional = { headers: { 'If-None-Match': '"a"' } };
    const notModified = await ask(
      answering((_req, res) => void res.set('ETag', '"a"').status(304).end(), show),
      conditional,
    );
    assert.equal(notModified.headers['x-body'], '<undefined>');
  });

  test('status: may be changed, even to one without a body', async () => {
    for (const hook of [(_body, res) => res.status(204)] satisfies Hook[]) {
      for (const handler of [ways.send![0], ways.end![0]]) {
        const { status, text, headers } = await ask(answering(handler, hook, later(hook)));
        assert.deepEqual([status, text, headers['content-length']], [204, '', undefined]);
      }
    }
  });

  test('headersSent: is false in a hook, and true elsewhere once a response has been sent', async () => {
    const seen: unknown[] = [];
    const app = answering(
      (_req, res) => {
        seen.push(res.headersSent);
        res.send('a');
        seen.push(res.headersSent);
        res.on('finish', () => seen.push(res.headersSent));
      },
      later((_body, res) => void seen.push(res.headersSent)),
      (_body, res) => void seen.push(res.headersSent),
    );
    await ask(app);
    assert.deepEqual(seen, [false, true, false, false, true]);
    const announced: unknown[] = [];
    await ask(
      answering(
        (_req, res) => {
          res.writeHead(200);
          announced.push(res.headersSent);
          res.end();
        },
        (_body, res) => void announced.push(res.headersSent),
      ),
    );
    assert.deepEqual(announced, [true, false]);
  });

  test('this: is the response', async () => {
    const app = answering(
      (_req, res) => res.send(),
      function (_body, res) {
        this.set('X-This', String(this === res));
      },
    );
    assert.equal((await ask(app)).headers['x-this'], 'true');
  });

  test('not a function: throws a TypeError', () => {
    const { onSend } = web.response as unknown as { onSend: (hook: unknown) => void };
    assert.throws(
      () => onSend.call({}, undefined),
      /^TypeError: res\.onSend: expected a function, got undefined$/,
    );
    assert.throws(() => onSend.call({}, null), /got null$/);
  });

  test('too late: throws once the headers have been sent', async () => {
    let code: unknown;
    await ask(
      answering((_req, res) => {
        res.send('a');
        try {
          res.onSend(() => undefined);
        } catch (error) {
          ({ code } = error as NodeJS.ErrnoException);
        }
      }),
    );
    assert.equal(code, 'ERR_HTTP_HEADERS_SENT');
  });

  test('cost: a response without hooks gets no own methods', async () => {
    let own: unknown;
    await ask(
      web().use((_req, res) => {
        res.send('a');
        own = ['write', 'end', 'writeHead', 'headersSent'].filter(name => Object.hasOwn(res, name));
      }),
    );
    assert.deepEqual(own, []);
  });

  test('enumerable: no property is added', async () => {
    let before: string[] = [];
    let after: string[] = [];
    await ask(
      web().use((_req, res) => {
        before = Object.keys(res);
        res.onSend(() => undefined);
        after = Object.keys(res);
        res.end();
      }),
    );
    assert.deepEqual(after, before);
  });
});

describe('res.onSend over other transports', () => {
  for (const hook of [upper, later(upper)]) {
    test(`HTTP/2: hooks replace whole bodies and see streams (${hook === upper ? 'at once' : 'later'})`, async () => {
      const app = hooked(hook, show);
      app.get('/send', (_req, res) => res.send('a'));
      app.get('/pipe', (_req, res) => void Readable.from(['a', 'b']).pipe(res));
      app.get('/file', (_req, res) => res.sendFile(__filename));
      const sent = await askHttp2(app, '/send');
      assert.deepEqual([sent.text, sent.headers['x-body'], sent.headers['content-length']], ['A', 'A', '1']);
      const piped = await askHttp2(app, '/pipe');
      assert.deepEqual([piped.text, piped.headers['x-body']], ['ab', '<undefined>']);
      assert.equal((await askHttp2(app, '/file')).text, fs.readFileSync(__filename, 'utf8'));
    });

    test(`app.fetch: hooks replace whole bodies and see streams (${hook === upper ? 'at once' : 'later'})`, async () => {
      const app = hooked(hook, show);
      app.get('/send', (_req, res) => res.send('a'));
      app.get('/pipe', (_req, res) => void Readable.from(['a', 'b']).pipe(res));
      const sent = await app.inject('/send');
      assert.deepEqual([sent.text(), sent.headers['x-body']], ['A', 'A']);
      const piped = await app.fetch(new Request('http://localhost/pipe'));
      assert.deepEqual([await piped.text(), piped.headers.get('x-body')], ['ab', '<undefined>']);
    });
  }
});

const compression = createRequire(__filename)('compression') as (options?: object) => RequestHandler;
const page = 'page '.repeat(1000);

/** Returns an application with hooks before or after other middleware. */
function beside(middleware: RequestHandler, isAfter: boolean, ...hooks: Hook[]): ReturnType<typeof web> {
  const app = web().set('env', 'test');
  if (!isAfter) app.use(middleware);
  app.use((_req, res, next) => {
    for (const hook of hooks) res.onSend(hook);
    next();
  });
  return isAfter ? app.use(middleware) : app;
}

const gzipped = async (app: ReturnType<typeof web>, path: string): Promise<Answer> => {
  const answer = await ask(app, { path, headers: { 'Accept-Encoding': 'gzip' } });
  if (answer.headers['content-encoding'] === undefined) return answer;
  assert.equal(answer.headers['content-encoding'], 'gzip');
  return { ...answer, text: zlib.gunzipSync(answer.body).toString() };
};

/** Calls the listener before the headers are sent, as `on-headers` does. */
const listening =
  (listener: (res: Response) => void): RequestHandler =>
  (_req, res, next) => {
    const { writeHead } = res;
    let isFirst = true;
    res.writeHead = function (...args: unknown[]) {
      const isNow = isFirst;
      isFirst = false;
      if (isNow) listener(res);
      return Reflect.apply(writeHead, res, args) as typeof res;
    };
    next();
  };

/** `res.onSend` combined with middleware that patches the response, before and after it. */
describe('res.onSend with middleware', () => {
  for (const isAfter of [false, true]) {
    const order = isAfter ? 'hooks first' : 'compression first';

    test(`compression: compresses the body that hooks return (${order})`, async () => {
      for (const [hook, shower] of [
        [upper, show],
        [later(upper), later(show)],
      ] as const) {
        const app = beside(compression(), isAfter, hook, shower);
        app.get('/send', (_req, res) => res.send(page));
        app.get('/small', (_req, res) => res.send('a'));
        app.get('/end', (_req, res) => void res.type('txt').end('a'));
        const sent = await gzipped(app, '/send');
        assert.equal(sent.text, page.toUpperCase());
        assert.equal(sent.headers['x-body'], page.toUpperCase().slice(0, 60).trim());
        assert.equal(sent.headers['content-encoding'], 'gzip');
        assert.equal((await gzipped(app, '/small')).text, 'A');
        assert.equal((await gzipped(app, '/end')).text, 'A');
      }
    });

    test(`compression: streams, files and chunks arrive whole (${order})`, async () => {
      for (const hook of [show, later(show)]) {
        const app = beside(compression({ threshold: 0 }), isAfter, hook);
        const pieces = (size: number) => Array.from({ length: 20 }, () => Buffer.alloc(size, 'x'));
        app.get('/small', (_req, res) => void Readable.from(pieces(10)).pipe(res.type('txt')));
        app.get('/large', (_req, res) => void Readable.from(pieces(100_000)).pipe(res.type('txt')));
        app.get('/file', (_req, res) => res.type('txt').sendFile(__filename));
        app.get('/write', (_req, res) => {
          res.type('txt').write('a');
          res.write('b');
          res.end('c');
        });
        app.get('/flush', (_req, res) => {
          res.type('txt').flushHeaders();
          res.write('a');
          res.end('b');
        });
        assert.equal((await gzipped(app, '/small')).text.length, 200);
        assert.equal((await gzipped(app, '/large')).text.length, 2_000_000);
        assert.match((await gzipped(app, '/file')).text, /as `on-headers` does/i);
        assert.equal((await gzipped(app, '/write')).text, 'abc');
        assert.equal((await gzipped(app, '/flush')).text, 'ab');
      }
    });

    test(`compression: the response to an error in a hook is whole (${order})`, async () => {
      for (const hook of [fail, later(fail)]) {
        const app = beside(compression({ threshold: 0 }), isAfter, hook);
        app.get('/send', (_req, res) => res.send(page));
        app.get('/end', (_req, res) => void res.type('txt').end(page));
        app.get('/pipe', (_req, res) => void Readable.from([page, page]).pipe(res.type('txt')));
        app.get('/write', (_req, res) => void (res.type('txt').write(page), res.end()));
        app.use(shown);
        for (const path of ['/send', '/end', '/pipe', '/write']) {
          const { status, text } = await gzipped(app, `${path}?fail`);
          assert.deepEqual([path, status, text], [path, 500, 'shown: hook failed']);
        }
      }
    });
  }

  test('on-headers: listeners see the headers that hooks set, whichever was added first', async () => {
    for (const isAfter of [false, true]) {
      for (const hook of [later((_body, res) => void res.set('X-Hook', '1'))]) {
        const listener = listening(res => void res.set('X-Seen', String(res.get('X-Hook'))));
        const app = beside(listener, isAfter, hook);
        app.get('/send', (_req, res) => res.send('a'));
        app.get('/end', (_req, res) => void res.end('a'));
        app.get('/file', (_req, res) => res.sendFile(__filename));
        for (const path of ['/send', '/end', '/file']) {
          assert.equal((await ask(app, path)).headers['x-seen'], '1', path);
        }
      }
    }
  });

  test('on-headers: a listener added later runs first if the handler calls writeHead', async () => {
    const app = beside(
      listening(res => void res.set('X-Seen', String(res.get('X-Hook')))),
      true,
      (_body, res) => void res.set('X-Hook', String(res.get('X-Seen'))),
    );
    app.use((_req, res) => void res.writeHead(200).end());
    const { headers } = await ask(app);
    assert.deepEqual([headers['x-seen'], headers['x-hook']], ['undefined', 'undefined']);
  });

  test('on-headers: a listener that throws does so in the caller', async () => {
    const app = beside(
      listening(() => {
        throw new Error('listener');
      }),
      true,
      show,
    );
    // Middleware does this if no headers have been sent.
    app.use((_req, res) => void (res as unknown as { _implicitHeader: () => void })._implicitHeader());
    const { text } = await ask(app.use(shown));
    assert.equal(text, 'shown: listener');
  });

  test('strict http: corrects the response after the hooks', async () => {
    for (const hook of [upper, later(upper)]) {
      const app = beside((_req, _res, next) => next(), false, hook).set('strict http', true);
      app.get('/end', (_req, res) => void res.set('Content-Length', '9').end('a'));
      app.get('/head', (_req, res) => void res.writeHead(201, 'Made', { 'X-A': '1' }).end('a'));
      const { text, headers } = await ask(app, '/end');
      assert.deepEqual([text, headers['content-length']], ['A', '1']);
      const announced = await ask(app, '/head');
      assert.deepEqual([announced.status, announced.headers['x-a'], announced.text], [201, '1', 'A']);
    }
  });
});
