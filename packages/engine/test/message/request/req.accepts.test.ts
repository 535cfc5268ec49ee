/** `req.accepts` and its siblings for charsets, encodings and languages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach, sameNotices } from '../../support/compare.js';
import { alike, fakeRequest, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';
import { acceptList, extension, mediaType, token } from '../../support/field-values.js';
import { frameworks } from '../../support/oracle.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('req.accepts', () => {
  test('types: may be a media type', () => {
    alike({ accept: 'text/html' }, req => req.accepts('text/html'), 'text/html');
    alike({ accept: 'text/html' }, req => req.accepts('application/json'), false);
    alike({ accept: 'TEXT/html' }, req => req.accepts('text/HTML'), 'text/HTML');
    alike({ accept: 'text/*' }, req => req.accepts('text/html ; charset=utf-8'), 'text/html ; charset=utf-8');
  });

  test('types: may be an extension, which is returned as given', () => {
    alike({ accept: 'text/html' }, req => req.accepts('html'), 'html');
    alike({ accept: 'application/json' }, req => req.accepts('.json'), '.json');
    alike({ accept: 'model/obj' }, req => req.accepts('obj'), 'obj');
    alike({ accept: '*/*' }, req => req.accepts('no-such-extension'), false);
    alike({ accept: '*/*' }, req => req.accepts(['no-such-extension', 'html']), 'html');
  });

  test('types: a comma-delimited list is one name, which no client accepts, as in Express 4', () => {
    alike({ accept: 'text/html' }, req => req.accepts('html, json'), false);
    alike({ accept: '*/*' }, req => req.accepts('text/html, application/json'), false);
    alike({}, req => req.accepts('html, json'), 'html, json');
  });

  test('types: may be an array or several arguments', () => {
    alike({ accept: 'application/json' }, req => req.accepts(['html', 'json']), 'json');
    alike({ accept: 'application/json' }, req => req.accepts('html', 'json'), 'json');
    alike({ accept: '*/*' }, req => req.accepts(['json', 'html']), 'json');
  });

  test('types: without any, returns all that the client listed, most preferred first', () => {
    const all = alike({ accept: BROWSER }, req => req.accepts());
    assert.deepEqual(all, ['text/html', 'application/xhtml+xml', 'image/avif', 'application/xml', '*/*']);
    alike({ accept: BROWSER }, req => req.accepts([]), all);
    alike({}, req => req.accepts(), ['*/*']);
    alike({ accept: '' }, req => req.accepts(), []);
    alike({ accept: 'a/b;q=0, c/d' }, req => req.accepts(), ['c/d']);
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
    alike({ accept: 'image/png' }, req => req.accepts('html', 'json'), false);
    alike({ accept: 'text/html;q=0' }, req => req.accepts('html'), false);
    alike({ accept: 'text/html;q=x' }, req => req.accepts('html'), false);
    alike({ accept: ',;/' }, req => req.accepts('html'), false);
  });

  test('no Accept header: returns the first type', () => {
    alike({}, req => req.accepts('json', 'html'), 'json');
    alike({}, req => req.accepts(['foo']), 'foo');
    alike({ accept: '' }, req => req.accepts('html'), 'html');
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

describe('req.acceptsCharsets', () => {
  const choose = (field: string, ...charsets: string[]) =>
    alike({ 'accept-charset': field }, req => req.acceptsCharsets(charsets));

  test('charset: may be one, several arguments, or an array', () => {
    assert.equal(choose('utf-8', 'utf-8'), 'utf-8');
    assert.equal(choose('utf-8', 'UTF-8'), 'UTF-8');
    const fields = { 'accept-charset': 'utf-8, iso-8859-1;q=0.5' };
    alike(fields, req => req.acceptsCharsets('iso-8859-1', 'utf-8'), 'utf-8');
    alike(fields, req => req.acceptsCharsets(['iso-8859-1', 'utf-8']), 'utf-8');
  });

  test('charset: without any, returns all of the header, most preferred first', () => {
    assert.deepEqual(choose('a;q=0.5, b, c;q=0, d;q=x'), ['b', 'a']);
    assert.deepEqual(choose(''), []);
    alike({}, req => req.acceptsCharsets(), ['*']);
  });

  test('charset: an empty one is never accepted', () => {
    assert.equal(choose('*', ''), false);
    assert.equal(choose('*', '', 'utf-8'), false);
  });

  test('first accepted: is chosen by quality, then by specificity, then by the order of the client', () => {
    assert.equal(choose('a;q=0.2, b;q=0.8', 'a', 'b'), 'b');
    assert.equal(choose('*, b', 'a', 'b'), 'b');
    assert.equal(choose('b, a', 'a', 'b'), 'b');
    assert.equal(choose('*;q=0.5, a;q=0.1', 'a', 'b'), 'b');
    assert.equal(choose('a ; q=0.5; q=1, b;q=0.7', 'a', 'b'), 'b');
  });

  test('none accepted: returns false', () => {
    assert.equal(choose('utf-8', 'iso-8859-1'), false);
    assert.equal(choose('utf-8;q=0', 'utf-8'), false);
    assert.equal(choose('utf 8, ;', 'utf'), false);
    assert.equal(choose('', 'utf-8'), false);
  });

  test('no Accept-Charset header: returns the first one', () => {
    alike({}, req => req.acceptsCharsets('utf-8', 'iso-8859-1'), 'utf-8');
  });

  test('any header: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const charsets = random.many(0, 3, () => token(random));
      const fields: Fields = random.chance(0.95) ? { 'accept-charset': acceptList(random, token) } : {};
      return { fields, use: req => [req.acceptsCharsets(charsets), req.acceptsCharsets()] };
    });
  });
});

