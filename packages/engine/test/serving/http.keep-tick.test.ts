// runs: each
/** Holding one queued tick makes V8 retain the hidden class for which it has compiled `process.nextTick`. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** Collects garbage while no tick is queued; prints whether ticks still have the hidden class of an earlier one. */
const program = (start: string): string => `
  const { createHook } = require('node:async_hooks');
  const { setTimeout } = require('node:timers/promises');
  const earlier = [];
  let newest;
  const hook = createHook({
    init(id, type, trigger, resource) {
      if (type !== 'TickObject') return;
      earlier.push(new WeakRef(resource));
      newest = resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  ${start}
  (async () => {
    newest = undefined;
    for (let round = 0; round < 6; round++) {
      await setTimeout(1);
      gc();
    }
    process.nextTick(() => {});
    const kept = earlier.slice(0, -1).map(ref => ref.deref()).filter(tick => tick !== undefined);
    console.log(kept.some(tick => %HaveSameMap(tick, newest)));
  })();`;

const keepsTicks = (start: string): boolean => {
  const flags = ['--expose-gc', '--allow-natives-syntax', '-e', program(start)];
  const env = { ...process.env, NODE_OPTIONS: '' };
  return JSON.parse(
    execFileSync(process.execPath, flags, { cwd: __dirname, env, encoding: 'utf8' }),
  ) as boolean;
};

describe('serving/keep-tick', () => {
  it('garbage collection while nothing is queued: the next ticks have the same hidden class', () => {
    assert.equal(keepsTicks("require('ristretto');"), true);
    assert.equal(keepsTicks(''), false);
  });
});
