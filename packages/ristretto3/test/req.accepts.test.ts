/** Content negotiation of requests, in the forms of 3.x. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { found, looking, same } from './support/oracle.js';
import type { Request } from 'ristretto3/lib/types/core';

const ACCEPT = 'text/*;q=0.5, application/json;level=1, image/png;q=0, */*;q=0.1';

describe('req.accepts', () => {
  test('types: returns the best of a list, also of a comma-separated string', async () => {
    for (const Accept of [
      'text/*;q=0.5, application/json',
      'text/html',
      '*/*',
      'text/plain, text/html;q=0.9',
    ]) {
      const look = looking(req => [
        req.accepts('html'),
        req.accepts('text/html'),
        req.accepts('html, json'),
        req.accepts('html,json'),
        req.accepts(['html', 'json']),
        req.accepts('text, json'),
        req.accepts(['text/html', 'application/json']),
      ]);
      await same(look, { headers: { Accept } });
    }
  });

  test('undefined: is returned if nothing is acceptable or given', async () => {
    const look = looking(req => [
      req.accepts('png'),
      req.accepts(['xml', 'png']),
      req.accepts([]),
      req.accepts(''),
    ]);
    const answer = await same(look, { headers: { Accept: 'text/html' } });
    assert.equal(answer.text, '[ undefined, undefined, undefined, undefined ]');
    assert.equal(await found(req => Reflect.apply(req.accepts, req, []) as unknown), undefined);
  });

  test('no field: returns the first', async () => {
    const look = looking(req => [
      req.accepts('html, json'),
      req.accepts(['json', 'html']),
      req.accepts('foo'),
    ]);
    assert.equal((await same(look)).text, "[ 'html', 'json', 'foo' ]");
  });

  test('several arguments: are treated as a list, as in 4.x', async () => {
    assert.equal(
      await found(req => req.accepts('html', 'json'), { headers: { Accept: 'application/json' } }),
      'json',
    );
  });
});

describe('req.accepted', () => {
  test('items: have value, quality, type and subtype, best first', async () => {
    const look = looking(req => req.accepted.map(item => ({ ...item, params: { ...item.params } })));
    const answer = await same(look, { headers: { Accept: ACCEPT } });
    assert.match(
      answer.text,
      /^\[ \{ value: 'application\/json', quality: 1, .*type: 'application', subtype: 'json' \}/,
    );
    assert.equal((await same(look)).text, '[]');
  });
});

describe('req.acceptedLanguages', () => {
  test('order: is by quality; empty without the header', async () => {
    const look = looking(req => req.acceptedLanguages);
    const answer = await same(look, { headers: { 'Accept-Language': 'en;q=0.8, es, pt;q=0, de;q=0.8' } });
    assert.equal(answer.text, "[ 'es', 'en', 'de' ]");
    assert.equal((await same(look)).text, '[]');
  });
});

describe('req.acceptedCharsets', () => {
  test('order: is by quality; empty without the header', async () => {
    const look = looking(req => req.acceptedCharsets);
    const answer = await same(look, { headers: { 'Accept-Charset': 'utf-8;q=.2, utf-7, iso-8859-5;q=.8' } });
    assert.equal(answer.text, "[ 'utf-7', 'iso-8859-5', 'utf-8' ]");
    assert.equal((await same(look)).text, '[]');
  });
});

describe('req.acceptedEncodings', () => {
  test('order: is by quality, with identity; empty without the header', async () => {
    const request = { headers: { 'Accept-Encoding': 'gzip;q=0.5, br' } };
    assert.deepEqual(await found(req => req.acceptedEncodings, request), ['br', 'gzip', 'identity']);
    assert.deepEqual(await found(req => req.acceptedEncodings), []);
  });
});

describe('req.acceptsCharset', () => {
  test('charset: returns true or false', async () => {
    const look = looking(req => [
      req.acceptsCharset('utf-8'),
      req.acceptsCharset('x'),
      req.acceptsCharset(''),
    ]);
    const answer = await same(look, { headers: { 'Accept-Charset': 'utf-8;q=.5, iso-8859-1' } });
    assert.equal(answer.text, '[ true, false, false ]');
    assert.equal((await same(looking(req => req.acceptsCharset('utf-8')))).text, 'true');
  });

  test('charset: a wildcard and another case are acceptable, which Express 3 rejected', async () => {
    const accepts = (req: Request) => req.acceptsCharset('UTF-8');
    for (const value of ['utf-8', '*']) {
      assert.equal(await found(accepts, { headers: { 'Accept-Charset': value } }), true);
    }
    assert.equal(await found(accepts, { headers: { 'Accept-Charset': 'utf-8;q=0' } }), false);
  });
});

describe('req.acceptsLanguage', () => {
  test('lang: returns true or false', async () => {
    const look = looking(req => [
      req.acceptsLanguage('en'),
      req.acceptsLanguage('jp'),
      req.acceptsLanguage(''),
    ]);
    const answer = await same(look, { headers: { 'Accept-Language': 'en;q=0.8, de' } });
    assert.equal(answer.text, '[ true, false, false ]');
    assert.equal((await same(looking(req => req.acceptsLanguage('en')))).text, 'true');
  });
});

describe('req.acceptsEncoding', () => {
  test('encoding: returns true or false', async () => {
    const request = { headers: { 'Accept-Encoding': 'gzip;q=0.5, br' } };
    const look = (req: Request) => ['gzip', 'br', 'zip', ''].map(name => req.acceptsEncoding(name));
    assert.deepEqual(await found(look, request), [true, true, false, false]);
  });
});

describe('req.is', () => {
  const is = (type: string, types: string[], method = 'POST') =>
    same(
      looking(req => types.map(one => req.is(one))),
      { method, headers: { 'Content-Type': type }, ...(method === 'POST' && { body: 'x' }) },
    );

  test('type: returns true or false for a media type, an extension and a wildcard', async () => {
    const types = ['json', '.json', 'application/json', 'application/*', '*/json', 'html', 'text/*'];
    for (const type of ['application/json', 'application/json; charset=utf-8']) await is(type, types);
    assert.deepEqual((await is('text/html', types)).text.match(/\w+/g), [
      ...Array<string>(5).fill('false'),
      'true',
      'true',
    ]);
  });

  test('no body: checks the header alone; returns false without it', async () => {
    assert.equal((await is('application/json', ['json', 'html'], 'GET')).text, '[ true, false ]');
    assert.equal(
      (
        await same(
          looking(req => req.is('json')),
          { method: 'POST', body: 'x' },
        )
      ).text,
      'false',
    );
  });

  test('list, case: accepts several types, and types in any case, unlike Express 3', async () => {
    const request = { headers: { 'Content-Type': 'Application/JSON' } };
    assert.equal(await found(req => req.is(['html', 'json']), request), true);
    assert.equal(await found(req => req.is('application/json'), request), true);
  });
});
