/** `web.responseTime`: sends the time until the header block, in milliseconds, as a response header. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const answer = show(() => 'ok');
type Options = Parameters<Web['responseTime']>[0];
const build = (options?: Options) => (web: Web) => [web.responseTime(options), answer];

/** Returns the header, whose value is different each time. */
async function fieldOf(options?: Options, name = 'x-response-time'): Promise<string> {
  const [ours] = await sameEach(build(options), [{}], { fields: [name] });
  return ours!.headers[name]!;
}

describe('web.responseTime', () => {
  test('field: is in milliseconds with three digits', async () => {
    assert.match(await fieldOf(), /^\d+\.\d{3}ms$/);
  });

  test('digits: may be a number or an option', async () => {
    assert.match(await fieldOf(5), /^\d+\.\d{5}ms$/);
    assert.match(await fieldOf({ digits: 0 }), /^\d+ms$/);
  });

  test('header and suffix: change the name and remove the unit', async () => {
    assert.match(await fieldOf({ header: 'X-Time', suffix: false }, 'x-time'), /^\d+\.\d{3}$/);
  });

  test('function: is called with the time', async () => {
    let measured = -1;
    await sameEach(
      build((_req, _res, time) => (measured = time)),
      [{}],
    );
    assert.ok(measured >= 0 && measured < 10_000);
  });

  test('field: an existing header is kept', async () => {
    const before: Handler = (_req, res) => {
      res.setHeader('X-Response-Time', 'mine');
      res.end();
    };
    const [ours] = await sameEach(web => [web.responseTime(), before], [{}]);
    assert.equal(ours!.headers['x-response-time'], 'mine');
  });

  test('time: is measured from the middleware to the header block of the response', async () => {
    const slow: Handler = (_req, res) => void setTimeout(() => res.end(), 20);
    const [ours] = await askAll([web.responseTime(), slow], [{}]);
    assert.ok(Number.parseFloat(ours!.headers['x-response-time']!) >= 19);
  });
});
