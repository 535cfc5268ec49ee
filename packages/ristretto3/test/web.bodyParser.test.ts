/** `web.bodyParser`: parses JSON, forms and uploads in one middleware. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askAll, loose, post, postJson, sameEach, show, web } from './support/middleware.js';
import { form, uploadDirectory } from './support/multipart.js';

const seen = show(req => [req.body as unknown, Object.keys((req as { files?: object }).files ?? {})]);

describe('web.bodyParser', () => {
  test('JSON, forms, and forms with files: are parsed into req.body and req.files', async t => {
    const { uploadDir } = uploadDirectory(t);
    const answers = await sameEach(
      web => [web.bodyParser({ uploadDir }), seen],
      [
        postJson({ a: [1] }),
        post('application/x-www-form-urlencoded', 'a[b]=1&c=2'),
        form([
          { name: 'a[b]', value: '1' },
          { name: 'f', filename: 'x.txt', value: 'content' },
        ]),
        post('text/plain', 'x'),
        {},
      ],
    );
    assert.deepEqual(
      answers.map(answer => answer.text),
      ['[{"a":[1]},[]]', '[{"a":{"b":"1"},"c":"2"},[]]', '[{"a":{"b":"1"}},["f"]]', '[{},[]]', '[{},[]]'],
    );
  });

  test('errors: of each parser go to the error handlers', async () => {
    const answers = await sameEach(
      web => [web.bodyParser(), seen],
      [post('application/json', '{'), post('application/json; charset=x', '{}')],
      { body: true },
    );
    assert.deepEqual(
      answers.map(answer => answer.status),
      [400, 415],
    );
    const [urlencoded, multipart] = await askAll(
      [web.bodyParser(), seen],
      [post('application/x-www-form-urlencoded; charset=x', 'a=1'), post('multipart/form-data', 'x')],
    );
    assert.deepEqual([urlencoded!.status, multipart!.status], [415, 400]);
  });

  test('options: each parser gets all of them', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const [json, urlencoded, multipart] = await askAll(
      [web.bodyParser({ uploadDir, limit: 100, extended: false }), seen],
      [
        postJson('x'.repeat(100)),
        post('application/x-www-form-urlencoded', 'a[b]=1'),
        form([{ name: 'f', filename: 'x', value: 'x'.repeat(100) }]),
      ],
    );
    assert.deepEqual([json!.status, urlencoded!.text, multipart!.status], [413, '[{"a[b]":"1"},[]]', 413]);
    assert.deepEqual(left(), []);
    assert.throws(() => loose(web.bodyParser)({ limit: 'x' }), TypeError);
  });
});
