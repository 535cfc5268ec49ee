/**
 * The hooks of a response on Ristretto: the bytes that reach the socket, and the calls that tools see if they replace
 * methods.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import compression from 'compression';
import session from 'express-session';
import morgan from 'morgan';
import onHeaders from 'on-headers';
import ristretto from 'ristretto';
import type { RequestHandler, Response } from 'ristretto';
import ristretto3 from 'ristretto3';
import ristretto5 from 'ristretto5';
import { addResponseHook } from '../src/index.js';
import type { ResponseHook } from '../src/index.js';
import { words } from '../../../engine/test/support/random.js';
import { portOf } from '../../../engine/test/support/http.js';

const versions = { ristretto, ristretto3, ristretto5 } as unknown as Record<string, typeof ristretto>;

const adding =
  (hook: ResponseHook): RequestHandler =>
  (_req, res, next) => {
    addResponseHook(res, hook);
    next();
  };

/** Sends a request, and returns the response as text, with the number of writes of the server. */
async function writesOf(app: http.RequestListener, head = ''): Promise<{ text: string; writes: number }> {
  const server = http.createServer(app);
  let writes = 0;
  server.on('connection', (socket: Socket) => {
    const handle = (socket as unknown as { _handle: Record<string, (...args: unknown[]) => unknown> })
      ._handle;
    for (const name of words('writev writeLatin1String writeUtf8String writeBuffer writeAsciiString')) {
      const native = handle[name]!;
      handle[name] = function (...args) {
        writes++;
        return native.apply(this, args);
      };
    }
  });
  const port = await portOf(server.listen(0));
  try {
    const req = http.request({ port, agent: false, headers: { 'accept-encoding': head } }).end();
    const [res] = (await once(req, 'response')) as [http.IncomingMessage];
    let text = res.rawHeaders.join(' ');
    for await (const chunk of res) text += String(chunk);
    return { text, writes };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const hook: ResponseHook = {
  head: res => void res.setHeader('X-Hook', '1'),
  whole: (_res, body) => String(body).toUpperCase(),
};

const asText = (res: Response): unknown => res.type('text').send('text');

describe('response hooks on Ristretto', () => {
  for (const [name, web] of Object.entries(versions)) {
    test(`response-hooks: a response with hooks is sent in one write in ${name}`, async () => {
      const app = web().set('env', 'test');
      app.use(adding(hook));
      app.get('/', (_req, res) => void asText(res));
      const { text, writes } = await writesOf(app);
      assert.match(text, /X-Hook 1.*TEXT$/);
      assert.equal(writes, 1);
    });

    test(`response-hooks: a response that a hook delays is sent in one write in ${name}`, async () => {
      const app = web().set('env', 'test');
      app.use(adding({ whole: async (_res, body) => Promise.resolve(`${String(body)} later`) }));
      app.get('/', (_req, res) => void asText(res));
      const { text, writes } = await writesOf(app);
      assert.match(text, /Content-Length 10 .*text later$/);
      assert.equal(writes, 1);
    });

    test(`response-hooks: hooks work with an end that is patched above or below them in ${name}`, async () => {
      for (const isAbove of [true, false]) {
        const calls: string[] = [];
        const app = web().set('env', 'test');
        const patch: RequestHandler = (_req, res, next) => {
          const { end } = res;
          res.end = function (this: Response, ...args: unknown[]) {
            calls.push(String(args[0]));
            return Reflect.apply(end, this, args) as Response;
          } as typeof res.end;
          next();
        };
        if (isAbove) app.use(adding(hook)).use(patch);
        else app.use(patch).use(adding(hook));
        app.get('/', (_req, res) => void asText(res));
        const { text } = await writesOf(app);
        assert.match(text, /X-Hook 1.*TEXT$/);
        assert.deepEqual(calls, [isAbove ? 'text' : 'TEXT']);
      }
    });

    test(`response-hooks: an object with the three members that the guide names gets the whole body in ${name}`, async () => {
      const guide = fs.readFileSync(path.join(__dirname, '../../../../docs/guide/response-hooks.md'), 'utf8');
      const app = web().set('env', 'test');
      app.use((_req, res, next) => {
        const { writeHead, write, end } = res;
        const interceptor = {
          originalMethods: { writeHead, write, end },
          canRespond: () => true,
          respond: (body: string, send: (...args: unknown[]) => void, form: unknown) => {
            res.setHeader('Content-Length', 16);
            send(res, `${body} intercepted`, form, true);
          },
        };
        for (const member of Object.keys(interceptor))
          assert.match(guide, new RegExp(`^\\| \`${member}\\b`, 'm'));
        Object.assign(res, { [Symbol.for('ristretto.responseHook')]: interceptor });
        next();
      });
      app.get('/', (_req, res) => void asText(res));
      const { text } = await writesOf(app);
      assert.match(text, /text intercepted$/);
    });

    test(`response-hooks: a hook of res.onSend changes the body first, and so the entity tag, in ${name}`, async () => {
      for (const isFirst of [true, false]) {
        const app = web().set('env', 'test');
        const bodies: string[] = [];
        const onSend: RequestHandler = (_req, res, next) => {
          res.onSend(body => `${String(body)} sent`);
          next();
        };
        const own = adding({ whole: (_res, body) => void bodies.push(String(body)) });
        app.use(isFirst ? onSend : own).use(isFirst ? own : onSend);
        app.get('/', (_req, res) => void asText(res));
        const { text } = await writesOf(app);
        assert.match(text, /Content-Length 9 .*text sent$/);
        assert.deepEqual(bodies, ['text sent']);
      }
    });
  }

  /** The wrapping packages, as middleware. */
  const originals = {
    compression: compression({ threshold: 0 }) as unknown as RequestHandler,
    session: session({ secret: 'a', resave: true, saveUninitialized: true }) as unknown as RequestHandler,
    morgan: morgan('tiny', { stream: { write: () => undefined } }) as unknown as RequestHandler,
    'on-headers': ((_req, res, next) => {
      onHeaders(res, () => void res.setHeader('X-On', '1'));
      next();
    }) as RequestHandler,
    hook: adding({ head: res => void res.setHeader('X-Hook', '1') }),
    'later hook': adding({
      head: res => void res.setHeader('X-Later', '1'),
      whole: async () => Promise.resolve(undefined),
    }),
  };

  for (const [name, web] of Object.entries(versions)) {
    test(`response-hooks: two hooks work in every order among four wrapping packages in ${name}`, async () => {
      const names = Object.keys(originals) as (keyof typeof originals)[];
      for (let turn = 0; turn < names.length; turn++) {
        for (const isReversed of [false, true]) {
          const order = [...names.slice(turn), ...names.slice(0, turn)];
          if (isReversed) order.reverse();
          for (const way of ['send', 'end', 'write'] as const) {
            const app = web().set('env', 'test');
            for (const one of order) app.use(originals[one]);
            app.get('/', (_req, res) => {
              res.type('text');
              if (way === 'write') res.write('text'.repeat(5));
              if (way === 'send') res.send('text'.repeat(10));
              else res.end('text'.repeat(5));
            });
            const { text } = await writesOf(app);
            for (const header of ['X-On 1', 'X-Hook 1', 'X-Later 1', 'Set-Cookie connect.sid='])
              assert.ok(text.includes(header), `${header} in ${order.join(', ')}, ${way}: ${text}`);
            assert.ok(text.endsWith('text'.repeat(10)) || way === 'end', `${order.join(', ')}: ${text}`);
            const compressed = await writesOf(app, 'gzip');
            assert.match(compressed.text, /Content-Encoding gzip/, `${order.join(', ')}, ${way}`);
          }
        }
      }
    });
  }
});
