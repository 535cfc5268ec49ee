/** `req.files`: not defined by the framework. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { post } from '../../support/body-parsers.js';
import { frameworks, same } from '../../support/oracle.js';

const FORM = '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n';

describe('req.files', () => {
  test('no middleware: is undefined, and an upload is not read', async () => {
    for (const { request } of Object.values(frameworks)) assert.ok(!('files' in request));
    const answer = await same(
      web => web().use(web.json(), (req, res) => void res.json(['files' in req, req.body])),
      post('multipart/form-data; boundary=x', FORM),
    );
    assert.equal(answer.text, '[false,{}]');
  });
});
