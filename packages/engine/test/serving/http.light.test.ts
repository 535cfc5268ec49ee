// runs: each
/** Light exchanges: everything that both messages, their connection and the client observe is as with Node's own. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { generate, handlers, run } from '../support/light-programs.js';
import type { Program, Step } from '../support/light-programs.js';
import { Random } from '../support/random.js';

const CASES = Number(process.env.LIGHT_CASES ?? 200);
const SEED = Number(process.env.LIGHT_SEED ?? 1);

async function same(program: Program): Promise<void> {
  const native = await run(web, program, false);
  assert.deepEqual(await run(web, program, true), native, JSON.stringify(program));
}

const step = (rest: Partial<Step>): Step => ({
  method: 'GET',
  handler: 'json',
  waits: 'no',
  body: 'none',
  listens: false,
  ...rest,
});

describe('light exchanges beside Node’s own', () => {
  for (const handler of Object.keys(handlers)) {
    test(`handler '${handler}': has the same properties, events and bytes, also for the next request`, async () => {
      for (const rest of [
        {},
        { listens: true },
        { waits: 'timer' },
        { method: 'POST', body: 'length' },
      ] as const) {
        // The client aborts as soon as the handler has been called.
        if (handler === 'never' && 'waits' in rest) continue;
        const steps = [
          step({ handler, ...rest }),
          ...(handler === 'never' ? [] : [step({ handler: 'end' })]),
        ];
        await same({ steps, isPipelined: false, cuts: [], ends: handler === 'never' ? 'resets' : 'waits' });
      }
    });
  }

  test(`generated: ${CASES} sequences of requests are the same`, async () => {
    const random = new Random(SEED);
    for (let at = 0; at < CASES; at++) await same(generate(random));
  });
});
