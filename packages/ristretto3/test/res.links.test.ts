/** The Link field, in the form that 3.x documents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, ours } from './support/oracle.js';
import type { Response } from 'ristretto3/lib/types/core';

const here = (answer: (res: Response) => unknown) => ours(answering((_req, res) => void answer(res)));

describe('res.links', () => {
  test('links: <url> rel="name" without a semicolon, one behind the other', async () => {
    const { headers } = await here(res =>
      res.links({ next: '/?p=2', last: '/?p=5' }).links({ prev: '/?p=1' }).end(),
    );
    assert.equal(headers.link, '</?p=2> rel="next", </?p=5> rel="last", </?p=1> rel="prev"');
  });
});
