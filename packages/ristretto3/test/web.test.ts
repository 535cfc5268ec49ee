/** The main function and its members. */
import assert from 'node:assert/strict';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import base from 'ristretto';
import { ask } from '../../engine/test/support/http.js';
import { frameworks, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';
import manifest from '../package.json';

const { ristretto3: web, express3 } = frameworks;

describe('web', () => {
  test('function: returns an application, which is a request handler', async () => {
    const app = web();
    app.get('/', (_req, res) => res.send('hello'));
    assert.equal(typeof app, 'function');
    assert.equal(app.length, 3);
    assert.equal((await ask(http.createServer(app))).text, 'hello');
  });

  test('createServer: returns an application too', () => {
    assert.equal(typeof web.createServer().use, 'function');
  });

  test('version: is the package’s version, with major 3', () => {
    assert.equal(web.version, manifest.version);
    assert.match(web.version, /^3\./);
  });

  test('members: include all members of the oracle', () => {
    for (const name of Object.keys(express3)) assert.ok(Object.keys(web).includes(name), name);
  });

  test('middleware: is loaded on first access and can be replaced', () => {
    for (const name of ['basicAuth', 'csrf', 'session', 'vhost'] as const) {
      assert.equal(typeof web[name], 'function');
      assert.equal(web[name], web[name]);
    }
    const mine = (() => undefined) as never;
    const before = web.csrf;
    web.csrf = mine;
    assert.equal(web.csrf, mine);
    web.csrf = before;
  });

  test('mime: is the table that static files use', () => {
    assert.equal(web.mime.lookup('a.html'), 'text/html');
    assert.equal(web.mime, base.static.mime);
  });

  test('application, request, response: members set on them are available in every application', async () => {
    const members = web as unknown as Record<string, Record<string, unknown>>;
    members.application!.greet = () => 'app';
    members.request!.greet = () => 'req';
    members.response!.greet = () => 'res';
    const app = web();
    app.get('/', (req, res) => {
      res.send([app, req, res].map(one => (one as unknown as { greet(): string }).greet()).join());
    });
    assert.equal((await ask(app)).text, 'app,req,res');
    for (const name of ['application', 'request', 'response']) delete members[name]!.greet;
  });

  test('application, request, response: are not the objects of 4.x', () => {
    assert.equal(Object.getPrototypeOf(web.request), IncomingMessage.prototype);
    assert.equal(Object.getPrototypeOf(web.response), ServerResponse.prototype);
    assert.equal('auth' in base.request, false);
    assert.equal('headerSent' in base.response, false);
  });

  test('app.request, app.response: members apply to one application and those mounted in it', async () => {
    const build = (web: Web) => {
      const [app, child] = [web(), web()];
      (app.request as unknown as { hello(): string }).hello = () => 'hi';
      child.get('/', (req, res) => res.send((req as unknown as { hello(): string }).hello()));
      return app.use('/child', child);
    };
    assert.equal((await same(build, '/child')).text, 'hi');
  });
});
