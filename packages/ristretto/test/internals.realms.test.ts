// runs: built, each
/** The framework in a separate realm, as under Jest: errors that Node throws there belong to another realm. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { RequestHandler } from 'ristretto';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { comparable, expected } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { makeRealm } from '../../engine/test/support/realm.js';

type Application = ReturnType<Web>;

const FIXTURE = path.join(__dirname, '../../engine/test/fixtures/realm/application.cjs');

/** Loads the framework in a new realm, and the fixture's application on it. */
function inRealm(name: 'express' | 'ristretto'): { web: Web; app: Application } {
  const load = makeRealm();
  const web = load(require.resolve(name)) as Web;
  const build = load(FIXTURE) as (web: Web) => Application;
  return { web, app: build(web) };
}

const realms = { express: inRealm('express'), ristretto: inRealm('ristretto') };

const post = (body: string | Buffer, headers: Record<string, string> = {}, search = ''): Ask => ({
  method: 'POST',
  path: `/body${search}`,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 12);
const garbage = Buffer.from('no gzip');

const requests: Record<string, Ask | string> = {
  'a missing file': '/sendFile/missing.txt',
  'a directory': '/sendFile/.',
  'a file below a file': '/sendFile/application.cjs%2Fdeeper',
  'a file name too long': `/sendFile/${'a'.repeat(300)}`,
  'a missing file without a callback': '/next/missing.txt',
  'a missing download': '/download/missing.txt',
  'a missing static file': '/static/missing.txt',
  'a missing static file that falls through': '/through/missing.txt',
  'a malformed static path': '/static/%ff',
  'an invalid gzip body': post(garbage, { 'Content-Encoding': 'gzip' }),
  'an invalid deflate body': post(garbage, { 'Content-Encoding': 'deflate' }),
  'a truncated gzip body': post(cut(zlib.gzipSync('{"a":1}')), { 'Content-Encoding': 'gzip' }),
  'a gzip body': post(zlib.gzipSync('{"a":[1]}'), { 'Content-Encoding': 'gzip' }),
  'a JSON body': post('{"a":[{"b":null}]}'),
  'a malformed JSON body': post('{"a":'),
  'a form': post('a[]=1&a[]=2&b[c]=d', form),
  text: post('text', { 'Content-Type': 'text/plain' }),
  bytes: post('bytes', { 'Content-Type': 'application/octet-stream' }),
  'a body over the limit': post(JSON.stringify('x'.repeat(2000))),
  'a verify function that throws': post('{}', {}, '?verify=own'),
  'a verify function that throws a string': post('{}', {}, '?verify=text'),
  'a verify function that throws a status': post('{}', {}, '?verify=status'),
  'a buffer sent': '/send/buffer',
  'a set sent': '/send/set',
  'an array sent': '/send/array',
  'a date sent': '/send/date',
  'an error sent': '/send/error',
  'a Node error sent': '/send/core-error',
  'parsed JSON sent': '/send/json',
  'arrays, dates and objects in headers': {
    path: '/set?a[]=1&a[]=2',
    headers: { Accept: 'text/html;q=0.5, */*' },
  },
  'a regular expression in an array': '/own-42',
  'a pattern in an array': '/own/x',
  'a Node error thrown': '/throw',
  'a Node error for the default handler': '/left',
  'a Node error from a callback': '/late',
  'a malformed parameter': '/param/%ff',
  'a missing view': '/view',
  nothing: '/nothing',
};

describe('internals: realms', () => {
  for (const [name, request] of Object.entries(requests)) {
    test(`responses: match those of Express in another realm, for ${name}`, async () => {
      const ours = await ask(realms.ristretto.app, request);
      assert.deepEqual(comparable(ours), expected(await ask(realms.express.app, request)));
    });
  }

  test('verify: a Node error keeps its code', async () => {
    const { status, text } = await ask(realms.ristretto.app, post('{}', {}, '?verify=core'));
    const { code, type, body } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(
      [status, code, type, body],
      [403, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'entity.verify.failed', '{}'],
    );
  });

  test('bodies: views and generators of another realm are sent as bytes and chunks', async () => {
    assert.deepEqual((await ask(realms.ristretto.app, '/send/view')).body, Buffer.alloc(2));
    assert.equal((await ask(realms.ristretto.app, '/send/generator')).text, 'ab');
  });

  test('paths: a regular expression of another realm matches', async () => {
    const app = web();
    app.get(vm.runInNewContext('/^\\/(\\d+)$/') as RegExp, (req, res) => res.send(req.params[0]));
    assert.equal((await ask(app, '/42')).text, '42');
    assert.equal((await ask(app, '/x')).status, 404);
  });

  test('paths and handlers: may be arrays of another realm', async () => {
    const app = web();
    const arrayOf = vm.runInNewContext('(...values) => values') as (...values: unknown[]) => never[];
    app.get(arrayOf('/a', '/b'), arrayOf(((req, res) => res.send(req.path)) as RequestHandler));
    assert.equal((await ask(app, '/b')).text, '/b');
  });

  test('promises: a rejection of another realm goes to the error handlers', async () => {
    const app = web().set('env', 'test');
    const reject = vm.runInNewContext(
      'async () => { throw Object.assign(new Error("no"), { status: 409 }); }',
    ) as () => void;
    app.get('/', reject);
    assert.equal((await ask(app)).status, 409);
  });
});
