// runs: slow, http1, each
/** Setting, removing and writing headers: faster than in Node, and otherwise the same. */
import assert from 'node:assert/strict';
import { createServer, ServerResponse } from 'node:http';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { askPort, withServer } from '../support/http.js';
import { Random, words } from '../support/random.js';

/** The same handler on a `node:http` server and in an application, to compare their observable behavior. */
type Handler = (req: IncomingMessage, res: ServerResponse) => void;
type MakeServer = (handler: Handler, options?: ServerOptions) => Server;

const kinds: Record<'bare' | 'ours', MakeServer> = {
  bare: (handler, options = {}) => createServer(options, handler),
  ours: (handler, options = {}) =>
    createServer(
      options,
      web()
        .disable('x-powered-by')
        .use(handler as never),
    ),
};

/** Runs a scenario on both servers concurrently and returns both results. */
async function onBoth<T>(
  scenario: (make: MakeServer, kind: 'bare' | 'ours') => Promise<T>,
): Promise<{ bare: T; ours: T }> {
  const [bare, ours] = await Promise.all([scenario(kinds.bare, 'bare'), scenario(kinds.ours, 'ours')]);
  return { bare, ours };
}

/**
 * Returns what Node and this framework send, without the date, in the second response, which is created with our
 * prototypes.
 */
async function raw(
  handler: Handler,
  options: ServerOptions = {},
  times = 2,
): Promise<{ bare: string; ours: string }> {
  return onBoth(make =>
    withServer(make(handler, options), async port => {
      for (let i = 1; i < times; i++) await askPort(port, '/');
      const { raw } = await askPort(port, { headers: { Connection: 'keep-alive, x', 'X-Last': '1' } });
      return raw.replace(/Date: .*\r\n/g, '');
    }),
  );
}

/** Closes the connection after the response. */
const closing =
  (handler: Handler): Handler =>
  (req, res) => {
    res.on('finish', () => setImmediate(() => req.socket.end()));
    handler(req, res);
  };

const same = async (handler: Handler, options: ServerOptions = {}, times = 2): Promise<string> => {
  const { bare, ours } = await raw(closing(handler), options, times);
  assert.equal(ours, bare);
  return ours;
};

const attempt = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    return [name, code, message];
  }
};

const NAMES = words('X-One x-one X-ONE X-Two Vary Set-Cookie ETag Content-Length Cache-Control');

const ODD_NAMES = [
  ...NAMES,
  ...words('Connection Date Transfer-Encoding Content-Disposition Keep-Alive Trailer'),
];
const VALUES = ['a', 'b', 'same', '\t tab', 'ä', '', 4, 0, ['one'], ['one', 'two'], 'x'.repeat(2000)];
type HeaderList = readonly (readonly [name: string, value: string | undefined])[];

const LISTS: HeaderList[] = [
  [
    ['X-One', 'listed'],
    ['X-Three', '3'],
    ['x-four', 'ä'],
  ],
  [
    ['X-Five', '5'],
    ['X-ONE', undefined],
    ['vary', undefined],
  ],
  [
    ['X-Six', '6'],
    ['Vary', 'Origin'],
    ['X-Six', 'again'],
    ['X-Seven', '7'],
  ],
  [
    ['x-two', undefined],
    ['X-Two', 'listed'],
    ['X-Seven', '7'],
    ['X-Seven', undefined],
  ],
  [
    ['Set-Cookie', 'a=1'],
    ['X-Eight', '8'],
    ['Content-Length', '4'],
  ],
  [
    ['X-Nine', '9'],
    ['X-Bad', 'bad\nvalue'],
    ['X-Ten', '10'],
  ],
];

/** Sets and removes headers by the function for middleware, or one by one on a response that has none. */
function setAll(res: ServerResponse, list: HeaderList): void {
  const { [Symbol.for('ristretto.setHeaders')]: setHeaders } = res as unknown as Record<
    symbol,
    ((list: HeaderList) => void) | undefined
  >;
  if (setHeaders !== undefined) setHeaders.call(res, list);
  else setEach(res, list);
}

