// runs: slow, once
/**
 * Programs that are written for the original packages of middleware, compiled against the types of the original and of ours.
 * Lines that must not compile have `@ts-expect-error`. Programs are compiled together where they do not disturb each
 * other, because most of the time goes into the declarations of Node and Express that all of them import.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import ts from 'typescript';
import { compile, programOptions } from '../types/compile.js';

const HOME = path.join(__dirname, '../../../middleware');

/** The names that programs import, of the packages with another name. */
const ORIGINALS: Record<string, string> = {
  'body-parser1': 'body-parser',
  'rate-limit': 'express-rate-limit',
  'serve-static1': 'serve-static',
  session: 'express-session',
};

/** Packages that programs import by the name of another one, or that declare the same member of requests as another one. */
const APART = ['body-parser1', 'cookie-session', 'serve-static1'];

/** As CommonJS with the older resolution, and as Node.js resolves modules, for .mts files. */
const KINDS: Record<string, ts.CompilerOptions> = {
  '.ts': programOptions,
  '.mts': {
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  },
};

const programs = fs.readdirSync(HOME).flatMap(name => {
  const folder = path.join(HOME, name, 'test/types');
  const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return files.map(file => ({ name, file: path.join(folder, file) }));
});

/** Returns the mistakes in all programs, compiled with the types of the originals, or with ours. */
function mistakesWith(areOurs: boolean): string[] {
  return Object.entries(KINDS).flatMap(([kind, options]) =>
    [true, false].flatMap(isApart => {
      const together = programs.filter(
        ({ name, file }) => path.extname(file) === kind && APART.includes(name) === isApart,
      );
      const ours = together.map(({ name }) => [
        ORIGINALS[name] ?? name,
        [path.join(HOME, name, 'lib/index.d.ts')],
      ]);
      const paths = areOurs ? Object.fromEntries(ours) : {};
      return compile(
        together.map(({ file }) => file),
        { ...options, paths },
      ).mistakes;
    }),
  );
}

describe('types of middleware', () => {
  for (const areOurs of [false, true]) {
    let mistakes: string[];
    before(() => {
      mistakes = mistakesWith(areOurs);
    });
    for (const { name, file } of programs) {
      const title = `${name}: types/${path.basename(file)} compiles with`;
      test(areOurs ? `${title} ours` : `${title} the types of the original`, () => {
        assert.deepEqual(
          mistakes.filter(mistake => mistake.startsWith(file)),
          [],
        );
      });
    }
    test(`programs: nothing else is reported with ${areOurs ? 'our types' : 'the types of the originals'}`, () => {
      assert.deepEqual(
        mistakes.filter(mistake => !programs.some(({ file }) => mistake.startsWith(file))),
        [],
      );
    });
  }

  test('packages: all but those without an original have a program', () => {
    const without = fs.readdirSync(HOME).filter(name => {
      const home = path.join(HOME, name);
      return fs.existsSync(path.join(home, 'src')) && !fs.existsSync(path.join(home, 'test/types'));
    });
    assert.deepEqual(without, ['response-hooks', 'same-origin', 'signed-cookies']);
  });
});
