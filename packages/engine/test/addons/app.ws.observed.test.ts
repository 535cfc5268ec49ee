// runs: each
/** `app.ws`: what health, logs, traces and the request show of sockets, and what is released when one opens. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type web from 'ristretto';
import { until } from '../support/until.js';
import { versions } from '../support/websocket.js';

type App = ReturnType<typeof web>;
type Identified = web.Request & { id?: string };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Resolves after what runs when a socket has opened. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise(setImmediate);
};

for (const { version, make, web: factory } of versions) {
  // 3.x has neither these functions nor routers.
  const later = { skip: version === '3' };

  describe(`app.ws, observed, Express ${version}`, () => {
    test('web.health: reports the number of open sockets', later, async () => {
      const app = make();
      app.use(factory.health({ maxAge: 0 }));
      app.use(factory.health({ ready: '/public', maxAge: 0, details: false }));
      app.ws('/', () => undefined);
      const count = async (): Promise<number> => {
        const { sockets = 0 } = (await app.inject('/readyz')).json() as { sockets?: number };
        return sockets;
      };
      // Sockets of another test may still be closing.
      let before = -1;
      for (let now = await count(); now !== before; now = await count()) {
        before = now;
        await settled();
      }
      const first = await app.inject.ws('/');
      const second = await app.inject.ws('/');
      assert.equal((await count()) - before, 2);
      assert.deepEqual((await app.inject('/public')).json(), { status: 'ok' });
      first.terminate();
      second.close();
      while ((await count()) !== before) await settled();
      await assert.rejects(app.inject.ws('/none'));
      assert.equal(await count(), before);
    });

    test(
      'web.requestId: sends the id with 101, gives it to the handler, and to the log of errors in listeners',
      later,
      async () => {
        const app = make();
        const entries: { message: string; error: unknown; requestId?: unknown }[] = [];
        app.set('error logger', entry => void entries.push(entry));
        app.use(factory.requestId());
        app.ws('/', (socket, req) => {
          socket.send((req as Identified).id!);
          socket.on('message', () => {
            throw new Error('of a listener');
          });
        });
        const socket = await app.inject.ws('/');
        const id = await socket.next();
        assert.equal(socket.response.headers['x-request-id'], id);
        socket.send('x');
        await once(socket, 'close');
        assert.deepEqual(
          entries.map(({ message, error, requestId }) => [message, (error as Error).message, requestId]),
          [['unhandled WebSocket error', 'of a listener', id]],
        );
      },
    );

    test('channels: a request for a WebSocket is traced once, with its route, and is over when the socket opens', async () => {
      const app = make();
      app.ws('/rooms/:room', () => undefined);
      const seen: unknown[] = [];
      const isOurs = ({ req }: { req: web.Request }): boolean => req.headers['x-test'] === version;
      const ended = (message: unknown): void => {
        const trace = message as { req: web.Request; res: web.Response; aborted: boolean };
        if (isOurs(trace)) seen.push(['end', trace.res.statusCode, trace.aborted, trace.req.matchedPath]);
      };
      const routed = (message: unknown): void => {
        const report = message as { req: web.Request };
        if (isOurs(report)) seen.push(['route', report.req.matchedPath]);
      };
      tracingChannel('ristretto.request').asyncEnd.subscribe(ended);
      subscribe('ristretto.request.route', routed);
      try {
        const socket = await app.inject.ws('/rooms/1', { headers: { 'x-test': version } });
        await until(() => seen.length === 2);
        socket.terminate();
        await settled();
      } finally {
        tracingChannel('ristretto.request').asyncEnd.unsubscribe(ended);
        unsubscribe('ristretto.request.route', routed);
      }
      assert.deepEqual(seen, [
        ['route', '/rooms/:room'],
        ['end', 101, false, '/rooms/:room'],
      ]);
    });

    test('the request: stays usable after the socket has opened, without its response', later, async () => {
      const app = make();
      const router = factory.Router({ mergeParams: true });
      let kept: web.Request | undefined;
      (router as unknown as App).ws('/seats/:seat', (_socket, req) => {
        kept = req;
      });
      app.use('/rooms/:room', router as never);
      const socket = await app.inject.ws('/rooms/1/seats/2?a=b', { headers: { 'X-A': 'c' } });
      await settled();
      const { params, query, matchedPath, originalUrl, ip, signal, res, next } = kept!;
      assert.deepEqual({ ...params }, { room: '1', seat: '2' });
      assert.deepEqual({ ...query }, { a: 'b' });
      assert.deepEqual(
        [matchedPath, originalUrl, ip],
        ['/rooms/:room/seats/:seat', '/rooms/1/seats/2?a=b', '127.0.0.1'],
      );
      assert.equal(kept!.get('X-A'), 'c');
      assert.deepEqual([res, next], [undefined, undefined]);
      assert.equal(signal.aborted, false);
      socket.terminate();
      await until(() => signal.aborted);
    });

    test('locals: a response that has some is kept', async () => {
      const app = make();
      let kept: web.Request | undefined;
      app.use((_req, res, next) => {
        res.locals.user = 'Ada';
        next();
      });
      app.ws('/', (_socket, req) => {
        kept = req;
      });
      const socket = await app.inject.ws('/');
      await settled();
      assert.equal(kept!.res!.locals.user, 'Ada');
      socket.terminate();
    });

    test('memory: an open socket holds neither its response nor, unless the handler does, its request', async () => {
      const app = make();
      const storage = new AsyncLocalStorage<{ id: number }>();
      const responses: WeakRef<object>[] = [];
      const requests: WeakRef<object>[] = [];
      app.use((_req, res, next) => {
        responses.push(new WeakRef(res));
        storage.run({ id: 1 }, next);
      });
      app.ws('/held', (socket, req) => {
        socket.on('message', () => socket.send(`${req.url} ${String(storage.getStore()?.id)}`));
      });
      app.ws('/free', (socket, req) => {
        requests.push(new WeakRef(req));
        socket.on('message', () => undefined);
      });
      const sockets = [];
      for (let i = 0; i < 10; i++) sockets.push(await app.inject.ws('/held'), await app.inject.ws('/free'));
      const left = (refs: WeakRef<object>[]): number => refs.filter(ref => ref.deref() !== undefined).length;
      await until(() => {
        collect();
        // The newest ones may still be on a stack.
        return left(responses) <= 2 && left(requests) <= 2;
      });
      sockets[0]!.send('x');
      assert.equal(await sockets[0]!.next(), '/held 1');
      for (const socket of sockets) socket.terminate();
    });
  });
}
