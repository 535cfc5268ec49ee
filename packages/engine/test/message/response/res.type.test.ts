/** `res.type` and its other name, `res.contentType`: set `Content-Type` by extension or media type. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, returning, sameEach } from '../../support/compare.js';
import { ask } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';

for (const method of ['type', 'contentType'] as const) {
  const asked = answering((req, res) => void res[method](decodeURIComponent(req.url.slice(1))).end());

  describe(`res.${method}`, () => {
    test('extension: is looked up as a media type', async () => {
      const names = [
        'json',
        'html',
        'txt',
        'js',
        'mjs',
        'css',
        'png',
        'svg',
        'xml',
        'bin',
        'wasm',
        'md',
        'ts',
        'ttf',
        'ico',
      ];
      const answers = await sameEach(
        asked,
        names.flatMap(name => [`/${name}`, `/.${name}`, `/file.${name}`, `/${name.toUpperCase()}`]),
      );
      assert.equal(answers[0]?.headers['content-type'], 'application/json; charset=utf-8');
    });

    test('extension unknown: sets application/octet-stream', async () => {
      const [answer] = await sameEach(asked, ['/nosuchtype', '/', '/toString', '/__proto__']);
      assert.equal(answer?.headers['content-type'], 'application/octet-stream');
    });

    test('type with a slash: is used as it is', async () => {
      await sameEach(
        asked,
        ['image/png', 'text/html', 'application/json; charset=x', 'a/b/c', '/'].map(
          type => `/${encodeURIComponent(type)}`,
        ),
      );
    });

    test('type missing: throws a TypeError', async () => {
      for (const framework of Object.values(frameworks)) {
        const answer = await ask(answering((_req, res) => void loose(res)[method]!().end())(framework));
        assert.match(answer.text, /^TypeError: Cannot read properties of undefined/);
      }
    });

    test('returns: returns the response', async () => {
      await same(returning(res => res[method]('html')));
    });
  });
}
