/** `req.accepts`: selects the best of the offered media types by the `Accept` header. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike, fakeRequest, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';
import { acceptList, extension, mediaType } from '../../support/field-values.js';
import { frameworks } from '../../support/oracle.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('req.accepts', () => {
  test('types: may be a media type', () => {
    assert.equal(
      alike({ accept: 'text/html' }, req => req.accepts('text/html')),
      'text/html',
    );
    assert.equal(
      alike({ accept: 'text/html' }, req => req.accepts('application/json')),
      false,
    );
    assert.equal(
      alike({ accept: 'TEXT/html' }, req => req.accepts('text/HTML')),
      'text/HTML',
    );
    assert.equal(
      alike({ accept: 'text/*' }, req => req.accepts('text/html ; charset=utf-8')),
      'text/html ; charset=utf-8',
    );
  });

  test('types: may be an extension, which is returned as given', () => {
    assert.equal(
      alike({ accept: 'text/html' }, req => req.accepts('html')),
      'html',
    );
    assert.equal(
      alike({ accept: 'application/json' }, req => req.accepts('.json')),
      '.json',
    );
    assert.equal(
      alike({ accept: 'model/obj' }, req => req.accepts('obj')),
      'obj',
    );
    assert.equal(
      alike({ accept: '*/*' }, req => req.accepts('no-such-extension')),
      false,
    );
    assert.equal(
      alike({ accept: '*/*' }, req => req.accepts(['no-such-extension', 'html'])),
      'html',
    );
  });

  test('types: a comma-delimited list is one name, which no client accepts, as in Express 4', () => {
    assert.equal(
      alike({ accept: 'text/html' }, req => req.accepts('html, json')),
      false,
    );
    assert.equal(
      alike({ accept: '*/*' }, req => req.accepts('text/html, application/json')),
      false,
    );
    assert.equal(
      alike({}, req => req.accepts('html, json')),
      'html, json',
    );
  });

  test('types: may be an array or several arguments', () => {
    assert.equal(
      alike({ accept: 'application/json' }, req => req.accepts(['html', 'json'])),
      'json',
    );
    assert.equal(
      alike({ accept: 'application/json' }, req => req.accepts('html', 'json')),
      'json',
    );
    assert.equal(
      alike({ accept: '*/*' }, req => req.accepts(['json', 'html'])),
      'json',
    );
  });

  test('types: without any, returns all that the client listed, most preferred first', () => {
    const all = alike({ accept: BROWSER }, req => req.accepts());
    assert.deepEqual(all, ['text/html', 'application/xhtml+xml', 'image/avif', 'application/xml', '*/*']);
    assert.deepEqual(
      alike({ accept: BROWSER }, req => req.accepts([])),
      all,
    );
    assert.deepEqual(
      alike({}, req => req.accepts()),
      ['*/*'],
    );
    assert.deepEqual(
      alike({ accept: '' }, req => req.accepts()),
      [],
    );
    assert.deepEqual(
      alike({ accept: 'a/b;q=0, c/d' }, req => req.accepts()),
      ['c/d'],
    );
  });

  test('types: throws a TypeError for a value that is not a string', () => {
    for (const web of Object.values(frameworks)) {
      const req = fakeRequest(web, { accept: 'a/b' });
      assert.throws(() => req.accepts([5 as never]), TypeError);
      assert.throws(() => req.accepts(['html', undefined as never]), TypeError);
    }
  });

  test('best match: is chosen by quality, then specificity, then the order of the client, then of the server', () => {
    const use = (accept: string, ...types: string[]) => alike({ accept }, req => req.accepts(types));
    assert.equal(use('text/html;q=0.5, application/json', 'html', 'json'), 'json');
    assert.equal(use('*/*, application/json', 'html', 'json'), 'json');
    assert.equal(use('text/*, application/json', 'html', 'json'), 'json');
    assert.equal(use('application/json, text/html', 'html', 'json'), 'json');
    assert.equal(use('text/*', 'html', 'text'), 'html');
    assert.equal(use(BROWSER, 'json', 'html'), 'html');
    assert.equal(use('*/*;q=0.5, text/html;q=0.1', 'html', 'json'), 'json');
  });

  test('parameters: a range with parameters matches only a type with the same ones', () => {
    const use = (accept: string, ...types: string[]) => alike({ accept }, req => req.accepts(types));
    assert.equal(use('text/html;level=1', 'text/html'), false);
    assert.equal(use('text/html;level=1', 'text/html;level=1'), 'text/html;level=1');
    assert.equal(use('text/html;level="1"', 'text/html;LEVEL=1'), 'text/html;LEVEL=1');
    assert.equal(use('text/html;level=*', 'text/html;level=2'), 'text/html;level=2');
    assert.equal(use('text/html;a="x,y;z", a/b', 'text/html;a="X,y;z"'), 'text/html;a="X,y;z"');
    assert.equal(use('text/html;level', 'text/html;level='), 'text/html;level=');
  });

  test('nothing acceptable: returns false, for a 406 response', () => {
    assert.equal(
      alike({ accept: 'image/png' }, req => req.accepts('html', 'json')),
      false,
    );
    assert.equal(
      alike({ accept: 'text/html;q=0' }, req => req.accepts('html')),
      false,
    );
    assert.equal(
      alike({ accept: 'text/html;q=x' }, req => req.accepts('html')),
      false,
    );
    assert.equal(
      alike({ accept: ',;/' }, req => req.accepts('html')),
      false,
    );
  });

  test('no Accept header: returns the first type', () => {
    assert.equal(
      alike({}, req => req.accepts('json', 'html')),
      'json',
    );
    assert.equal(
      alike({}, req => req.accepts(['foo'])),
      'foo',
    );
    assert.equal(
      alike({ accept: '' }, req => req.accepts('html')),
      'html',
    );
  });

  test('any header: returns the same as Express in 10,000 random cases', () => {
    manyAlike(10_000, random => {
      const types = random.many(0, 3, () => (random.chance(0.4) ? extension(random) : mediaType(random)));
      const fields: Fields = random.chance(0.95) ? { accept: acceptList(random, mediaType) } : {};
      return { fields, use: req => [req.accepts(types), req.accepts(...types), req.accepts()] };
    });
  });

  test('over the wire: repeated headers form one list', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json([req.accepts('html', 'json'), req.accepts()])),
      [
        { headers: { Accept: ['text/html;q=0.1', 'application/json'] } },
        { headers: { ACCEPT: BROWSER } },
        '/',
      ],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['json', ['application/json', 'text/html']]);
  });
});
