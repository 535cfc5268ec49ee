/** What requests read from single headers: `req.get`, `is`, `range`, `fresh`, `stale`, `xhr`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request, Response } from 'express';
import { answering, sameEach } from '../../support/compare.js';
import { each } from '../../support/http.js';
import { alike, alikeError, fakeRequest, manyAlike } from '../../support/fake-request.js';
import type { Fields } from '../../support/fake-request.js';
import { extension, mediaType, space } from '../../support/field-values.js';
import { frameworks } from '../../support/oracle.js';
import { words } from '../../support/random.js';
import type { Random } from '../../support/random.js';

describe('req.get', () => {
  test('field: is found by name, case-insensitively', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json(['X-One', 'x-one', 'X-ONE'].map(name => req.get(name)))),
      [
        { headers: { 'x-One': ' value ' } },
        { headers: { 'X-One': ['a', 'b'] } },
        { headers: { 'X-One': '' } },
      ],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['value', 'value', 'value']);
    assert.deepEqual(JSON.parse(answers[1]!.text), ['a, b', 'a, b', 'a, b']);
    assert.deepEqual(JSON.parse(answers[2]!.text), ['', '', '']);
  });

  test('absent: returns undefined', () => {
    alike({}, req => req.get('X-One'), undefined);
  });

  test('absent: returns undefined also for names that every object inherits', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.equal(fakeRequest(frameworks.ristretto, {}).get(name), undefined);
      assert.equal(
        fakeRequest(frameworks.ristretto, { tostring: 'x', constructor: 'y' }).get('constructor'),
        'y',
      );
    }
  });

  test('Referer and Referrer: are interchangeable', () => {
    for (const name of ['Referer', 'Referrer', 'REFERER', 'referrer']) {
      alike({ referer: 'a' }, req => req.get(name), 'a');
      alike({ referrer: 'b' }, req => req.get(name), 'b');
      alike({ referer: 'a', referrer: 'b' }, req => req.get(name), 'b');
      alike({ referer: '' }, req => req.get(name), '');
      alike({}, req => req.get(name), undefined);
    }
  });

  test('Set-Cookie: is an array', async () => {
    const answers = await sameEach(
      answering((req, res) => void res.json(req.get('set-cookie'))),
      [{ headers: { 'Set-Cookie': ['a=1', 'b=2'] } }],
    );
    assert.deepEqual(JSON.parse(answers[0]!.text), ['a=1', 'b=2']);
  });

  test('name missing: throws a TypeError', () => {
    const missing = 'TypeError: name argument is required to req.get';
    assert.equal(
      alikeError({}, req => req.get(undefined as never)),
      missing,
    );
    assert.equal(
      alikeError({}, req => req.get('')),
      missing,
    );
  });

  test('name not a string: throws a TypeError', () => {
    const message = 'TypeError: name must be a string to req.get';
    assert.equal(
      alikeError({}, req => req.get(5 as never)),
      message,
    );
    assert.equal(
      alikeError({}, req => req.get({} as never)),
      message,
    );
  });
});

describe('req.header', () => {
  test('field: is read by the same function as req.get', () => {
    for (const { request } of Object.values(frameworks)) assert.equal(request.header, request.get);
    alike({ 'x-one': 'a' }, req => req.header('X-One'), 'a');
    alike({ referrer: 'a' }, req => req.header('referer'), 'a');
  });

  test('absent: returns undefined', () => {
    alike({}, req => req.header('X-One'), undefined);
  });

  test('name missing: throws a TypeError', () => {
    const message = alikeError({}, req => req.header(undefined as never));
    assert.equal(message, 'TypeError: name argument is required to req.get');
  });
});

const is = (contentType: string, ...types: string[]) =>
  alike(
    { 'content-type': contentType, 'content-length': '1' },
    req => [req.is(types), (req.is as Is)(...types)][0],
  );
type Is = (...types: string[]) => unknown;
const NO_TYPES = ['a/b/c', '*', '+', '/', '*/', '*/*+', '*+json/x', 'a*/b', 't*/html', undefined, null, 5];

const WILD_TYPES = words('*/* text/* */*+json multipart/* */html application/*+json +json multipart');

const ODD_VALUES = [
  ...words('application/vnd.api+json a/b+c+d a/b+ a/b+c.d a.b/c A/B.c 1/2 -a/b application/json'),
  `a/${'b'.repeat(127)}`,
  `a/${'b'.repeat(128)}`,
  `${'b'.repeat(127)}/x`,
  `${'b'.repeat(128)}/x`,
  `a/${'b'.repeat(120)}+${'c'.repeat(6)}`,
  `a/${'b'.repeat(120)}+${'c'.repeat(7)}`,
];

