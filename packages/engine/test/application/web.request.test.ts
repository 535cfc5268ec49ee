/** `web.request`: the prototype of all requests, with the members that Express has. */
import assert from 'node:assert/strict';
import http = require('node:http');
import { describe, test } from 'node:test';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

/**
 * Members that are not part of Express's interface: Express sets the first on each request instead, the next three are
 * Node's, made faster, and the rest is new.
 */
const HIDDEN = ['_parsedUrl', '_dump', 'push', '_destroy', 'matchedPath', 'signal'];

/** Returns the members of the interface by name. */
function descriptors(web: Web): [string, PropertyDescriptor][] {
  const all = Object.entries(Object.getOwnPropertyDescriptors(web.request));
  return all.filter(([name, { enumerable }]) => !HIDDEN.includes(name) || enumerable);
}

/** Returns kind, flags and number of parameters of each member. */
function members(web: Web): Record<string, unknown> {
  const entries = descriptors(web).map(([name, descriptor]) => {
    const { value, get, ...flags } = descriptor;
    const implementation = (value ?? get) as (...args: unknown[]) => unknown;
    return [name, { kind: get ? 'getter' : typeof value, length: implementation.length, ...flags }];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const implementations = (web: Web) =>
  descriptors(web).map(([name, { value, get }]): [string, (...args: unknown[]) => unknown] => [
    name,
    (value ?? get) as never,
  ]);

describe('web.request', () => {
  test('members: have the names, types and flags of Express, in its order', () => {
    assert.deepEqual(members(frameworks.ristretto), members(frameworks.express));
    assert.deepEqual(Object.keys(frameworks.ristretto.request), Object.keys(frameworks.express.request));
  });

  test('members: functions have the names they have in Express, or the name of the member', () => {
    const ours = new Map(implementations(frameworks.ristretto));
    for (const [name, theirs] of implementations(frameworks.express)) {
      assert.equal(ours.get(name)?.name, theirs.name || name);
    }
  });

  test('prototype: is http.IncomingMessage.prototype', () => {
    assert.equal(Object.getPrototypeOf(frameworks.ristretto.request), http.IncomingMessage.prototype);
  });

  test('module: lib/request.js exports the same object', () => {
    assert.equal(require('ristretto/lib/request'), frameworks.ristretto.request);
    assert.equal(require('ristretto/lib/request.js'), frameworks.ristretto.request);
  });

  test('shared: a member added or replaced there is on the requests of every application', async () => {
    const request = frameworks.ristretto.request as unknown as Record<string, unknown>;
    const original = request.is;
    request.shout = function (this: { path: string }) {
      return this.path.toUpperCase();
    };
    request.is = () => 'replaced';
    try {
      const app = frameworks.ristretto();
      app.use((req, res) => void res.json([(req as unknown as { shout(): string }).shout(), req.is('html')]));
      assert.equal((await ask(app, '/quiet')).text, '["/QUIET","replaced"]');
    } finally {
      delete request.shout;
      request.is = original;
    }
  });

  test('req._parsedUrl: is available to tools, which may assign it', async () => {
    const app = frameworks.ristretto();
    app.use((req, res) => {
      const internal = req as unknown as { _parsedUrl: { pathname: string; query: string } };
      const { pathname, query } = internal._parsedUrl;
      req.url = '/other';
      res.json([pathname, query, internal._parsedUrl.pathname]);
    });
    assert.equal((await ask(app, '/a?b=c')).text, '["/a","b=c","/other"]');
  });

  test('req.query: can be assigned', async () => {
    const app = frameworks.ristretto();
    app.use((req, res) => {
      req.query = { a: 'b' };
      res.json(req.query);
    });
    assert.equal((await ask(app, '/?c=d')).text, '{"a":"b"}');
  });
});
