/** `app.handle` and the deprecated `app.router`. */
import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { ask, askPort, withServer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

type Out = (err?: unknown) => void;
type Handle = (req: object, res: object, out?: Out) => void;
const handleOf = (app: ReturnType<Web>) => app as unknown as { handle: Handle } & Handle;

/** TLS with a pre-shared key, so that no certificate is needed. */
const secret = {
  ciphers: 'PSK+HIGH',
  maxVersion: 'TLSv1.2',
  psk: { psk: Buffer.from('0123456789abcdef'), identity: 'test' },
} as const;

function askSecurely(port: number): Promise<string> {
  const options = {
    port,
    ciphers: secret.ciphers,
    maxVersion: secret.maxVersion,
    pskCallback: () => secret.psk,
    checkServerIdentity: () => undefined,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    https.get(options, res => res.on('data', (text: Buffer) => resolve(text.toString()))).on('error', reject);
  });
}

/** Creates a request and a response without a server. */
function byHand(method = 'GET', url = '/'): [http.IncomingMessage, http.ServerResponse] {
  const req = Object.assign(new http.IncomingMessage(null as never), { method, url });
  return [req, new http.ServerResponse(req)];
}

/**
 * `app.handle` and the application as a function: called by HTTP and HTTPS servers, by other applications, and
 * directly.
 */
describe('app.handle', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`http and https: one application serves both at once (${framework})`, async () => {
      const app = web().get('/', (req, res) => void res.send(`${req.protocol} ${String(req.secure)}`));
      const secure = https.createServer(
        { ciphers: secret.ciphers, maxVersion: secret.maxVersion, pskCallback: () => secret.psk.psk },
        app,
      );
      await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve));
      await withServer(app, async port => {
        const { port: securePort } = secure.address() as AddressInfo;
        assert.equal((await askPort(port)).text, 'http false');
        assert.equal(await askSecurely(securePort), 'https true');
        assert.equal((await askPort(port)).text, 'http false');
        assert.equal(await askSecurely(securePort), 'https true');
      });
      secure.close();
    });
    test(`function: takes a request and a response (${framework})`, async () => {
      const app = web().get('/', (_req, res) => void res.send('x'));
      assert.equal((await ask((req, res) => handleOf(app)(req, res))).text, 'x');
    });
    test(`next: is called when no handler responds (${framework})`, (_context, done) => {
      handleOf(web().get('/other', () => undefined))(...byHand(), (err?: unknown) => {
        assert.equal(err, undefined);
        done();
      });
    });
    test(`next: is called with the error (${framework})`, (_context, done) => {
      const error = new Error('mine');
      const app = web().use(() => {
        throw error;
      });
      handleOf(app)(...byHand(), (err?: unknown) => {
        assert.equal(err, error);
        done();
      });
    });
    test(`no router: calls next immediately, without arguments (${framework})`, () => {
      const calls: unknown[] = [];
      handleOf(web()).handle(...byHand(), (...args: unknown[]) => calls.push(args));
      assert.deepEqual(calls, [[]]);
    });
    test(`replaced: the application function calls the replacement (${framework})`, () => {
      const app = handleOf(web());
      const calls: unknown[] = [];
      app.handle = (...args) => void calls.push(args);
      const [req, res] = byHand();
      const out = (): void => undefined;
      app(req, res, out);
      assert.deepEqual(calls, [[req, res, out]]);
    });
    test(`this: is not required (${framework})`, async () => {
      const app = web().get('/', (_req, res) => void res.send('x'));
      const bare = app as (req: object, res: object) => void;
      assert.equal((await ask((req, res) => bare.call(undefined, req, res))).text, 'x');
    });
    test(`response by hand: new http.ServerResponse(req) works like a response of a server (${framework})`, (_context, done) => {
      const app = web();
      app.get('/ws', (req, res) => {
        assert.equal(Object.getPrototypeOf(res) === Object.getPrototypeOf(web().response), false);
        assert.equal(res.req, req);
        assert.equal(req.app, app);
        res.status(418).set('X', 'y');
        assert.equal(res.statusCode, 418);
        done();
      });
      const [req, res] = byHand('GET', '/ws');
      handleOf(app).handle(req, res, () => done(new Error('not handled')));
    });
    test(`response by hand: discards a body without an error (${framework})`, (_context, done) => {
      const app = web().get('/', (_req, res) => {
        res.send('into the void');
        assert.equal(res.headersSent, true);
        done();
      });
      handleOf(app).handle(...byHand(), done as Out);
    });
  }
  test('within another server function: passes unhandled requests to its next', () =>
    same(web => {
      const inner = web().get('/inner', (_req, res) => void res.send('inner'));
      const outer = web();
      outer.use((req, res, next) => {
        handleOf(inner)(req, res, next as Out);
      });
      outer.get('/outer', (_req, res) => void res.send('outer'));
      return outer;
    }, '/outer'));
  test('nothing registered: responds with 404', async () => {
    const answer = await same(web => web().set('env', 'test') as never);
    assert.equal(answer.status, 404);
  });
});

describe('app.router', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`read: throws an error that says what to do instead (${framework})`, () => {
      assert.throws(() => (web() as unknown as { router: unknown }).router, {
        name: 'Error',
        message:
          "'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.",
      });
    });
    test(`descriptor: is not enumerable and has no setter (${framework})`, () => {
      const { get, ...flags } = Object.getOwnPropertyDescriptor(web(), 'router')!;
      assert.equal(typeof get, 'function');
      assert.deepEqual(flags, { set: undefined, enumerable: false, configurable: false });
    });
  }
});