describe('req.acceptsEncodings', () => {
  const choose = (field: string, ...encodings: string[]) =>
    alike({ 'accept-encoding': field }, req => req.acceptsEncodings(encodings));

  test('encoding: may be one, several arguments, or an array', () => {
    assert.equal(choose('gzip', 'gzip'), 'gzip');
    assert.equal(choose('gzip', 'GZIP'), 'GZIP');
    const fields = { 'accept-encoding': 'gzip, br;q=0.5' };
    alike(fields, req => req.acceptsEncodings('br', 'gzip'), 'gzip');
    alike(fields, req => req.acceptsEncodings(['br', 'gzip']), 'gzip');
  });

  test('encoding: without any, returns all of the header, most preferred first, and identity', () => {
    assert.deepEqual(choose('gzip;q=0.5, br'), ['br', 'gzip', 'identity']);
    assert.deepEqual(choose('gzip, *;q=0.1'), ['gzip', '*']);
    alike({}, req => req.acceptsEncodings(), ['identity']);
  });

  test('identity: is accepted with the lowest preference unless it is excluded', () => {
    assert.equal(choose('gzip', 'identity'), 'identity');
    assert.equal(choose('gzip', 'identity', 'gzip'), 'gzip');
    assert.equal(choose('gzip;q=0.2', 'identity', 'gzip'), 'gzip');
    assert.equal(choose('gzip, identity;q=0', 'identity'), false);
    assert.equal(choose('gzip, *;q=0', 'identity'), false);
    assert.equal(choose('gzip;q=0', 'identity', 'gzip'), 'identity');
    assert.equal(choose('', 'gzip', 'identity'), 'identity');
  });

  test('first accepted: is chosen by quality, then by specificity, then by the order of the client', () => {
    assert.equal(choose('gzip;q=0.2, br;q=0.8', 'gzip', 'br'), 'br');
    assert.equal(choose('*, br', 'gzip', 'br'), 'br');
    assert.equal(choose('br, gzip', 'gzip', 'br'), 'br');
  });

  test('none accepted: returns false', () => {
    assert.equal(choose('gzip', 'br'), false);
    assert.equal(choose('gzip;q=0', 'gzip'), false);
    alike({}, req => req.acceptsEncodings('gzip'), false);
  });

  test('any header: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const encodings = random.many(0, 3, () => token(random));
      const fields: Fields = random.chance(0.95) ? { 'accept-encoding': acceptList(random, token) } : {};
      return { fields, use: req => [req.acceptsEncodings(encodings), req.acceptsEncodings()] };
    });
  });
});

