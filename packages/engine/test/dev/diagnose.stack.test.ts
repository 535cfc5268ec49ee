// runs: slow, twice
/** Parses stacks into frames, and folds them for the log. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noteVersionRoot } from '@ristretto/private-engine/lib/report/development';
import { frameworkRoot } from '@ristretto/private-engine/lib/dev/place';
import { describeFrames, foldStack, parseStack } from '@ristretto/private-engine/lib/dev/stack';

const root = path.resolve(__dirname, '../..');
noteVersionRoot(`${root}3/lib`);
const OURS = `Layer.handle [as handle_request] (${root}/lib/router/layer.js:77:16)`;

const stackOf = (calls: string[], head = 'Error: x'): string =>
  [head, ...calls.map(call => `    at ${call}`)].join('\n');

const parse = (...calls: string[]): ReturnType<typeof parseStack>['frames'] =>
  parseStack(stackOf(calls), 'x').frames;

describe('stack of an error', () => {
  test('frames: contain the name of the function and its place', () => {
    const [named, async, bare, url] = parse(
      'Store.find [as get] (/app/store.js:3:4)',
      'async load (/app/my load (1).js:5:6)',
      'async /app/app.js:7:8',
      'show (file:///app/page.mjs:9:10)',
    );
    assert.deepEqual(
      [named!.name, named!.place],
      ['Store.find [as get]', { file: '/app/store.js', line: 3, column: 4 }],
    );
    assert.equal(async!.name, 'async load');
    assert.deepEqual([bare!.name, bare!.place!.file, bare!.place!.line], ['', '/app/app.js', 7]);
    assert.equal(url!.place!.file, path.resolve('/app/page.mjs'));
    assert.equal(parse('<anonymous> (/app/app.js:1:2)')[0]!.name, '');
  });

  test('origin: distinguishes the program, packages, the framework and Node.js', () => {
    const calls = [
      'own (/app/src/a.js:1:2)',
      'pkg (/app/node_modules/pg/lib/client.js:1:2)',
      'scoped (/app/node_modules/.pnpm/@a+b@1/node_modules/@a/b/index.js:1:2)',
      'windows (C:\\app\\node_modules\\@a\\b\\index.js:1:2)',
      OURS,
      `old (${root}3/lib/application.js:1:2)`,
      'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      'Array.map (<anonymous>)',
      'async Promise.all (index 0)',
      'eval (eval at run (/app/a.js:1:2), <anonymous>:1:1)',
      'far (file://other.example/a.js:1:2)',
      'mapped (webpack://app/./src/a.ts:1:2)',
    ];
    assert.deepEqual(
      parse(...calls).map(({ origin }) => origin),
      [
        undefined,
        'pg',
        '@a/b',
        '@a/b',
        'ristretto',
        'ristretto',
        'Node.js',
        'Node.js',
        'Node.js',
        undefined,
        undefined,
        undefined,
      ],
    );
  });

  test('message: is not parsed for lines that look like frames', () => {
    const message = 'bad\n    at evil (/etc/passwd:1:1)';
    const { head, frames } = parseStack(stackOf(['own (/app/a.js:1:2)'], `Error: ${message}`), message);
    assert.equal(head, `Error: ${message}`);
    assert.deepEqual(
      frames.map(({ name }) => name),
      ['own'],
    );
  });

  test('message: may have changed since the stack was captured', () => {
    assert.equal(parseStack(stackOf(['own (/app/a.js:1:2)']), 'another').frames.length, 1);
    assert.equal(parseStack(stackOf(['own (/app/a.js:1:2)']), '').frames.length, 1);
  });

  test('deep stacks: are truncated and marked as incomplete', () => {
    const { frames, isWhole } = parseStack(stackOf(new Array<string>(5000).fill('own (/app/a.js:1:2)')), 'x');
    assert.deepEqual([frames.length, isWhole], [200, false]);
  });

  test('folded: the frames of the program come first, and one line summarizes the others', () => {
    const folded = foldStack(
      stackOf([
        `send (${root}/lib/response/send.js:1:2)`,
        'query (/app/node_modules/pg/a.js:1:2)',
        'own (/app/a.js:1:2)',
        OURS,
        'cors (/app/node_modules/cors/a.js:1:2)',
        'outer (/app/b.js:1:2)',
        'emit (node:events:1:2)',
      ]),
      'x',
    );
    assert.equal(
      folded,
      [
        'Error: x',
        '    at query (/app/node_modules/pg/a.js:1:2)',
        '    at own (/app/a.js:1:2)',
        '    at outer (/app/b.js:1:2)',
        '    at … 4 frames of ristretto, cors and Node.js',
      ].join('\n'),
    );
  });

  test('folded: a stack is unchanged if it has no frames of the program, or several traces', () => {
    const unchanged = [
      stackOf([OURS, 'emit (node:events:1:2)']),
      'Error: no calls',
      stackOf(['own (/app/a.js:1:2)']),
      `${stackOf(['own (/app/a.js:1:2)', OURS])}\nFrom previous event:\n    at x (/app/b.js:1:2)`,
    ];
    for (const stack of unchanged) assert.equal(foldStack(stack, 'x'), stack);
  });

  test('names: are listed once', () => {
    const frames = parse(OURS, 'emit (node:events:1:2)', OURS);
    assert.equal(describeFrames(frames), '3 frames of ristretto and Node.js');
    assert.equal(describeFrames(frames.slice(0, 1)), '1 frame of ristretto');
  });

  test('tools: if one formats traces in its own way, the framework is treated like any other package', () => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => 'formatted';
    try {
      assert.equal(frameworkRoot(), undefined);
      assert.equal(
        parse('handle (/app/node_modules/ristretto/lib/router/layer.js:1:2)')[0]!.origin,
        'ristretto',
      );
    } finally {
      Error.prepareStackTrace = prepareStackTrace!;
    }
  });
});
