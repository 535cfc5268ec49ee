// runs: each
/** `res.sse`: server-sent events as a client parses them, on each kind of server. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import ownCompression from '@ristretto/compression';
import fc from 'fast-check';
import web from 'ristretto';
import type {
  EventStream,
  Request as Req,
  RequestHandler,
  Response as Res,
  ServerSentEvent,
} from 'ristretto';
import { Connection } from '../../support/connection.js';
import { EventParser, parseEvents } from '../../support/event-source.js';
import { ask, withServer } from '../../support/http.js';
import { servers } from '../../support/servers.js';
import { until } from '../../support/until.js';

const compression = require('compression') as () => RequestHandler;

type App = ReturnType<typeof web>;
type Use = (events: EventStream, req: Req, res: Res) => unknown;

/** An application that responds with events. */
function streaming(use: Use, options?: Parameters<Res['sse']>[0]): App {
  const app = web().set('env', 'test');
  app.use((req, res) => void use(res.sse(options), req, res));
  return app;
}

/** Returns everything that a client receives for the events sent. */
async function received(...sent: (string | ServerSentEvent)[]): Promise<EventParser> {
  const app = streaming(events => {
    for (const event of sent) void events.send(event);
    events.close();
  });
  return new EventParser().push((await ask(app)).text);
}

const dataOf = async (...sent: (string | ServerSentEvent)[]): Promise<string[]> =>
  (await received(...sent)).events.map(({ data }) => data);

/** Returns the message of the error that `send` throws for an event. */
async function refusal(event: unknown): Promise<string> {
  const app = streaming(events => {
    let message = 'nothing';
    try {
      void events.send(event as never);
    } catch (error) {
      message = `${(error as Error).name}: ${(error as Error).message}`;
    }
    void events.send(message);
    events.close();
  });
  return parseEvents((await ask(app)).text)[0]!.data;
}

for (const [server, askBy] of Object.entries(servers)) {
  describe(`res.sse over ${server}`, () => {
    test('response: has the headers of an event stream, and the events', async () => {
      const app = streaming(events => {
        void events.send({ event: 'greeting', data: { a: 'é' }, id: 7 });
        events.close();
      });
      const { status, headers, text } = await askBy(app);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/event-stream');
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['x-accel-buffering'], 'no');
      assert.deepEqual(parseEvents(text), [{ type: 'greeting', data: '{"a":"é"}', lastEventId: '7' }]);
    });

    test('HEAD: sends the headers, and the stream is closed', async () => {
      let isClosed: boolean | undefined;
      let isSent: boolean | undefined;
      const app = streaming(async events => {
        isClosed = events.closed;
        isSent = await events.send('x');
      });
      const { headers, text } = await askBy(app, { method: 'HEAD' });
      assert.deepEqual(
        [headers['content-type'], text, isClosed, isSent],
        ['text/event-stream', '', true, false],
      );
    });

    test('Last-Event-ID: is the ID that the client sends, decoded', async () => {
      const app = streaming(events => {
        void events.send(events.lastEventId);
        events.close();
      });
      const sent = Buffer.from('é漢').toString('latin1');
      const { text } = await askBy(app, { headers: { 'last-event-id': sent } });
      assert.deepEqual(parseEvents(text)[0]?.data, 'é漢');
      const latin1 = await askBy(app, { headers: { 'last-event-id': 'ü7' } });
      assert.equal(parseEvents(latin1.text)[0]?.data, 'ü7');
      assert.equal(parseEvents((await askBy(app)).text)[0]?.data, '');
    });
  });
}

