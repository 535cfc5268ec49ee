// runs: slow, twice
/** Warnings about mistakes: when they are emitted, and how they are silenced. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reportsMistakes } from '@ristretto/private-engine/lib/report/development';
import { runProgram, warningsOf } from '../support/warnings.js';

const WARN = "const { warnOnce } = require('@ristretto/private-engine/lib/dev/warn');\n";

/** Returns whether mistakes are reported with these environment variables. */
function reportsWith(
  env: { NODE_ENV?: string; RISTRETTO_WARNINGS?: string },
  settings?: Record<string, unknown>,
): boolean {
  const names = ['NODE_ENV', 'RISTRETTO_WARNINGS'] as const;
  const before = names.map(name => process.env[name]);
  const assign = (values: (string | undefined)[]): void => {
    for (const [index, name] of names.entries()) {
      if (values[index] === undefined) delete process.env[name];
      else process.env[name] = values[index];
    }
  };
  assign(names.map(name => env[name]));
  try {
    return reportsMistakes(settings);
  } finally {
    assign(before);
  }
}

describe('warnings', () => {
  test('place: a warning has a name, a code and the place in the program', () => {
    const { warnings, stderr } = runProgram(`${WARN}warnOnce('RISTRETTO_X', 'X is wrong.');`);
    assert.deepEqual(warnings, [
      { name: 'RistrettoWarning', code: 'RISTRETTO_X', message: 'X is wrong.', detail: '    at [eval]:2:1' },
    ]);
    assert.match(stderr, /\[RISTRETTO_X\] RistrettoWarning: X is wrong\.\n {4}at \[eval\]:2:1\n/);
  });

  test('place: emits one warning per place and code, whatever the message', () => {
    const program = `${WARN}for (const name of ['a', 'b']) {
      warnOnce('RISTRETTO_X', name);
      warnOnce('RISTRETTO_X', name);
      warnOnce('RISTRETTO_' + name, name);
    }`;
    const warned = warningsOf(program).map(({ code, detail }) => `${code}${detail!}`);
    assert.deepEqual(warned, [
      'RISTRETTO_X    at [eval]:3:7',
      'RISTRETTO_X    at [eval]:4:7',
      'RISTRETTO_a    at [eval]:5:7',
      'RISTRETTO_b    at [eval]:5:7',
    ]);
  });

  test('place: if it is unknown, each message is emitted once', () => {
    const program = `${WARN}for (const name of ['a', 'b', 'a']) warnOnce('RISTRETTO_X', name, null);`;
    const warned = warningsOf(program).map(({ message, detail }) => [message, detail]);
    assert.deepEqual(warned, [
      ['a', undefined],
      ['b', undefined],
    ]);
  });

  test('place: can be given if it was captured earlier', () => {
    const program = `${WARN}warnOnce('RISTRETTO_X', 'x', { file: '/app.js', line: 3, column: 1 });`;
    assert.equal(warningsOf(program)[0]?.detail, '    at /app.js:3:1');
  });

  test('number: after five with the same code, a last line says how many more there are', () => {
    const program = `${WARN}for (let i = 1; i <= 9; i++) warnOnce('RISTRETTO_X', 'x' + i, null);
      for (let i = 1; i <= 6; i++) warnOnce('RISTRETTO_Y', 'y' + i, null);
      warnOnce('RISTRETTO_Z', 'z', null);`;
    const printed = (args: string[] = [], more = ''): string[] => {
      const { stderr } = runProgram(program + more, { args });
      return [...stderr.matchAll(/\[RISTRETTO_(\w)\] RistrettoWarning: (.*)/g)].map(
        ([, code, message]) => `${code!}: ${message!}`,
      );
    };
    const five = (code: string): string[] =>
      [1, 2, 3, 4, 5].map(number => `${code}: ${code.toLowerCase()}${number}`);
    const rest = [
      'X: 4 more of these are not shown: fix those above first.',
      'Y: 1 more of these is not shown: fix those above first.',
    ];
    assert.deepEqual(printed(), [...five('X'), ...five('Y'), 'Z: z', ...rest]);
    assert.deepEqual(printed(['--disable-warning=RISTRETTO_X']), [...five('Y'), 'Z: z', rest[1]]);
    assert.deepEqual(printed(['--no-warnings']), []);

    const later = `setTimeout(() => warnOnce('RISTRETTO_Y', 'y7', null), 1200);`;
    assert.deepEqual(printed([], later), [...five('X'), ...five('Y'), 'Z: z', ...rest, rest[1]]);
  });

  test('--disable-warning: silences one code, or all by their name', () => {
    const program = `${WARN}warnOnce('RISTRETTO_X', 'first'); warnOnce('RISTRETTO_Y', 'second');`;
    const printed = (value: string): string[] =>
      runProgram(program, { args: [`--disable-warning=${value}`] }).stderr.match(/first|second/g) ?? [];
    assert.deepEqual(printed('RISTRETTO_X'), ['second']);
    assert.deepEqual(printed('RistrettoWarning'), []);
  });

  test('RISTRETTO_WARNINGS: off silences all warnings', () => {
    const program = `${WARN}warnOnce('RISTRETTO_X', 'x');`;
    assert.deepEqual(warningsOf(program, { env: { RISTRETTO_WARNINGS: 'off' } }), []);
    assert.equal(reportsWith({ RISTRETTO_WARNINGS: 'off' }), false);
    assert.equal(reportsWith({ RISTRETTO_WARNINGS: 'on' }), true);
  });

  test('NODE_ENV: mistakes are reported only in development, which is the default', () => {
    assert.equal(reportsWith({}), true);
    assert.equal(reportsWith({ NODE_ENV: '' }), true);
    assert.equal(reportsWith({ NODE_ENV: 'development' }), true);
    for (const NODE_ENV of ['production', 'test', 'staging']) assert.equal(reportsWith({ NODE_ENV }), false);
  });

  test('app.disable("development warnings"): silences an application, as does another env', () => {
    const settings = { env: 'development' };
    assert.equal(reportsWith({}, settings), true);
    assert.equal(reportsWith({}, { ...settings, 'development warnings': true }), true);
    assert.equal(reportsWith({}, { ...settings, 'development warnings': false }), false);
    assert.equal(reportsWith({}, { env: 'production' }), false);
    assert.equal(reportsWith({ NODE_ENV: 'production' }, settings), false);
  });
});
