// runs: each
/** `web.static`: caching headers, and requests that are conditional on entity tags and dates. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sameEach } from '../support/compare.js';
import type { Ask } from '../support/http.js';
import { same } from '../support/oracle.js';
import { serving } from '../support/static.js';
import web from 'ristretto';

const TAG = 'W/"b-174876e81f4"';
const DATE = 'Sun, 13 Sep 2020 12:26:40 GMT';
const EARLIER = 'Sun, 13 Sep 2020 12:26:39 GMT';
const LATER = 'Sun, 13 Sep 2020 12:26:41 GMT';

const asking = (headers: Record<string, string>, path = '/todo.txt'): Ask => ({ path, headers });

/** Sends requests that differ in one header, and asserts the statuses. */
async function assertStatuses(
  field: string,
  statuses: Record<string, number>,
  options?: object,
): Promise<void> {
  const values = Object.keys(statuses);
  const answers = await sameEach(
    serving(options),
    values.map(value => asking({ [field]: value })),
  );
  assert.deepEqual(Object.fromEntries(answers.map((answer, at) => [values[at], answer.status])), statuses);
}

describe('web.static', () => {
  test('maxAge: takes a number of milliseconds or text in the format of ms', async () => {
    const expected: [unknown, number][] = [
      [0, 0],
      [1500, 1],
      ['1d', 86400],
      ['2 hours', 7200],
      ['5000', 5],
    ];
    for (const [maxAge, seconds] of expected) {
      const answer = await same(serving({ maxAge }), '/todo.txt');
      assert.equal(answer.headers['cache-control'], `public, max-age=${seconds}`);
    }
  });

  test('maxAge: default is 0', async () => {
    const answer = await same(serving(), '/todo.txt');
    assert.equal(answer.headers['cache-control'], 'public, max-age=0');
  });

  test('maxAge: is a year at most, and never negative', async () => {
    for (const maxAge of [Infinity, 1e15, -5, null, false]) await same(serving({ maxAge }), '/todo.txt');
  });

  test('maxAge: throws at registration for a value that is not a duration', () => {
    for (const maxAge of [NaN, 'x', '', '1 dayz', true, [1], {}] as never[])
      assert.throws(() => web.static('.', { maxAge }), /^TypeError: maxAge option must be .*, got (?:.+)$/);
  });

  test('maxAge: maxage is the older name', async () => {
    for (const options of [{ maxage: '2h' }, { maxAge: 5000, maxage: 9000 }, { maxAge: 0, maxage: 9000 }]) {
      await same(serving(options), '/todo.txt');
    }
  });

  test('cacheControl: false omits the header', async () => {
    for (const cacheControl of [false, null, 0, undefined, true]) {
      await same(serving({ cacheControl, maxAge: '1d', immutable: true }), '/todo.txt');
    }
    const answer = await same(serving({ cacheControl: false }), '/todo.txt');
    assert.equal(answer.headers['cache-control'], undefined);
  });

  test('immutable: adds the directive', async () => {
    for (const immutable of [true, 1, false, null])
      await same(serving({ maxAge: '1d', immutable }), '/todo.txt');
    const answer = await same(serving({ maxAge: '1d', immutable: true }), '/todo.txt');
    assert.equal(answer.headers['cache-control'], 'public, max-age=86400, immutable');
  });

  test('etag: is weak by default, and false omits it', async () => {
    assert.equal((await same(serving(), '/todo.txt')).headers.etag, TAG);
    for (const etag of [false, null, 0, true]) await same(serving({ etag }), '/todo.txt');
    assert.equal((await same(serving({ etag: false }), '/todo.txt')).headers.etag, undefined);
  });

  test('lastModified: is the date of modification, and false omits it', async () => {
    assert.equal((await same(serving(), '/todo.txt')).headers['last-modified'], DATE);
    for (const lastModified of [false, null, 0, true]) await same(serving({ lastModified }), '/todo.txt');
    const answer = await same(serving({ lastModified: false }), '/todo.txt');
    assert.equal(answer.headers['last-modified'], undefined);
  });

  test('If-None-Match: matches the tag, weak or strong, in a list, and an asterisk', async () => {
    await assertStatuses('If-None-Match', {
      [TAG]: 304,
      '"b-174876e81f4"': 304,
      [`"x", ${TAG}`]: 304,
      [`"x",${TAG} , "y"`]: 304,
      '*': 304,
      '"x"': 200,
      'b-174876e81f4': 200,
      ',': 200,
    });
    await assertStatuses('If-None-Match', { [TAG]: 200, '*': 304 }, { etag: false });
  });

  test('If-Modified-Since: compares dates, and ignores invalid ones', async () => {
    await assertStatuses('If-Modified-Since', {
      [DATE]: 304,
      [LATER]: 304,
      [EARLIER]: 200,
      'Sunday, 13-Sep-20 12:26:40 GMT': 304,
      nonsense: 200,
      '0': 200,
      '99999999999999999999': 200,
    });
    await assertStatuses('If-Modified-Since', { [DATE]: 200 }, { lastModified: false });
  });

  test('If-None-Match, If-Modified-Since: both must match', async () => {
    for (const tag of [TAG, '"x"']) {
      for (const date of [DATE, EARLIER, 'x']) {
        await same(serving(), asking({ 'If-None-Match': tag, 'If-Modified-Since': date }));
      }
    }
  });

  test('Cache-Control: no-cache requests a new copy', async () => {
    for (const directive of ['no-cache', 'max-age=0', 'max-age=0, no-cache', 'no-cache=x']) {
      await same(serving(), asking({ 'If-None-Match': TAG, 'Cache-Control': directive }));
    }
  });

  test('If-Match: sends 412 unless the tag is in the list', async () => {
    await assertStatuses('If-Match', {
      [TAG]: 200,
      '"b-174876e81f4"': 200,
      [`"x", ${TAG}`]: 200,
      '*': 200,
      '"x"': 412,
      'W/"x"': 412,
    });
    await assertStatuses('If-Match', { [TAG]: 412, '*': 412 }, { etag: false });
  });

  test('If-Unmodified-Since: sends 412 if the file is newer', async () => {
    await assertStatuses('If-Unmodified-Since', { [DATE]: 200, [LATER]: 200, [EARLIER]: 412, nonsense: 200 });
    await assertStatuses('If-Unmodified-Since', { [DATE]: 412, x: 200 }, { lastModified: false });
  });

  test('If-Match: takes precedence over all other conditions', async () => {
    await same(serving(), asking({ 'If-Match': '"x"', 'If-None-Match': TAG }));
    await same(serving(), asking({ 'If-Match': TAG, 'If-None-Match': TAG }));
    await same(serving(), asking({ 'If-Match': TAG, 'If-Unmodified-Since': EARLIER }));
    await same(serving(), asking({ 'If-Match': '', 'If-None-Match': TAG }));
  });

  test('conditions: a 304 has no body and no header that describes one, also for HEAD', async () => {
    const setHeaders = (res: { setHeader(name: string, value: string): void }) => {
      for (const name of ['Encoding', 'Language', 'Location', 'Range']) res.setHeader(`Content-${name}`, 'x');
    };
    const answer = await same(serving({ setHeaders }), asking({ 'If-None-Match': TAG }));
    assert.equal(answer.status, 304);
    assert.equal(answer.body.length, 0);
    assert.equal(answer.headers['content-type'], undefined);
    await same(serving({ setHeaders }), { method: 'HEAD', ...asking({ 'If-None-Match': TAG }) });
  });

  test('conditions: do not apply unless the status is a success', async () => {
    const setHeaders = (res: { statusCode: number }) => {
      res.statusCode = 404;
    };
    for (const header of ['If-None-Match', 'If-Match']) {
      const answer = await same(serving({ setHeaders }), asking({ [header]: TAG }));
      assert.equal(answer.status, 404);
    }
    await same(serving({ setHeaders }), asking({ 'If-Match': '"x"' }));
    const setNotModified = (res: { statusCode: number }) => {
      res.statusCode = 304;
    };
    await same(serving({ setHeaders: setNotModified }), asking({ 'If-None-Match': TAG }));
  });

  test('conditions: a directory is redirected regardless', async () => {
    await same(serving(), asking({ 'If-None-Match': '*' }, '/nested'));
    await same(serving(), asking({ 'If-None-Match': '*' }, '/nested/'));
  });
});
