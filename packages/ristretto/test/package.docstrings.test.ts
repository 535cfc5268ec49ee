// runs: slow, built, once
/** The docstrings that editors show: every public type and member has one, as complete in 5.x as in 4.x. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

interface Package {
  name: string;
  /** The main declaration file of the package. */
  entry: string;
  /** The file with the name of the module of Express's types in which the package declares types. */
  core?: string;
}

// Each has a separate program, because those of 4.x and 5.x declare the same names.
const packages: Package[] = [
  { name: 'ristretto', entry: 'lib/express.d.ts', core: '../engine/lib/types/core.d.ts' },
  { name: 'ristretto3', entry: 'lib/express.d.ts' },
  { name: 'ristretto5', entry: 'index.d.ts', core: 'types/core.d.ts' },
];

const isOurs = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some(({ parent }) =>
    /[\\/](?:engine|ristretto[35]?)[\\/](lib[\\/]|types[\\/]|index\.d\.ts$)/.test(
      parent.getSourceFile().fileName,
    ),
  ) === true;

/**
 * Whether there is text before the tags, or a deprecation. For a function, the docstring of the first signature counts.
 */
function isDescribed(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const texts = [symbol, signature].map(item =>
    ts.displayPartsToString(item?.getDocumentationComment(checker)),
  );
  return texts.some(Boolean) || symbol.getJsDocTags(checker).some(({ name }) => name === 'deprecated');
}

/** Returns the names without a docstring, of a type or value and of its members. */
function undescribed(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties().filter(isOurs);
  // Members such as `~valid` are for the compiler only.
  const lacking = members.filter(member => !member.name.startsWith('~') && !isDescribed(member, checker));
  return [
    ...(isDescribed(symbol, checker) ? [] : [symbol.name]),
    ...lacking.map(({ name }) => `${symbol.name}.${name}`),
  ];
}

const targetOf = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Returns the module with this name from which a file exports, with all declarations that other files add. */
function moduleNamed(name: string, file: ts.SourceFile, checker: ts.TypeChecker): ts.Symbol {
  const specifiers = file.statements
    .filter(ts.isExportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier!);
  return checker.getSymbolAtLocation(
    specifiers.find(node => ts.isStringLiteral(node) && node.text === name)!,
  )!;
}

interface Public {
  symbols: ts.Symbol[];
  checker: ts.TypeChecker;
}

const opened = new Map<string, Public>();

/** Returns what a package exports, and what it declares under the module name of Express's types. */
function publicSymbols(item: Package): Public {
  const found = opened.get(item.name) ?? open(item);
  opened.set(item.name, found);
  return found;
}

function open({ name, entry, core }: Package): Public {
  const home = dirname(require.resolve(`${name}/package.json`));
  const program = ts.createProgram([join(home, entry)], {
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(home, entry))!;
  // This is a value, and also the namespace of the types.
  const exported = targetOf(
    checker.getSymbolAtLocation(file)!.exports!.get(ts.InternalSymbolName.ExportEquals)!,
    checker,
  );
  const modules = [exported];
  if (core !== undefined) {
    const named = program.getSourceFile(join(home, core))!;
    modules.push(moduleNamed('express-serve-static-core', named, checker));
  }
  const types = modules.flatMap(module =>
    checker.getExportsOfModule(module).map(symbol => targetOf(symbol, checker)),
  );
  const values = checker.getTypeOfSymbol(exported).getProperties();
  return { symbols: [...new Set([...values, ...types])].filter(isOurs), checker };
}

/** Members that 5.x lets programs call again, while 4.x throws. */
const AGAIN = /^(?:Application|Express)\.(?:init|defaultConfiguration)$/;

/** The members of each public type, and the public values, each with the tags of its docstring. */
function tagsByMember(name: string): Map<string, string[]> {
  const { symbols, checker } = publicSymbols(packages.find(item => item.name === name)!);
  const isDeprecated = (node: ts.Declaration): boolean => ts.getJSDocDeprecatedTag(node) !== undefined;
  // Members that are only deprecated say nothing else.
  const tagsOf = (symbol: ts.Symbol): string[] =>
    symbol.declarations?.every(isDeprecated) ? [] : symbol.getJsDocTags(checker).map(tag => tag.name);
  return new Map(
    symbols.flatMap(symbol => [
      [symbol.name, tagsOf(symbol)] as const,
      ...checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()
        .filter(isOurs)
        .map(member => [`${symbol.name}.${member.name}`, tagsOf(member)] as const),
    ]),
  );
}

/** The exports that behave differently in 5.x, or have other types. */
const OWN_TEXT = [
  ...['Router', 'json', 'raw', 'text', 'urlencoded', 'static'],
  ...['core.ParamsDictionary', 'core.Params', 'core.RouteParameters'],
];

/** Returns the name of an export of the package, or of the module of Express's types, which may have the same. */
const qualified = ({ name, parent }: ts.Symbol & { parent?: ts.Symbol }): string =>
  parent?.name === '"express-serve-static-core"' ? `core.${name}` : name;

/** Returns the text and tags of a symbol, or of its signatures if it is a function. */
function docstring(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const tagsOf = (tags: readonly ts.JSDocTagInfo[]): string[] =>
    tags.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
  return [
    ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    ...tagsOf(symbol.getJsDocTags(checker)),
    ...signatures.flatMap(each => [
      ts.displayPartsToString(each.getDocumentationComment(checker)),
      ...tagsOf(each.getJsDocTags()),
    ]),
  ].join('\n');
}

describe('types', () => {
  for (const item of packages) {
    test(`docstrings: exist for every public type and member of ${item.name}`, () => {
      const { symbols, checker } = publicSymbols(item);
      assert.ok(symbols.length > (item.core === undefined ? 15 : 100), String(symbols.length));
      assert.deepEqual(symbols.flatMap(symbol => undescribed(symbol, checker)).sort(), []);
    });
  }

  test('docstrings: every member that 4.x and 5.x share has in 5.x each tag that it has in 4.x', () => {
    const next = tagsByMember('ristretto5');
    const shared = [...tagsByMember('ristretto')].filter(([name]) => next.has(name) && !AGAIN.test(name));
    assert.ok(shared.length > 300, String(shared.length));
    const lacking = shared
      .map(([name, tags]) => [
        name,
        tags.filter(tag => tag !== 'deprecated' && !next.get(name)!.includes(tag)),
      ])
      .filter(([, tags]) => tags!.length > 0);
    assert.deepEqual(lacking, []);
  });

  test('docstrings: exports that do the same in 4.x and 5.x are described in the same words', () => {
    // Each package declares its exports itself, so that declarations emitted for users' code refer to that package.
    const [base, next] = ['ristretto', 'ristretto5'].map(name => {
      const { symbols, checker } = publicSymbols(packages.find(item => item.name === name)!);
      const described = symbols.map(symbol => [qualified(symbol), docstring(symbol, checker)] as const);
      return new Map(described);
    }) as [Map<string, string>, Map<string, string>];
    const shared = [...base.keys()].filter(name => next.has(name) && !OWN_TEXT.includes(name));
    assert.ok(shared.length > 100, String(shared.length));
    assert.deepEqual(
      shared.filter(name => next.get(name) !== base.get(name)),
      [],
    );
  });
});