function setEach(res: ServerResponse, list: HeaderList): void {
  for (const [name, value] of list) {
    if (value === undefined) res.removeHeader(name);
    else res.setHeader(name, value);
  }
}

/** Sets, removes and appends headers at random; returns the result or error of each step, and the final headers. */
function play(random: Random, res: ServerResponse, names: string[]): unknown[] {
  const seen: unknown[] = [];
  for (let step = random.between(0, 11); step >= 0; step--) {
    const name = random.pick(names);
    const isLength = /length/i.test(name);
    // Copied, because Node appends to the array itself
    const value = structuredClone(isLength ? random.pick(['4', 4]) : random.pick(VALUES));
    const act = random.pick([
      () => res.setHeader(name, value) === res,
      () => res.setHeader(name, value) === res,
      () => res.setHeader(name, isLength ? '4' : 'same') === res,
      () => setAll(res, random.pick(LISTS)),
      () => setAll(res, random.pick(LISTS)),
      () => res.removeHeader(name),
      () => res.appendHeader(name, typeof value === 'number' ? String(value) : value) === res,
      () => res.getHeader(name.toUpperCase()),
      () => res.hasHeader(name),
      () => res.setHeader(name, 'bad\nvalue'),
      () => res.setHeader(name, undefined as never),
      () => res.setHeader('bad name', 'a'),
    ]);
    seen.push(attempt(act));
  }
  return [
    ...seen,
    { ...res.getHeaders() },
    res.getHeaderNames(),
    (res as { getRawHeaderNames?(): string[] }).getRawHeaderNames?.(),
  ];
}

