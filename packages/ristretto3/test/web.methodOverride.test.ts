/** `web.methodOverride`: changes the method of a POST request by a form value or a header. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askAll, given, post, postJson, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const seen = show(req => [req.method, req.originalMethod, req.body]);
const build = (web: Web) => [web.json(), web.urlencoded(), web.methodOverride(), seen];
const named = (method: string) => ({ method: 'POST', headers: { 'X-HTTP-Method-Override': method } });

describe('web.methodOverride', () => {
  test('field of the body: sets the method, in any case, and is removed', async () => {
    const answers = await sameEach(build, [
      postJson({ _method: 'PUT', name: 'tobi' }),
      postJson({ _method: 'delete' }),
      post('application/x-www-form-urlencoded', '_method=patch&name=tobi'),
    ]);
    assert.equal(answers[0]!.text, '["PUT","POST",{"name":"tobi"}]');
    assert.equal(answers[1]!.text, '["DELETE","POST",{}]');
    assert.equal(answers[2]!.text, '["PATCH","POST",{"name":"tobi"}]');
  });

  test('field of the body: an unsupported method changes nothing', async () => {
    const values = ['bogus', '', 1, { a: 1 }, null, 'constructor', '__proto__', 'PUT\r\nX: y'];
    for (const answer of await sameEach(
      build,
      values.map(value => postJson({ _method: value })),
    )) {
      assert.equal(answer.text, '["POST","POST",{}]');
    }
  });

  test('header field: sets the method, and takes precedence', async () => {
    const answers = await sameEach(build, [
      named('DELETE'),
      named('DELETE, PUT'),
      named('bogus'),
      named(''),
      postJson({ _method: 'PUT' }, named('DELETE')),
      postJson({ _method: 'PUT' }, named('bogus')),
    ]);
    const methods = answers.map(answer => JSON.parse(answer.text)[0]);
    assert.deepEqual(methods, ['DELETE', 'DELETE', 'POST', 'POST', 'DELETE', 'PUT']);
    for (const answer of answers) assert.equal(answer.headers.vary, 'X-HTTP-Method-Override');
  });

  test('key: is the name of the field', async () => {
    const build = (web: Web) => [web.json(), web.methodOverride('verb'), seen];
    const answers = await sameEach(build, [postJson({ verb: 'PUT' }), postJson({ _method: 'PUT' })]);
    assert.equal(answers[0]!.text, '["PUT","POST",{}]');
    assert.equal(answers[1]!.text, '["POST","POST",{"_method":"PUT"}]');
  });

  test('other methods than POST: are unchanged (Express 3 changes them)', async () => {
    const requests = ['GET', 'HEAD', 'PUT', 'DELETE'].flatMap(method => [
      { ...named('PATCH'), method },
      postJson({ _method: 'PATCH' }, { method }),
    ]);
    const methods = (await askAll(build(web), requests)).map(answer => answer.headers.vary);
    assert.equal(new Set(methods).size, 1);
    const answers = await askAll(build(web), [{ ...named('DELETE'), method: 'GET' }]);
    assert.equal(answers[0]!.text, '["GET","GET",{}]');
  });

  test('body: is ignored if it is not an object, or only inherits the field', async () => {
    for (const body of [undefined, null, 'text', Object.create({ _method: 'PUT' })]) {
      const [answer] = await askAll([given({ body }), web.methodOverride(), seen], [{ method: 'POST' }]);
      assert.equal(JSON.parse(answer!.text)[0], 'POST');
    }
  });

  test('Vary: is appended to the existing value', async () => {
    const build = (web: Web) => [
      (_req: unknown, res: { setHeader(name: string, value: string): void }, next: () => void) => {
        res.setHeader('Vary', 'Accept');
        next();
      },
      web.methodOverride(),
      seen,
    ];
    const [answer] = await sameEach(build as never, [{ method: 'POST' }]);
    assert.equal(answer!.headers.vary, 'Accept, X-HTTP-Method-Override');
  });
});
