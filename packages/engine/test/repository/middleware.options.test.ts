// runs: slow, once
/** The options and the types of the middleware packages, compared with their Readmes and their originals. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import ts from 'typescript';
import { compile, programOptions } from '../types/compile.js';

const HOME = path.join(__dirname, '../../../middleware');

/** The type of the options of each package, whose name in the expression is `used`. */
const TYPES: Record<string, string> = {
  'body-parser': 'used.OptionsJson | used.OptionsText | used.OptionsUrlencoded',
  'body-parser1': 'used.OptionsJson | used.OptionsText | used.OptionsUrlencoded',
  compression: 'Parameters<typeof used>[0]',
  'cookie-parser': 'used.CookieParseOptions & { secret: Parameters<typeof used>[0] }',
  'cookie-session': 'Parameters<typeof used>[0]',
  cors: 'used.CorsOptions',
  helmet: 'Parameters<typeof used>[0] | Parameters<typeof used.contentSecurityPolicy>[0]',
  morgan: 'used.Options<never, never>',
  multer: 'used.Options | NonNullable<Exclude<used.Options["limits"], Function>>',
  'rate-limit': 'Parameters<typeof used.rateLimit>[0]',
  'same-origin': 'Parameters<typeof used>[0]',
  'serve-static': 'used.ServeStaticOptions',
  'serve-static1': 'used.ServeStaticOptions',
  session: 'Parameters<typeof used>[0]',
};

/** Returns the names in the first column of the tables of options, without a qualifier: `options.decode`. */
function namesInReadme(name: string): string[] {
  const text = fs.readFileSync(path.join(HOME, name, 'Readme.md'), 'utf8');
  const [, section = ''] =
    /^## (?:Options|`\w+\(format, options\)`)$(.*?)(?=^## |(?![^]))/ms.exec(text) ?? [];
  return [...section.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(?:options\.)?(\w+)`/g)].map(([, option = '']) => option),
  );
}

/** Returns the names of the options of each package, of which some have several alternatives. */
function declaredNames(): Map<string, string[]> {
  const file = path.join(HOME, 'options.ts');
  const lines = Object.entries(TYPES).map(([name, type], index) => {
    const used = `used${index}`;
    return `import ${used} = require('./${name}/lib/index.js');\nexport type Options${index} = ${type.replaceAll('used', used)};`;
  });
  const options: ts.CompilerOptions = {
    ...programOptions,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = name => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file)!;
  const checker = program.getTypeChecker();
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  return new Map(
    Object.keys(TYPES).map((name, index) => {
      const type = checker.getNonNullableType(checker.getTypeAtLocation(aliases[index]!.name));
      const all = (type.isUnion() ? type.types : [type]).flatMap(each => checker.getPropertiesOfType(each));
      return [name, [...new Set(all.map(property => property.name))]];
    }),
  );
}

/** The tables of options in the Readmes of the middleware packages: they have the options of the declarations, and no others. */
describe('options of middleware', () => {
  const declared = declaredNames();
  for (const [name, names] of declared) {
    test(`${name}: the table in its Readme has each option, and no other`, () => {
      assert.ok(names.length > 0);
      assert.deepEqual([...new Set(namesInReadme(name))].sort(), names.sort());
    });
  }
});

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

/** The folder of a package's programs: the two interfaces of an original have the same ones. */
const folderOf = (name: string): string => path.join(HOME, name.replace(/1$/, ''), 'test/types');

const programs = fs.readdirSync(HOME).flatMap(name => {
  const folder = folderOf(name);
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

/**
 * Programs that are written for the original packages of middleware, compiled against the types of the original and of ours.
 * Lines that must not compile have `@ts-expect-error`. Programs are compiled together where they do not disturb each
 * other, because most of the time goes into the declarations of Node and Express that all of them import.
 */
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
      return fs.existsSync(path.join(home, 'src')) && !fs.existsSync(folderOf(name));
    });
    assert.deepEqual(without, ['response-hooks', 'same-origin', 'signed-cookies']);
  });
});
