/** What editors show of the public declarations: every type and every member has a docstring. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

const entry = (name: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), 'lib/express.d.ts');
const entries = ['ristretto', 'ristretto3'].map(entry);
const program = ts.createProgram(entries, {
  strict: true,
  skipLibCheck: true,
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
});
const checker = program.getTypeChecker();

const isOurs = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some(({ parent }) =>
    /[\\/]ristretto3?[\\/]lib[\\/]/.test(parent.getSourceFile().fileName),
  ) === true;

/** The text before the tags; a deprecation stands for it. Of a function, what its first signature says. */
function isDescribed(symbol: ts.Symbol): boolean {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const texts = [symbol, signature].map(item =>
    ts.displayPartsToString(item?.getDocumentationComment(checker)),
  );
  return texts.some(Boolean) || symbol.getJsDocTags(checker).some(({ name }) => name === 'deprecated');
}

/** The names that lack a docstring, of a type or value and of its members. */
function undescribed(symbol: ts.Symbol): string[] {
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties().filter(isOurs);
  // `~valid` and its like are for the compiler.
  const lacking = members.filter(member => !member.name.startsWith('~') && !isDescribed(member));
  return [
    ...(isDescribed(symbol) ? [] : [symbol.name]),
    ...lacking.map(({ name }) => `${symbol.name}.${name}`),
  ];
}

const exportsOf = (module: ts.Symbol): ts.Symbol[] =>
  checker
    .getExportsOfModule(module)
    .map(symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(isOurs);

/** The value that a package exports, which is its namespace of types as well. */
function exported(file: string): ts.Symbol {
  return checker
    .getSymbolAtLocation(program.getSourceFile(file)!)!
    .exports!.get(ts.InternalSymbolName.ExportEquals)!;
}

/** The module of a name that a file exports from, with everything that other files declare in it. */
function moduleNamed(name: string, file: string): ts.Symbol {
  const specifiers = program
    .getSourceFile(file)!
    .statements.filter(ts.isExportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier!);
  return checker.getSymbolAtLocation(
    specifiers.find(node => ts.isStringLiteral(node) && node.text === name)!,
  )!;
}

describe('types', () => {
  test('docstrings: every public type and member has one', () => {
    const core = moduleNamed('express-serve-static-core', join(dirname(entries[0]!), 'types/core.d.ts'));
    const namespaces = entries.map(file => {
      const symbol = exported(file);
      return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    });
    const values = namespaces.flatMap(symbol =>
      checker.getTypeOfSymbol(symbol).getProperties().filter(isOurs),
    );
    const types = [core, ...namespaces].flatMap(exportsOf);
    assert.ok(types.length > 110 && values.length > 30, `${types.length} ${values.length}`);
    assert.deepEqual([...new Set([...values, ...types].flatMap(undescribed))].sort(), []);
  });
});
