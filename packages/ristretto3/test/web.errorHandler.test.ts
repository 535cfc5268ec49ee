/** `web.errorHandler`: sends errors as HTML, JSON or text, with their status, and logs them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, loose, sameEach, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

process.env.NODE_ENV = 'test';

const accepting = (type: string) => ({ headers: { Accept: type } });
const TYPES = ['text/html', 'application/json', 'text/plain', 'image/png'].map(accepting);
/** Our JSON is indented, and the heading of the page has our name. */
const BODIES = { body: true };

function problem(members: object = {}): Error {
  const error = Object.assign(new Error('b<o>om'), members);
  error.stack = 'Error: b<o>om\n    at f (x.js:1:2)';
  return error;
}
const failing =
  (error: unknown): Handler =>
  (_req, _res, next) =>
    next(error);
const build = (error: unknown) => (web: Web) => [failing(error), web.errorHandler()];

describe('web.errorHandler', () => {
  test('types: sends HTML, JSON or text, whichever the client prefers', async () => {
    const [html, json, text, other] = await sameEach(build(problem()), TYPES, BODIES);
    assert.match(html!.text, /<h1>Ristretto<\/h1>[^]*b&lt;o&gt;om/);
    assert.deepEqual(JSON.parse(json!.text), {
      error: { message: 'b<o>om', stack: 'Error: b<o>om\n    at f (x.js:1:2)' },
    });
    assert.equal(text!.text, 'Error: b<o>om\n    at f (x.js:1:2)');
    assert.equal(other!.text, text!.text);
    for (const answer of [html, json, text])
      assert.equal(answer!.headers['x-content-type-options'], 'nosniff');
  });

  test('status: comes from the error, else from the response, else is 500', async () => {
    const status = async (error: unknown, before = 200) => {
      const setting: Handler = (_req, res, next) => {
        res.statusCode = before;
        next();
      };
      const links = (web: Web) => [setting, failing(error), web.errorHandler()];
      return (await sameEach(links, [accepting('text/plain')]))[0]!.status;
    };
    assert.equal(await status(problem({ status: 404 })), 404);
    assert.equal(await status(problem({ status: 200 })), 500);
    assert.equal(await status(problem(), 418), 418);
  });

  test('values that are not errors: strings and objects are sent too', async () => {
    for (const error of ['text', { a: 1 }, 5]) await sameEach(build(error), TYPES, BODIES);
  });

  test('log: is called with the error and its text', async () => {
    const logged: unknown[] = [];
    const error = problem();
    const log = (...args: unknown[]) => logged.push(args.slice(0, 2));
    await askAll([failing(error), web.errorHandler({ log })], [{}]);
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual(logged, [[error, 'Error: b<o>om\n    at f (x.js:1:2)']]);
    assert.throws(() => loose(web.errorHandler)({ log: 1 }), TypeError);
  });

  test('title: is the heading of the page', async t => {
    const before = web.errorHandler.title;
    t.after(() => (web.errorHandler.title = before));
    web.errorHandler.title = 'My site';
    const [answer] = await askAll(build(problem())(web), [accepting('text/html')]);
    assert.match(answer!.text, /<h1>My site<\/h1>/);
  });

  test('headers already sent: closes the connection', async () => {
    const late: Handler = (_req, res, next) => {
      res.write('half');
      setImmediate(() => next(problem()));
    };
    const cut = askAll([late, web.errorHandler()], [{}]);
    await assert.rejects(cut, /body is cut off/);
  });
});