describe('res.sse', () => {
  test('header block: is sent immediately', async () => {
    await withServer(
      streaming(() => undefined),
      async port => {
        await (await Connection.open(port)).get('/').until(/text\/event-stream[^]*\r\n\r\n/);
      },
    );
    const response = await streaming(() => undefined).fetch(new Request('http://a.example/'));
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    await response.body!.cancel();
  });

  test('data: may be text of any number of lines', async () => {
    assert.deepEqual(await dataOf('a', '', 'a\nb\r\nc\rd\n', ' a', ': a', 'é\0\u2028'), [
      ...['a', '', 'a\nb\nc\nd\n', ' a', ': a', 'é\0\u2028'],
    ]);
  });

  test('data: other values become JSON according to the settings', async () => {
    const values = [{ a: 'x\ny' }, [1], 5, true, null];
    const sent = await dataOf(...values.map(data => ({ data })));
    assert.deepEqual(
      sent,
      values.map(value => JSON.stringify(value)),
    );
    const app = streaming(events => {
      void events.send({ data: { secret: 1, html: '<' } });
      events.close();
    });
    app.set('json escape', true).set('json replacer', ['html']).set('json spaces', 2);
    assert.equal(parseEvents((await ask(app)).text)[0]!.data, '{"html":"\\u003c"}');
  });

  test('event without data: is received by its name, and other fields alone are not an event', async () => {
    const parser = await received(
      { event: 'ping' },
      { id: 'a' },
      { retry: 500 },
      { data: 'x', event: undefined },
    );
    assert.deepEqual(parser.events, [
      { type: 'ping', data: '', lastEventId: '' },
      { type: 'message', data: 'x', lastEventId: 'a' },
    ]);
    assert.equal(parser.retry, 500);
  });

  test('injection: any value of the fields creates exactly one event or throws', async () => {
    const text = fc.string({
      unit: fc.constantFrom('\r', '\n', '\0', ':', ' ', 'data', 'id', 'é', '\ufeff'),
    });
    const cases = fc.sample(fc.record({ data: text, event: text, id: text }), { seed: 3, numRuns: 300 });
    const valid = cases.filter(({ event, id }) => !/[\r\n]/.test(event) && !/[\r\n\0]/.test(id));
    assert.ok(valid.length > 20 && valid.length < 280);
    const expected = valid.map(({ data, event, id }) => ({
      type: event === '' ? 'message' : event,
      data: data.replace(/\r\n?/g, '\n'),
      lastEventId: id,
    }));
    const app = streaming(events => {
      for (const one of cases) {
        if (valid.includes(one)) void events.send(one);
        else assert.throws(() => void events.send(one), TypeError);
      }
      events.close();
    });
    assert.deepEqual(parseEvents((await ask(app)).text), expected);
  });

  const refused: [string, unknown, RegExp][] = [
    [
      'event of two lines',
      { event: 'a\nb' },
      /^TypeError: Expected event to have no line breaks and no NUL, got "a\\nb"$/,
    ],
    ['event that is no text', { event: 5 }, /^TypeError: Expected event to be a string, got 5$/],
    ['id with NUL', { id: 'a\0' }, /^TypeError: Expected id to have no line breaks/],
    ['id that is an object', { id: {} }, /^TypeError: Expected id to be a string/],
    [
      'retry below 0',
      { retry: -1 },
      /^TypeError: Expected retry to be a whole number of milliseconds, got -1$/,
    ],
    [
      'retry that is no duration',
      { retry: 'soon' },
      /^TypeError: Expected milliseconds or .* for the retry of an event/,
    ],
    ['retry of half a millisecond', { retry: 0.5 }, /^TypeError: Expected retry/],
    [
      'an object that is no event',
      { name: 'x' },
      /^TypeError: .* got name; to send an object, use \{ data: object \}$/,
    ],
    ['null', null, /^TypeError: Expected an event to be a string or an object, got null$/],
    ['a number', 5, /^TypeError: Expected an event to be a string or an object, got 5$/],
    [
      'a function as data',
      { data: () => 1 },
      /^TypeError: Expected data that can be sent as JSON, got function$/,
    ],
    ['a big integer as data', { data: 1n }, /^TypeError: .*BigInt/],
  ];
  for (const [name, event, message] of refused) {
    test(`mistake: ${name} throws a TypeError`, async () => {
      assert.match(await refusal(event), message);
    });
  }

  test('comment: is not an event, whatever it contains', async () => {
    const app = streaming(events => {
      void events.comment('a\ndata: b');
      void events.comment();
      events.close();
    });
    const parser = new EventParser().push((await ask(app)).text);
    assert.deepEqual([parser.events, parser.comments], [[], ['a', 'data: b', '']]);
  });

  test('heartbeat: comments are sent while there are no events', async () => {
    await withServer(
      streaming(() => undefined, { heartbeat: 10 }),
      async port => {
        await (await Connection.open(port)).get('/').until(/(?:: \n\n[^]*){3}/);
      },
    );
  });

  test('heartbeat: a wrapper of write that throws ends the response, not the process', async () => {
    const app = web().set('env', 'test');
    app.get('/', (_req, res) => {
      res.sse({ heartbeat: 10 });
      res.write = () => {
        throw new Error('from a wrapper');
      };
    });
    await withServer(app, async port => {
      await assert.rejects(async () => (await fetch(`http://127.0.0.1:${String(port)}`)).text());
    });
  });

  test('heartbeat: is restarted by each event, and never started if it is false', async t => {
    const { setInterval } = globalThis;
    for (const heartbeat of [60_000, false] as const) {
      const refreshed: (() => number)[] = [];
      t.mock.method(globalThis, 'setInterval', (callback: () => void, time: number) => {
        const timer = setInterval(callback, time);
        const refresh = t.mock.method(timer, 'refresh');
        if (time === heartbeat) refreshed.push(() => refresh.mock.callCount());
        return timer;
      });
      const app = streaming(
        events => {
          for (let i = 0; i < 20; i++) void events.send('x');
          events.close();
        },
        { heartbeat },
      );
      const parser = new EventParser().push((await ask(app)).text);
      assert.deepEqual([parser.events.length, parser.comments.length], [20, 0]);
      assert.deepEqual(
        refreshed.map(count => count()),
        heartbeat === false ? [] : [20],
      );
    }
  });

  test('options: invalid ones throw', async () => {
    const cases: [object, RegExp][] = [
      [
        { heartbeat: 'often' },
        /^TypeError: Expected milliseconds or .* for the heartbeat of res\.sse\(\), got 'often'/,
      ],
      [{ heartbeat: -1 }, /^RangeError: Expected the heartbeat of res\.sse\(\) of 1 to 2147483647/],
      [{ maxBacklog: NaN }, /^TypeError: res\.sse\(\): maxBacklog must be a number of bytes, .* got NaN/],
    ];
    for (const [options, message] of cases) {
      const app = web().set('env', 'test');
      app.use((_req, res) => {
        assert.throws(
          () => res.sse(options),
          error => message.test(String(error)),
        );
        res.send('headers can be set');
      });
      assert.equal((await ask(app)).text, 'headers can be set');
    }
  });

  test('headers: an existing Cache-Control is kept, and no Content-Length is sent', async () => {
    const app = web().set('env', 'test');
    app.use((_req, res) => res.set({ 'Cache-Control': 'no-store', 'Content-Length': '5' }).sse().close());
    const { headers } = await ask(app);
    assert.deepEqual([headers['cache-control'], headers['content-length']], ['no-store', undefined]);
  });

  test('response that has begun: throws', async () => {
    const app = web().set('env', 'test');
    app.use((_req, res) => {
      res.write('a');
      assert.throws(() => res.sse(), { code: 'ERR_HTTP_HEADERS_SENT' });
      res.end();
    });
    assert.equal((await ask(app)).text, 'a');
  });

  test('closed: is true after close and after res.end, and nothing more is sent', async () => {
    for (const end of [(events: EventStream) => events.close(), (_: EventStream, res: Res) => res.end()]) {
      let seen: unknown;
      const app = streaming(async (events, _req, res) => {
        const before = events.closed;
        const sent = await events.send('a');
        end(events, res);
        events.close();
        seen = [before, sent, events.closed, await events.send('b'), await events.comment('c')];
      });
      assert.deepEqual(
        parseEvents((await ask(app)).text).map(({ data }) => data),
        ['a'],
      );
      assert.deepEqual(seen, [false, true, true, false, false]);
    }
  });

  test('slow client: send waits until there is room, and reports a disconnect', async () => {
    const sent: boolean[] = [];
    let isWaiting = false;
    const app = streaming(
      async events => {
        for (let result = true; result;) {
          isWaiting = true;
          result = await events.send('x'.repeat(100_000));
          isWaiting = false;
          sent.push(result);
        }
      },
      { heartbeat: 5 },
    );
    await withServer(app, async port => {
      const { socket } = (await Connection.open(port)).get('/');
      socket.pause();
      let last = -1;
      while (sent.length === 0 || sent.length !== last || !isWaiting) {
        last = sent.length;
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      socket.resume();
      await until(() => sent.length > last);
      socket.destroy();
      await until(() => sent.at(-1) === false);
      assert.equal(sent.indexOf(false), sent.length - 1);
    });
  });

  test('maxBacklog: a client with too much buffered data is disconnected', async () => {
    let stream: EventStream | undefined;
    const app = streaming(events => (stream = events), { maxBacklog: 500_000 });
    await withServer(app, async port => {
      const connection = (await Connection.open(port)).get('/');
      connection.socket.pause();
      await until(() => stream !== undefined);
      let count = 0;
      for (; !stream!.closed; count++) void stream!.send('x'.repeat(50_000));
      assert.ok(count >= 10 && count < 100, String(count));
      assert.equal(await stream!.send('x'), false);
    });
  });

  test('maxBacklog: counts what a compressor holds back', async () => {
    const noise = randomBytes(40_000).toString('base64');
    let stream: EventStream | undefined;
    const app = web()
      .set('env', 'test')
      .use(ownCompression() as unknown as RequestHandler);
    app.use((_req, res) => void (stream = res.sse({ maxBacklog: 500_000 })));
    await withServer(app, async port => {
      const { socket } = await Connection.open(port);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n');
      socket.pause();
      await until(() => stream !== undefined);
      let count = 0;
      for (; !stream!.closed && count < 10_000; count++) {
        void stream!.send(noise);
        if (count % 10 === 0) await new Promise(setImmediate);
      }
      assert.ok(count < 1000, String(count));
    });
  });

  test('maxBacklog: a client that begins to read late, and then keeps up, is not disconnected', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const app = web()
        .set('env', 'test')
        .use(ownCompression() as unknown as RequestHandler);
      const noise = randomBytes(6000).toString('base64');
      let sent = 0;
      let isOpen = true;
      let begin = (): unknown => undefined;
      app.use(async (_req, res) => {
        const events = res.sse({ maxBacklog: 1_000_000 });
        for (; sent < 3_000_000 && !events.closed; sent += noise.length) {
          const room = events.send(noise);
          if (res.writableLength > 150_000) begin();
          // A compressor is slower than this loop
          if (encoding === 'gzip') await room;
          else await (res.writableLength > 400_000 ? sleep(1) : new Promise(setImmediate));
        }
        isOpen = !events.closed;
        events.close();
      });
      await withServer(app, async port => {
        const connection = await Connection.open(port);
        connection.socket.write(`GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
        connection.socket.pause();
        begin = () => connection.socket.resume();
        setTimeout(begin, 200);
        await until(() => sent >= 3_000_000 || connection.isClosed);
        assert.ok(isOpen, `${encoding}: disconnected after ${String(sent)} bytes`);
        connection.socket.destroy();
      });
    }
  });

  test('client that has disconnected: the stream is closed', async () => {
    const results: unknown[] = [];
    const app = web().set('env', 'test');
    app.use((_req, res) => {
      res.on('close', () => {
        const events = res.sse();
        results.push(events.closed);
        events.close();
      });
    });
    await withServer(app, async port => {
      const { socket } = (await Connection.open(port)).get('/');
      setTimeout(() => socket.destroy(), 20);
      await until(() => results.length > 0);
      assert.deepEqual(results, [true]);
    });
  });

  test('listeners: none is left after the stream is closed', async () => {
    const counts: number[][] = [];
    const app = web().set('env', 'test');
    app.use((_req, res) => {
      const note = (): void => void counts.push([res.listenerCount('close'), res.listenerCount('drain')]);
      note();
      const events = res.sse();
      events.close();
      note();
    });
    await ask(app);
    assert.deepEqual(counts[0], counts[1]);
  });

  test('compression: each event is sent immediately', async () => {
    let stream: EventStream | undefined;
    const app = web().set('env', 'test').use(compression());
    app.use((_req, res) => void (stream = res.sse()));
    await withServer(app, async port => {
      const connection = await Connection.open(port);
      connection.socket.write('GET / HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n');
      await connection.until(/Content-Encoding: gzip[^]*\r\n\r\n/);
      const inflate = zlib.createGunzip();
      const parser = new EventParser();
      inflate.setEncoding('utf8').on('data', (text: string) => parser.push(text));
      connection.socket.on('data', () => {
        inflate.write(Buffer.from(connection.text.slice(connection.text.indexOf('\r\n\r\n') + 4), 'latin1'));
        connection.text = '\r\n\r\n';
      });
      for (let i = 1; i <= 3; i++) {
        void stream!.send(`event ${String(i)}`);
        await until(() => parser.events.length === i);
      }
      assert.equal(parser.events[2]!.data, 'event 3');
      stream!.close();
      await connection.closed();
    });
  });

  test('res.flush: the method of Node, which logs a warning, is not called', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    assert.deepEqual(await dataOf('a'), ['a']);
    await new Promise(resolve => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(
      warnings.filter(message => message.includes('flush')),
      [],
    );
  });

  test('name: may be assigned', async () => {
    const app = web().set('env', 'test');
    app.use((_req, res) => {
      res.sse = (() => 'own') as never;
      res.send([res.sse() as unknown, Object.keys(res).includes('sse')]);
    });
    assert.equal((await ask(app)).text, '["own",true]');
  });
});
