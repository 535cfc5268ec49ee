// runs: slow
/**
 * Runs the fuzzer's targets on earlier findings and on a few new texts, and tests that the fuzzer finds planted errors.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { Random } from '../../packages/engine/test/support/random.js';
import { Fuzzer } from './engine.js';
import { findings } from './findings.js';
import { instrument } from './instrument.js';
import { Mutator } from './mutate.js';
import { allowing, assertPlain } from './target.js';
import type { Target } from './target.js';
import { assertUntouched } from './prototypes.js';

const home = path.join(__dirname, 'targets');
const EXECUTIONS = 150;

/** Returns a target that runs this code, with the same counters as in the packages. */
function planted(code: string, more: Partial<Target> = {}): Target {
  const module = { exports: (_text: string): unknown => undefined };
  runInThisContext(`(function (module) {${instrument(code, 'planted.js')}})`)(module);
  return { seeds: ['x'], dictionary: [], run: text => void module.exports(text), ...more };
}

describe('fuzz: targets', () => {
  const loaded: Target[] = [];
  const targetOf = (name: string): Target => {
    const { target } = require(path.join(home, `${name}.ts`)) as { target: Target };
    if (!loaded.includes(target)) loaded.push(target);
    return target;
  };
  after(async () => {
    for (const target of loaded) await target.close?.();
  });

  for (const file of fs.readdirSync(home)) {
    const name = path.basename(file, '.ts');
    test(`${name}: earlier findings do not recur, and a short run finds nothing else`, async () => {
      const target = targetOf(name);
      const known = findings.filter(found => found.target === name).map(({ input }) => input);
      const result = await new Fuzzer(target, 7).run(known, { executions: EXECUTIONS });
      assert.equal(result.finding, undefined, JSON.stringify(result.finding));
      assert.equal(result.executions, EXECUTIONS);
    });
  }

  test('findings: each belongs to an existing target', () => {
    for (const { target } of findings) assert.ok(fs.existsSync(path.join(home, `${target}.ts`)), target);
  });
});

describe('fuzz: engine', () => {
  test('branches: finds an error behind nested branches and minimizes its input', async () => {
    const target = planted(`module.exports = text => {
      const at = text.indexOf('{');
      if (at >= 0)
        if (text[at + 1] === '~') for (const c of text.slice(at + 2)) { c === '@' ? boom(text) : 0; }
    };
    function boom(text) { text.length > 3 && fail(); }
    const fail = () => { throw new Error('found'); };`);
    const result = await new Fuzzer(target, 1).run([], { executions: 60_000 });
    assert.match(result.finding?.message ?? '', /found/);
    assert.equal(result.finding?.input.length, 4);
    assert.ok(result.coverage > 5 && result.executions > 100);
  });

  test('time: finds a text that repeatedly takes long', async () => {
    const target = planted(
      'module.exports = text => { for (let turn = 0; turn < text.length * 1e6; turn++); }',
      {
        limit: 5,
        seeds: ['x'.repeat(10)],
      },
    );
    const { finding } = await new Fuzzer(target, 1).run([], { executions: 10 });
    assert.match(finding?.message ?? '', /^takes [\d.]+ ms$/);
  });

  test('prototypes: detects a changed prototype', () => {
    const shared = Object.prototype as Record<string, unknown>;
    shared.polluted = 1;
    assert.throws(() => assertUntouched(), /Object\.prototype has other members/);
    delete shared.polluted;
    const { toString } = shared;
    shared.toString = () => '';
    assert.throws(() => assertUntouched(), /Object\.prototype\.toString was changed/);
    shared.toString = toString;
    assertUntouched();
  });

  test('a hang: ends the process and reports the text', () => {
    const script = `
      const { guard } = require('./watchdog.ts');
      guard(150)('the text');
      setTimeout(() => { for (;;); }, 20);`;
    const { stdout, signal } = spawnSync(
      process.execPath,
      ['--require', path.join(__dirname, '../../scripts/typescript.cjs'), '-e', script],
      { cwd: __dirname, encoding: 'utf8', timeout: 20_000 },
    );
    assert.equal(signal, 'SIGKILL');
    assert.deepEqual(JSON.parse(stdout).finding, { input: 'the text', message: 'hangs' });
  });

  test('mutations: the same seed produces the same texts, none longer than allowed', () => {
    const make = (): string[] => {
      const mutator = new Mutator(new Random(3), {
        dictionary: ['abc'],
        maxLength: 40,
        characters: 'unicode',
      });
      return Array.from({ length: 500 }, (_, at) => mutator.mutate(`text ${at}`, 'other'));
    };
    const texts = make();
    assert.deepEqual(texts, make());
    assert.ok(new Set(texts).size > 400 && texts.every(text => text.length <= 40));
    assert.ok(texts.some(text => text.includes('abc')));
  });

  test('assertPlain: rejects values that no client may produce', () => {
    const limits = { depth: 2, arrayLimit: 2 };
    assertPlain({ a: ['1', { b: '2' }], __proto__: null }, limits);
    const own = JSON.parse('{"__proto__":"x"}') as object;
    for (const bad of [
      new Map(),
      { a: { b: { c: {} } } },
      ['1', '2', '3'],
      [, '1'],
      own,
      5,
      Object.create({}) as object,
    ]) {
      assert.throws(() => assertPlain(bad, limits));
    }
  });

  test('refusals: only expected errors are allowed', () => {
    const refuse = (error: Error) => () => {
      throw error;
    };
    assert.equal(
      allowing(refuse(new TypeError('x')), error => error instanceof TypeError),
      undefined,
    );
    assert.throws(
      () => allowing(refuse(new RangeError('x')), error => error instanceof TypeError),
      RangeError,
    );
    assert.throws(() => allowing(refuse(new ReferenceError('x')), () => true), ReferenceError);
  });
});
