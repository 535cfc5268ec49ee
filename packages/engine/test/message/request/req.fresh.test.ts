/** `req.fresh`: whether the copy of the client is still valid, by method, status and conditional headers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import { answering, sameEach } from '../../support/compare.js';
import { alike, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';

const DAY_1 = 'Sat, 01 Jan 2000 00:00:00 GMT';
const DAY_2 = 'Sun, 02 Jan 2000 00:00:00 GMT';
const TAGS = ['"a"', 'W/"a"', '"b"', 'W/W/"a"', 'a', '"a b"', '"a,b"', '', '*', 'W/'];
const DATES = [DAY_1, DAY_2, 'x', '', '2000', '-1', `${DAY_1}; length=3`];

/** Adds a response with this status and these headers to a request. */
function answered(req: Request, fields: Fields = {}, status = 200, method = 'GET'): Request {
  const response = { statusCode: status, get: (name: string) => fields[name] };
  return Object.assign(req, { method, res: response as unknown as Response });
}

const fresh = (asked: Fields, answer: Fields, status?: number, method?: string) =>
  alike(asked, req => answered(req, answer, status, method).fresh);

describe('req.fresh', () => {
  test('If-None-Match: true if it contains the ETag, compared weakly', () => {
    const matches = (list: string, tag: string) => fresh({ 'if-none-match': list }, { ETag: tag });
    assert.equal(matches('"a"', '"a"'), true);
    assert.equal(matches('W/"a"', '"a"'), true);
    assert.equal(matches('"a"', 'W/"a"'), true);
    assert.equal(matches(' "x" ,W/"a"', 'W/"a"'), true);
    assert.equal(matches('"a"', '"b"'), false);
    assert.equal(matches('"a"', '"a'), false);
    assert.equal(matches('"a', '"a"'), false);
    assert.equal(matches('"ab"', '"cd"'), false);
    assert.equal(matches('xx"a"', '"a"'), false);
    assert.equal(matches('"a"', 'xx"a"'), false);
    assert.equal(fresh({ 'if-none-match': '"a"' }, {}), false);
  });

  test('status: false if it is not a number', () => {
    for (const status of ['map', 'length', {}, NaN]) {
      assert.equal(fresh({ 'if-none-match': '*' }, {}, status as number), false);
    }
  });

  test('If-None-Match: * matches anything', () => {
    assert.equal(fresh({ 'if-none-match': '*' }, {}), true);
    assert.equal(fresh({ 'if-none-match': '"b", *' }, { ETag: '"a"' }), false);
  });

  test('If-Modified-Since: true if Last-Modified is not later', () => {
    const matches = (since: string, modified: string) =>
      fresh({ 'if-modified-since': since }, { 'Last-Modified': modified });
    assert.equal(matches(DAY_1, DAY_1), true);
    assert.equal(matches(DAY_2, DAY_1), true);
    assert.equal(matches(DAY_1, DAY_2), false);
    assert.equal(fresh({ 'if-modified-since': DAY_1 }, {}), false);
  });

  test('If-Modified-Since: false if it is not a date', () => {
    const matches = (since: string, modified: string) =>
      fresh({ 'if-modified-since': since }, { 'Last-Modified': modified });
    assert.equal(matches('odd', DAY_1), false);
    assert.equal(matches(DAY_1, 'odd'), false);
    assert.equal(matches('odd', 'odd'), false);
  });

  test('both: requires both conditions to hold', () => {
    const asked = { 'if-none-match': '"a"', 'if-modified-since': DAY_1 };
    assert.equal(fresh(asked, { ETag: '"a"', 'Last-Modified': DAY_1 }), true);
    assert.equal(fresh(asked, { ETag: '"a"', 'Last-Modified': DAY_2 }), false);
    assert.equal(fresh(asked, { ETag: '"b"', 'Last-Modified': DAY_1 }), false);
  });

  test('no condition: is false', () => {
    assert.equal(fresh({}, { ETag: '"a"', 'Last-Modified': DAY_1 }), false);
    assert.equal(fresh({ 'if-none-match': '' }, { ETag: '' }), false);
  });

  test('Cache-Control: no-cache: is always false', () => {
    const asked = (control: string) => fresh({ 'if-none-match': '*', 'cache-control': control }, {});
    assert.equal(asked('no-cache'), false);
    assert.equal(asked('max-age=0, no-cache'), false);
    assert.equal(asked('\tno-cache , a'), false);
    assert.equal(asked('max-age=0'), true);
    assert.equal(asked('no-cache=x'), true);
    assert.equal(asked('xno-cache'), true);
  });

  test('method: false except for GET, HEAD and QUERY', () => {
    const asked = { 'if-none-match': '"a"' };
    assert.equal(fresh(asked, { ETag: '"a"' }, 200, 'HEAD'), true);
    assert.equal(fresh(asked, { ETag: '"a"' }, 200, 'QUERY'), true);
    for (const method of ['POST', 'PUT', 'query']) {
      assert.equal(fresh(asked, { ETag: '"a"' }, 200, method), false);
    }
  });

  test('status: false except for 2xx and 304', () => {
    const statuses = [100, 199, 200, 204, 299, 300, 304, 305, 404, 500];
    const kept = statuses.filter(status => fresh({ 'if-none-match': '"a"' }, { ETag: '"a"' }, status));
    assert.deepEqual(kept, [200, 204, 299, 304]);
  });

  test('any headers: returns the same as Express in 10,000 random cases', () => {
    manyAlike(10_000, random => {
      const list = () =>
        random.many(1, 3, () => random.pick(['', ' ', '\t']) + random.pick(TAGS) + random.pick(['', ' ']));
      const fields: Fields = {};
      if (random.chance(0.7)) fields['if-none-match'] = list().join(',');
      if (random.chance(0.5)) fields['if-modified-since'] = random.pick(DATES);
      if (random.chance(0.2))
        fields['cache-control'] = random.pick(['no-cache', 'max-age=0, no-cache ', 'NO-CACHE', '']);
      const answer: Fields = {};
      if (random.chance(0.8)) answer.ETag = random.pick(TAGS);
      if (random.chance(0.8)) answer['Last-Modified'] = random.pick(DATES);
      const status = random.pick([200, 200, 304, 404]);
      return { fields, use: req => [answered(req, answer, status).fresh, req.stale] };
    });
  });

  test('over the wire: returns the same as Express', async () => {
    const answers = await sameEach(
      answering((req, res) => {
        res.set('ETag', '"a"').set('Last-Modified', DAY_1);
        res.end(String(req.fresh));
      }),
      [
        { headers: { 'If-None-Match': '"a"' } },
        { headers: { 'If-None-Match': ['"b"', '"a"'] } },
        { headers: { 'if-modified-since': DAY_2 } },
        '/',
        { headers: { 'If-None-Match': '"a"' }, method: 'POST' },
      ],
    );
    assert.deepEqual(
      answers.map(answer => answer.text),
      ['true', 'true', 'true', 'false', 'false'],
    );
  });
});
