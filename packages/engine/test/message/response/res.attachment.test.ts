/** `res.attachment`: sets `Content-Disposition`, and the type that matches the extension of the filename. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, returning, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.attachment', () => {
  test('without a filename: sends attachment and sets no type', async () => {
    const answer = await same(answering((_req, res) => void res.attachment().end()));
    assert.equal(answer.headers['content-disposition'], 'attachment');
    assert.equal(answer.headers['content-type'], undefined);
    await same(answering((_req, res) => void res.attachment('').end()));
  });

  test('filename: becomes the filename parameter, and its extension sets the type', async () => {
    const answer = await same(answering((_req, res) => void res.attachment('path/to/logo.png').end()));
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="logo.png"');
    assert.equal(answer.headers['content-type'], 'image/png');
  });

  test('filename: may contain any characters', async () => {
    const names = [
      'noext',
      'a b.txt',
      'quo"te.html',
      '日本語.txt',
      'é.csv',
      '€ rates.pdf',
      '%20.txt',
      '.hidden',
      'a\\b.js',
    ];
    await sameEach(
      answering((req, res) => void res.attachment(names[Number(req.url.slice(1))]).end()),
      names.map((_name, at) => `/${at}`),
    );
  });

  test('filename that is not a string: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => void loose(res).attachment!(5).end()));
    assert.match(answer.text, /^TypeError: /);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.attachment('a.txt')));
  });
});