const TAILS = [
  ...['', '', ';', ';charset=utf-8', '; charset="utf-8"', ' ; a = b ; c = "x\\"y"', ';a=b;', ';a', ';a="x'],
  ...[
    '; a="\u0080"',
    '; a="\\\u0080"',
    '; a="\v"',
    '; a= ',
    '\ta',
    ' garbage',
    ';\ta=b',
    ';a=b\t',
    ';=x',
    ';a=b c',
  ],
];

describe('req.is', () => {
  test('type: a media type matches the type of the body', () => {
    assert.equal(is('text/html', 'text/html'), 'text/html');
    assert.equal(is('text/html; charset=utf-8', 'text/html'), 'text/html');
    assert.equal(is('TEXT/HTML', 'text/html'), 'text/html');
    assert.equal(is('text/html', 'TEXT/HTML'), false);
  });

  test('type: an extension matches its media type', () => {
    assert.equal(is('text/html', 'html'), 'html');
    assert.equal(is('application/json; charset=utf-8', 'json'), 'json');
    assert.equal(is('application/octet-stream', 'no-such-extension'), false);
    assert.equal(is('application/x-www-form-urlencoded', 'urlencoded'), 'urlencoded');
  });

  test('type: a wildcard returns the media type of the body', () => {
    assert.equal(is('text/html; charset=utf-8', 'text/*'), 'text/html');
    assert.equal(is('text/html', '*/*'), 'text/html');
    assert.equal(is('text/html', '*/html'), 'text/html');
    assert.equal(is('application/vnd.api+json', '+json'), 'application/vnd.api+json');
    assert.equal(is('application/vnd.api+json', '*/*+json'), 'application/vnd.api+json');
    assert.equal(is('application/json', '+json'), false);
    assert.equal(is('multipart/form-data; boundary=x', 'multipart'), 'multipart');
    assert.equal(is('multipart/form-data; boundary=x', 'multipart/*'), 'multipart/form-data');
  });

  test('type: several arguments or an array return the first that matches', () => {
    assert.equal(is('application/json', 'html', 'json', 'application/json'), 'json');
    assert.equal(is('application/json', 'html', '*/*'), 'application/json');
    assert.equal(is('text/plain', 'html', 'json'), false);
  });

  test('type: without any, returns the media type of the body', () => {
    assert.equal(is('Text/HTML; charset=utf-8'), 'text/html');
  });

  test('no body: returns null', () => {
    alike({ 'content-type': 'text/html' }, req => req.is('html'), null);
    alike({ 'content-type': 'text/html', 'content-length': 'x' }, req => req.is('html'), null);
  });

  test('empty or chunked body: counts as a body', () => {
    for (const fields of [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }]) {
      alike({ 'content-type': 'text/html', ...(fields as object) }, req => req.is('html'), 'html');
    }
  });

  test('no Content-Type: returns false', () => {
    alike({ 'content-length': '1' }, req => req.is('html'), false);
    assert.equal(is('', 'html'), false);
  });

  test('malformed Content-Type: returns false', () => {
    for (const value of [
      'text',
      'text/',
      'text/html;',
      'text/html; a',
      'text/html garbage',
      'a/b+c+d',
      'a b/c',
    ]) {
      assert.equal(is(value, '*/*'), false, value);
    }
  });

  test('any Content-Type: returns the same as Express in 5,000 random cases', () => {
    manyAlike(5000, random => {
      const fields: Record<string, string> = {};
      if (random.chance(0.9)) {
        const field = random.pick(['content-length', 'transfer-encoding']);
        fields[field] = random.pick(['5', '0', 'chunked', '', 'x', '1e3']);
      }
      const value = random.chance(0.5) ? mediaType(random) : random.pick(ODD_VALUES);
      if (random.chance(0.95))
        fields['content-type'] = space(random) + value + space(random) + random.pick(TAILS);
      const types = random.many(0, 3, () =>
        random.weighted<unknown>([
          [3, () => extension(random)],
          [3, () => mediaType(random)],
          [2, () => random.pick(WILD_TYPES)],
          [1, () => random.pick(NO_TYPES)],
        ]),
      ) as string[];
      return { fields, use: req => [req.is(types), (req.is as Is)(...types)] };
    });
  });
});

const range = (field: string, size: number, options?: { combine: boolean }) =>
  alike({ range: field }, req => req.range(size, options));

/** Returns ranges in the form of `req.range`: an array with the unit as its type. */
const bytes = (...ranges: [number, number][]) =>
  Object.assign(
    ranges.map(([start, end]) => ({ start, end })),
    { type: 'bytes' },
  );

function position(random: Random): string {
  const odd = ['x', '-1', '1e2', '0x5', ' 5', '99999999999999999999', 'NaN'];
  return random.pick(['', '', ...odd, String(random.between(0, 12)), String(random.between(0, 1200))]);
}

function ranges(random: Random): string {
  const one = () =>
    random.pick(['', ' ']) +
    position(random) +
    random.pick(['-', '-', '-', '', '--', ' - ']) +
    position(random);
  const unit = random.pick(['bytes=', 'bytes=', 'items=', 'bytes', '=', '', 'bytes =', ' bytes=']);
  return unit + random.many(0, 6, one).join(',');
}

