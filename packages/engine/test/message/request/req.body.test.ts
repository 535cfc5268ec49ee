/** `req.body`: the result of the body parsers. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { post } from '../../support/body-parsers.js';
import { sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';

const showing = (build: (app: ReturnType<Web>, web: Web) => void) => (web: Web) => {
  const app = web();
  build(app, web);
  return app.use((req, res) => {
    const body = Buffer.isBuffer(req.body) ? `Buffer ${req.body.toString()}` : JSON.stringify(req.body);
    res.send(`${typeof req.body} ${body}`);
  });
};

describe('req.body', () => {
  test('no parser: is undefined', async () => {
    const answer = await same(
      showing(() => {}),
      post('application/json', '{"a":1}'),
    );
    assert.equal(answer.text, 'undefined undefined');
  });

  test('json, urlencoded, raw, text: each sets its kind of value', async () => {
    const answers = await sameEach(
      showing((app, web) => app.use(web.json(), web.urlencoded({ extended: true }), web.raw(), web.text())),
      [
        post('application/json', '[1,{"a":null}]'),
        post('application/x-www-form-urlencoded', 'a=1&b[c]=2'),
        post('application/octet-stream', 'bytes'),
        post('text/plain', 'some text'),
        post('image/png', 'no parser takes it'),
        { path: '/' },
      ],
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      [
        'object [1,{"a":null}]',
        'object {"a":"1","b":{"c":"2"}}',
        'object Buffer bytes',
        'string "some text"',
        'object {}',
        'object {}',
      ],
    );
  });

  test('several parsers: is set by the one that parsed the body', async () => {
    const answers = await sameEach(
      showing((app, web) => app.use(web.text({ type: '*/*' }), web.json())),
      [post('application/json', '{"a":1}'), post('text/plain', '1')],
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['string "{\\"a\\":1}"', 'string "1"'],
    );
  });

  test('assigned: can be set by a handler', async () => {
    const answer = await same(
      showing(app =>
        app.use((req, _res, next) => {
          req.body = { own: true };
          next();
        }),
      ),
    );
    assert.equal(answer.text, 'object {"own":true}');
  });
});
