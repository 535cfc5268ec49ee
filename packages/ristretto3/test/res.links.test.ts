/** `res.links` of 3.x: appends links to an existing `Link` header. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, same } from './support/oracle.js';
import type { Response } from 'ristretto3/lib/types/core';

const sends = (respond: (res: Response) => unknown) => same(answering((_req, res) => void respond(res)));

describe('res.links', () => {
  test('links: writes <url>; rel="name" for each, separated by commas, after the existing Link value', async () => {
    const { headers } = await sends(res =>
      res.links({ next: '/?p=2', last: '/?p=5' }).links({ prev: '/?p=1' }).end(),
    );
    assert.equal(headers.link, '</?p=2>; rel="next", </?p=5>; rel="last", </?p=1>; rel="prev"');
    await sends(res => res.set('Link', '</x>').links({ next: '/y' }).end());
    await sends(res => res.links({}).end());
  });
});
