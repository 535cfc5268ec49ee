// runs: slow, once
/**
 * Paths: matching 16 KiB of anything takes less than 5 ms with any pattern, and twice as much takes about twice as
 * long.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { work } from '@ristretto/private-engine/lib/router/pattern/matcher';
import {
  canonicalPath,
  isCanonical,
  locate,
  namesDevice,
  namesOther,
} from '@ristretto/private-engine/lib/static/resolve';
import { hostilePath, hostilePatterns } from '../support/patterns.js';
import { words } from '../support/random.js';
import { assertFast, assertLinear } from '../support/worst-case.js';

/** Every shape of pattern, with and without the features that select another matching algorithm. */
const SHAPES: (string | RegExp | (string | RegExp)[])[] = [
  ...words(`
    / * /a /a/b/ /:a /:a/:b? /a.b /:a.:b /a* /*/b/* /(a)?b /ab?cd /ab+cd /:a(\\d+) /:a(\\w+)-:b(\\d+)? /:a*
    /:a+/x /(a|b) /a{2,4} /:from-:to /:a?:b?
  `),
  ['/a', '/:b', '/c*'],
  [/^\/x/, '/:a-:b'],
];

const steps = (): number => work.steps;

describe('linear time: patterns', () => {
  for (const hostile of hostilePatterns) {
    const [id, path] = hostile;
    test(`${id}: matches 16 KiB in less than 5 ms`, () => {
      const pattern = parsePath(path, {});
      const captures: (string | undefined)[] = [];
      const before = steps();
      assert.equal(pattern.match(hostilePath(hostile, 16 * 1024), captures), -1);
      assert.ok(steps() > before, 'no step was counted');
      assertLinear(
        length => {
          const long = hostilePath(hostile, length);
          return () => pattern.match(long, captures);
        },
        id,
        16 * 1024,
        5,
        steps,
      );
    });
  }

  for (const shape of SHAPES) {
    test(`${String(shape)}: matches 16 KiB of anything in less than 5 ms`, () => {
      const captures: (string | undefined)[] = [];
      for (const options of [{}, { end: false }, { strict: true, sensitive: true }]) {
        const pattern = parsePath(shape, options);
        assertFast(path => pattern.match(path, captures), '/a', steps);
      }
    });
  }

  test('static files: process 16 KiB of anything in less than 5 ms', () => {
    for (const prefix of ['/', '/.', '/con', '/%2', '/%61']) {
      assertFast(path => locate(path, '/srv/public', 'deny'), prefix);
      assertFast(path => isCanonical(path, '\\'), prefix);
      assertFast(canonicalPath, prefix);
      assertFast(namesDevice, prefix);
    }
    for (const prefix of ['a.', ' ', 'a~1']) assertFast(namesOther, prefix);
  });
});
