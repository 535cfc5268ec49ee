// runs: once
/** The tables of options in the Readmes of the middleware packages: they have the options of the declarations, and no others. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { programOptions } from '../types/compile.js';

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

describe('options of middleware', () => {
  const declared = declaredNames();
  for (const [name, names] of declared) {
    test(`${name}: the table in its Readme has each option, and no other`, () => {
      assert.ok(names.length > 0);
      assert.deepEqual([...new Set(namesInReadme(name))].sort(), names.sort());
    });
  }
});