describe('req.acceptsLanguages', () => {
  const choose = (field: string, ...languages: string[]) =>
    alike({ 'accept-language': field }, req => req.acceptsLanguages(languages));

  test('lang: may be one, several arguments, or an array', () => {
    assert.equal(choose('en', 'en'), 'en');
    assert.equal(choose('en-us', 'en-US'), 'en-US');
    const fields = { 'accept-language': 'de, en;q=0.5' };
    alike(fields, req => req.acceptsLanguages('en', 'de'), 'de');
    alike(fields, req => req.acceptsLanguages(['en', 'de']), 'de');
  });

  test('no argument: returns all languages of the header as an array, the most preferred first', () => {
    assert.deepEqual(choose('en;q=0.8, de-AT, fr;q=0'), ['de-AT', 'en']);
    assert.deepEqual(choose(''), []);
    alike({}, req => req.acceptsLanguages(), ['*']);
  });

  test('first accepted: prefers the language itself, the language of a region, then the regions of a language', () => {
    assert.equal(choose('en-GB', 'en'), 'en');
    assert.equal(choose('en', 'en-GB'), 'en-GB');
    assert.equal(choose('en', 'en-GB', 'en'), 'en');
    assert.equal(choose('en-GB', 'en', 'en-GB'), 'en-GB');
    assert.equal(choose('en-GB', 'en-US'), false);
    assert.equal(choose('*', 'xx'), 'xx');
    assert.equal(choose('*;q=0.5, de;q=0.8', 'en', 'de'), 'de');
  });

  test('quality: uses the last value, which no space may precede, as in Express', () => {
    assert.equal(choose('en;q=0.5;q=0.9, de;q=0.8', 'en', 'de'), 'en');
    assert.equal(choose('en; q=0.1, de;q=0.8', 'en', 'de'), 'en');
    assert.equal(choose('en;q, de;q=0.8', 'en', 'de'), 'de');
  });

  test('none accepted: returns false', () => {
    assert.equal(choose('en', 'de'), false);
    assert.equal(choose('en;q=0', 'en'), false);
    assert.equal(choose('en-, -en, e n', 'en'), false);
    assert.equal(choose('en', 'en-', '-en', ''), false);
  });

  test('no Accept-Language header: returns the first one', () => {
    alike({}, req => req.acceptsLanguages('en', 'de'), 'en');
  });

  test('any header: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const languages = random.many(0, 3, () => token(random));
      const fields: Fields = random.chance(0.95) ? { 'accept-language': acceptList(random, token) } : {};
      return { fields, use: req => [req.acceptsLanguages(languages), req.acceptsLanguages()] };
    });
  });
});

const ALIASES = [
  ['acceptsCharset', 'acceptsCharsets', 'accept-charset'],
  ['acceptsEncoding', 'acceptsEncodings', 'accept-encoding'],
  ['acceptsLanguage', 'acceptsLanguages', 'accept-language'],
] as const;

for (const [alias, member, field] of ALIASES) {
  describe(`req.${alias}`, () => {
    test(`alias: returns the same as req.${member}`, () => {
      const fields = { [field]: 'a, b;q=0.5' };
      alike(fields, req => req[alias]('b', 'a'), 'a');
      alike(fields, req => req[alias]('x'), false);
      alike(
        fields,
        req => req[alias](),
        alike(fields, req => req[member]()),
      );
    });

    test('deprecated: warns once for each place it is called from', async () => {
      const notices = await sameNotices(answering((req, res) => void res.json(req[alias]('a'))));
      assert.deepEqual(notices, [`req.${alias}: Use ${member} instead`]);
    });
  });
}