describe('req.range', () => {
  test('size: ranges are cut to the size', () => {
    assert.deepEqual(range('bytes=0-99', 1000), bytes([0, 99]));
    assert.deepEqual(range('bytes=900-2000', 1000), bytes([900, 999]));
    assert.deepEqual(range('bytes=900-', 1000), bytes([900, 999]));
    assert.deepEqual(range('bytes=-100', 1000), bytes([900, 999]));
    assert.deepEqual(range('bytes=0-0,-1', 1000), bytes([0, 0], [999, 999]));
    assert.deepEqual(range('bytes=0-0, 5000-, 7-3, x', 1000), bytes([0, 0]));
  });

  test('type: is the unit in the header', () => {
    assert.equal((range('items=0-5', 10) as { type: string }).type, 'items');
    assert.equal((range('bytes=0-5', 10, { combine: true }) as { type: string }).type, 'bytes');
  });

  test('combine: merges ranges that overlap or touch, at the position of the first', () => {
    const field = 'bytes=30-40, 0-4, 90-99, 5-75, 100-199, 101-102';
    assert.deepEqual(range(field, 150, { combine: true }), bytes([0, 75], [90, 149]));
    assert.deepEqual(range('bytes=40-50, 0-5, 45-60', 100, { combine: true }), bytes([40, 60], [0, 5]));
  });

  test('combine: false is the default', () => {
    assert.deepEqual(range('bytes=0-4,5-9', 150), bytes([0, 4], [5, 9]));
    assert.deepEqual(range('bytes=0-4,5-9', 150, { combine: false }), bytes([0, 4], [5, 9]));
  });

  test('malformed: returns -2', () => {
    assert.equal(range('bytes', 100), -2);
    assert.equal(range('0-5', 100), -2);
  });

  test('unsatisfiable: returns -1', () => {
    assert.equal(range('bytes=500-600', 100), -1);
    assert.equal(range('bytes=5-2', 100), -1);
    assert.equal(range('bytes=-500', 100), -1);
    assert.equal(range('bytes=', 100), -1);
    assert.equal(range('bytes=0-', 0), -1);
  });

  test('no Range header: returns undefined', () => {
    alike({}, req => req.range(100), undefined);
    assert.equal(range('', 100), undefined);
  });

  test('any header: returns the same as Express in 10,000 random cases', () => {
    manyAlike(10_000, random => {
      const size = random.pick([0, 1, 10, 100, 1000]);
      const options = random.pick([undefined, { combine: true }, { combine: true }, { combine: false }, {}]);
      return { fields: { range: ranges(random) }, use: req => req.range(size, options) };
    });
  });
});

const DAY_1 = 'Sat, 01 Jan 2000 00:00:00 GMT';
const DAY_2 = 'Sun, 02 Jan 2000 00:00:00 GMT';
const TAGS = ['"a"', 'W/"a"', '"b"', 'W/W/"a"', 'a', '"a b"', '"a,b"', '', '*', 'W/'];
const CONTROLS = [
  'no-cache',
  'a, no-cache ',
  ' no-cache\u00a0',
  'no-cache=a',
  'no-cache a',
  'NO-CACHE',
  ',',
  '',
];
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

  test('status: is false except for 2xx and 304', () => {
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
      if (random.chance(0.2)) fields['cache-control'] = random.pick(CONTROLS);
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
    assert.deepEqual(each(answers, 'text'), ['true', 'true', 'true', 'false', 'false']);
  });
});

describe('req.stale', () => {
  test('opposite: is the opposite of req.fresh', async () => {
    const answers = await sameEach(
      answering((req, res) => {
        res.set('ETag', '"a"');
        res.end(String(req.stale) + String(req.fresh));
      }),
      [{ headers: { 'If-None-Match': '"a"' } }, { headers: { 'If-None-Match': '"b"' } }, '/'],
    );
    assert.deepEqual(each(answers, 'text'), ['falsetrue', 'truefalse', 'truefalse']);
  });
});

const xhr = (fields: Record<string, string>) => alike(fields, req => req.xhr);

describe('req.xhr', () => {
  test('X-Requested-With is XMLHttpRequest: is true, whatever its case', () => {
    assert.equal(xhr({ 'x-requested-with': 'XMLHttpRequest' }), true);
    assert.equal(xhr({ 'x-requested-with': 'xmlHTTPrequest' }), true);
  });

  test('another value or no header: is false', () => {
    assert.equal(xhr({ 'x-requested-with': 'com.example.app' }), false);
    assert.equal(xhr({ 'x-requested-with': 'XMLHttpRequest, a' }), false);
    assert.equal(xhr({ 'x-requested-with': '' }), false);
    assert.equal(xhr({}), false);
  });
});
