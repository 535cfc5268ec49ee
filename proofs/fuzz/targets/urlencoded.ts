/** Urlencoded bodies: an object within the limits, or an error with status 400 or 413. */
import assert from 'node:assert/strict';
import web from 'ristretto';
import { bodyOf } from '../body.js';
import { assertPlain } from '../plain.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const extended = web.urlencoded({ extended: true, parameterLimit: 30, limit: 1500 });
const simple = web.urlencoded({ extended: false, parameterLimit: 30, limit: 1500 });
const TYPE = 'application/x-www-form-urlencoded';

export const target: Target = {
  seeds: ['a=1&b=2', `a${'[b]'.repeat(33)}=1`, 'a[]=1&a[]=2', '&'.repeat(40), 'a=%C3%A9+x', 'a[__proto__]=b'],
  dictionary: words('a [b] [] [0] [99] = & %5B __proto__ constructor % + &&&&&& [a][a][a][a]'),
  async run(text) {
    for (const parser of [extended, simple]) {
      const { error, body } = await bodyOf(parser as never, Buffer.from(text, 'latin1'), {
        'content-type': TYPE,
      });
      if (error) {
        assert.ok(error.status === 400 || error.status === 413, String(error.stack));
        assert.match(
          error.type,
          /^(?:querystring\.parse\.rangeError|parameters\.too\.many|entity\.too\.large)$/,
        );
      } else {
        assertPlain(body, { depth: 33, arrayLimit: 100 });
      }
    }
  },
};