describe('headers of a response', () => {
  for (const [kind, names] of Object.entries({ ordinary: NAMES, any: ODD_NAMES })) {
    test(`random: ${kind} headers are set, removed and sent in every way as by Node`, async () => {
      const played: Record<string, unknown[]> = { bare: [], ours: [] };
      const handlerOf =
        (who: string): Handler =>
        (req, res) => {
          const random = new Random(Number(req.url!.slice(1)));
          played[who]!.push(play(random, res, names));
          if (random.chance(0.5)) {
            const { writeHead } = res;
            res.writeHead = function (this: ServerResponse, ...args: never[]) {
              this.setHeader('X-Late', 'same');
              return (writeHead as (...all: never[]) => unknown).apply(this, args);
            } as never;
          }
          res.statusCode = random.pick([200, 200, 201, 404, 204, 304]);
          const end = random.pick([
            () => res.end('four'),
            () => res.writeHead(200, { 'X-More': 'a' }).end('four'),
            () => res.writeHead(200, 'Fine', ['X-More', 'a']).end('four'),
            () => (res.write('fo'), res.end('ur')),
            () => res.end(),
          ]);
          const error = attempt(end);
          if (Array.isArray(error)) {
            played[who]!.push(error);
            res.destroy();
          }
          res.on('finish', () => setImmediate(() => req.socket.end()));
        };
      const answers: Record<string, string[]> = { bare: [], ours: [] };
      await onBoth((make, who) =>
        withServer(make(handlerOf(who)), async port => {
          for (let seed = 0; seed < 600; seed++) {
            const answer = await askPort(port, {
              path: `/${String(seed)}`,
              headers: { Connection: 'x' },
            }).catch((error: unknown) => ({ raw: String(error) }));
            answers[who]!.push(answer.raw.replace(/Date: \w{3}, .*\r\n/g, '').replace(/x{9,}/g, 'long'));
          }
        }),
      );
      assert.deepEqual(played.ours, played.bare);
      assert.deepEqual(answers.ours, answers.bare);
    });
  }

  test('lists: responses of send() are the same as if each header had been set', async () => {
    const answers: string[][] = [];
    for (const set of [setEach, setAll]) {
      const app = web().use((req, res) => {
        const random = new Random(Number(req.url.slice(1)));
        for (let step = random.between(0, 4); step >= 0; step--) {
          const name = random.pick(['X-One', 'X-Three', 'Vary', 'X-Seven', 'Set-Cookie', 'ETag']);
          const act = random.pick([
            () => void set(res, random.pick(LISTS)),
            () => void set(res, random.pick(LISTS)),
            () => void res.setHeader(name, 'same'),
            () => void res.setHeader(name, String(step)),
            () => void res.append(name, 'more'),
            () => void res.removeHeader(name),
            () => void res.setHeader('X-Seen', String(res.getHeader('x-three'))),
            () => void res.setHeader('X-Seen', String(Object.create(res, {}).getHeader('x-one'))),
            () => void Object.create(res).setHeader('X-One', 'heir'),
            () => void Object.create(res).removeHeader('X-Three'),
          ]);
          attempt(act);
        }
        if (random.chance(0.3)) res.set('X-Names', res.getHeaderNames().join());
        res.status(random.pick([200, 304, 404])).send('text');
      });
      await withServer(createServer(app), async port => {
        const list: string[] = [];
        for (let seed = 0; seed < 300; seed++) {
          const { raw } = await askPort(port, `/${String(seed)}`);
          list.push(raw.replace(/Date: .*\r\n/g, ''));
        }
        answers.push(list);
      });
    }
    assert.deepEqual(answers[1], answers[0]);
    assert.ok(answers[1]!.filter(raw => raw.includes('X-Seven: 7')).length > 20);
  });

  test('lists: a response keeps them when it gets the prototype of Node', async () => {
    const app = web().use((_req, res) => {
      setAll(res, LISTS[0]!);
      Object.setPrototypeOf(res, ServerResponse.prototype);
      res.setHeader('X-Three', `${String(res.getHeader('X-Three'))}, again`);
      res.end('four');
    });
    await withServer(createServer(app), async port => {
      const { headers } = await askPort(port, '/');
      assert.deepEqual([headers['x-one'], headers['x-three']], ['listed', '3, again']);
    });
  });

  test('CR LF: header values are rejected each time, also after a valid value of the same header', async () => {
    const codes: unknown[] = [];
    await same((_req, res) => {
      for (const value of ['right', 'wro\nng', 'right', 'wro\nng', undefined, 'ok\u0100']) {
        codes.push(attempt(() => res.setHeader('X-Value', value as never) === res));
      }
      for (const name of ['', 'a b', 'ä', 7, null]) {
        codes.push(attempt(() => res.setHeader(name as never, 'right')));
        codes.push(attempt(() => res.removeHeader(name as never)));
      }
      res.end();
      codes.push(attempt(() => res.setHeader('X-Value', 'right')));
      codes.push(attempt(() => res.removeHeader('X-Value')));
    });
    // There are two runs of two requests each
    assert.equal(codes.length % 4, 0);
    const run = codes.length / 4;
    for (let i = 1; i < 4; i++) assert.deepEqual(codes.slice(i * run, (i + 1) * run), codes.slice(0, run));
    assert.equal(
      codes.filter(code => (code as string[] | undefined)?.[1] === 'ERR_INVALID_CHAR').length,
      4 * 3,
    );
    assert.equal(
      codes.filter(code => (code as string[] | undefined)?.[1] === 'ERR_HTTP_HEADERS_SENT').length,
      4 * 2,
    );
  });

  test('Date: a value set by the application replaces the default', async () => {
    for (const body of ['text', '']) {
      const app = web().use((req, res) => {
        res.on('finish', () => setImmediate(() => req.socket.end()));
        res.setHeader('X-One', '1');
        res.setHeader('date', 'Thu, 01 Jan 1970 00:00:00 GMT');
        res.setHeader('X-Two', '2');
        res.status(body === '' ? 204 : 200).send(body);
      });
      await withServer(createServer(app), async port => {
        await askPort(port, '/');
        const { raw } = await askPort(port, { headers: { Connection: 'keep-alive, x' } });
        assert.match(raw, /X-One: 1\r\ndate: Thu, 01 Jan 1970 00:00:00 GMT\r\nX-Two: 2\r\n/);
        assert.equal(raw.match(/^date:/gim)?.length, 1);
      });
    }
  });

  test('many names: headers beyond the size of the cache are still set', async () => {
    const text = await same((_req, res) => {
      for (let i = 0; i < 600; i++) res.setHeader(`X-Name-${String(i)}`, 'value');
      res.end();
    });
    assert.match(text, /X-Name-0: value\r\n[^]*X-Name-599: value\r\n/);
  });

  test('removed: the others keep their order, and the name can be set again', async () => {
    const text = await same((_req, res) => {
      for (const name of ['A', 'B', 'C', 'D']) res.setHeader(name, 'value');
      res.removeHeader('b');
      res.removeHeader('not-there');
      res.setHeader('B', 'again');
      res.end();
    });
    assert.match(text, /A: value\r\nC: value\r\nD: value\r\nB: again\r\n/);
  });

  test('uniqueHeaders: joins headers that the server wants only once', async () => {
    const handler: Handler = (_req, res) => {
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.setHeader('Content-Length', 4);
      (res as ServerResponse & { send?(text: string): void }).end('four');
    };
    assert.match(await same(handler, { uniqueHeaders: ['set-cookie'] }), /Set-Cookie: a=1; b=2\r\n/);
    assert.match(await same(handler), /Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n/);
    const app = web().use((_req, res) => void res.cookie('a', '1').cookie('b', '2').send('four'));
    const server = createServer({ uniqueHeaders: ['set-cookie'] }, app);
    await withServer(server, async port => {
      await askPort(port, '/');
      assert.match((await askPort(port, '/')).raw, /Set-Cookie: a=1; Path=\/; b=2; Path=\/\r\n/);
    });
  });

  for (const name of ['setHeader', 'removeHeader', 'getHeader'] as const) {
    for (const [where, target] of Object.entries({
      'http.ServerResponse': ServerResponse.prototype,
      'web.response': web.response,
    })) {
      test(`patches: a replaced ${name}() of ${where} is called, also by members of Ristretto`, async t => {
        const seen: string[] = [];
        const app = web().use((_req, res) => {
          res.setHeader('X-One', 'value');
          res.removeHeader('X-One');
          setAll(res, [
            ['X-Two', 'listed'],
            ['X-Powered-By', undefined],
          ]);
          void res.json({ sent: true });
        });
        await withServer(createServer(app), async port => {
          await askPort(port, '/');
          await askPort(port, '/');
          const functions = target as unknown as Record<string, (...args: unknown[]) => unknown>;
          const had = Object.hasOwn(functions, name);
          const before = functions[name]!;
          functions[name] = function (...args) {
            seen.push(String(args[0]));
            return before.apply(this, args);
          };
          t.after(() => {
            if (had) functions[name] = before;
            else Reflect.deleteProperty(functions, name);
          });
          const answer = await askPort(port, '/');
          assert.equal(answer.text, '{"sent":true}');
          assert.equal(answer.headers['x-one'], undefined);
        });
        const expected = {
          setHeader: ['X-Powered-By', 'X-One', 'X-Two', 'Content-Type', 'Content-Length', 'ETag'],
          removeHeader: ['X-One', 'X-Powered-By'],
          getHeader: ['content-type', 'content-type', 'etag'],
          _storeHeader: ['HTTP/1.1 200 OK\r\n'],
        };
        assert.deepEqual(seen, expected[name]);
      });
    }
  }

  test('prototype: members of Ristretto are not enumerable', () => {
    for (const name of ['getHeader', 'setHeader', 'removeHeader']) {
      assert.equal(Object.getOwnPropertyDescriptor(web.response, name)?.enumerable, false);
    }
  });
});
