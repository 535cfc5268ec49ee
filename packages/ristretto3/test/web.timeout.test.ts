/** `web.timeout`: passes a 503 error to the error handlers when a response takes too long. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as passed } from 'node:timers/promises';
import type { Handler, Request } from 'ristretto3/lib/middleware/connect';
import { askAll, loose, sameEach, show, web } from './support/middleware.js';

type Timed = Request & { timedout: boolean; clearTimeout(): void };
const never: Handler = () => undefined;
const timedout = show(req => (req as unknown as Timed).timedout);

describe('web.timeout', () => {
  test('too late: passes a 503 to the error handlers', async () => {
    const [answer] = await sameEach(web => [web.timeout(10), never], [{}]);
    assert.equal(answer!.text, '503 Response timeout ETIMEDOUT');
  });

  test('in time: req.timedout is false', async () => {
    const [answer] = await sameEach(web => [web.timeout('5s'), timedout], [{}]);
    assert.equal(answer!.text, 'false');
    await sameEach(web => [web.timeout(), timedout], [{}]);
  });

  test('respond: false only emits the event', async () => {
    const late: Handler = (req, res) => {
      req.on('timeout', (time: number) => res.end(`${String(time)} ${String((req as Timed).timedout)}`));
    };
    const [answer] = await sameEach(web => [web.timeout(10, { respond: false }), late], [{}]);
    assert.equal(answer!.text, '10 true');
  });

  test('clearTimeout: cancels the timeout', async () => {
    const slow: Handler = (req, res) => {
      (req as Timed).clearTimeout();
      setTimeout(() => res.end(String((req as Timed).timedout)), 30);
    };
    const [answer] = await sameEach(web => [web.timeout(10), slow], [{}]);
    assert.equal(answer!.text, 'false');
  });

  test('answered: the timer is stopped by the header block, and by the end of the connection', async () => {
    let req: Timed | undefined;
    let raised = false;
    const streaming: Handler = (request, res) => {
      req = request as Timed;
      req.on('timeout', () => (raised = true));
      res.write('x');
      setTimeout(() => res.end(), 30);
    };
    const [answer] = await askAll([web.timeout(10), streaming], [{}]);
    assert.equal(answer!.text, 'x');
    assert.deepEqual([raised, req!.timedout], [false, false]);
    const cut: Handler = (request, res) => {
      req = request as Timed;
      req.on('timeout', () => (raised = true));
      res.destroy();
    };
    await assert.rejects(askAll([web.timeout(10), cut], [{}]));
    await passed(30);
    assert.equal(raised, false);
  });

  test('wrong time: throws', () => {
    for (const time of ['soon', NaN, -1, {}]) {
      assert.throws(() => loose(web.timeout)(time), /^(?:Type|Range)Error: Expected .*web\.timeout\(\)/);
    }
  });
});
