/**
 * Writes the declarations that `ristretto5` publishes: those of `ristretto`, with the differences of 5.x. Only the
 * differences are written by hand, in packages/ristretto5/differences.
 *
 * A file of differences declares some of the names of a file of `ristretto`, in its namespace or module if it has one.
 * The other declarations of `ristretto` are copied:
 *
 * - Members of interfaces are replaced by name, with all their overloads. One without a type (`status;`) gets a docstring
 *   alone: its signatures are those of 4.x.
 * - Comments are merged by tag: a tag that the differences omit is taken from the declaration of 4.x, or from an
 *   interface that it extends. A tag without text is omitted, and nothing is taken from a deprecated declaration.
 * - `@removed` marks what 5.x does not have.
 */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { commentOf, documentationOf, merged } from './published-documentation.mjs';
import { root } from './test-files.mjs';

/** @typedef {Map<string, ts.Node[]>} Parts declarations by name, with their overloads */

const BASE = path.join(root, 'packages/ristretto/src');
const ENGINE = path.join(root, 'packages/engine/src');
const HOME = path.join(root, 'packages/ristretto5');

/** For each output file: the file of `ristretto`, and the differences. */
const FILES = [
  [path.join(BASE, 'express.ts'), 'differences/index.d.ts', 'index.d.ts'],
  [path.join(ENGINE, 'types/core.ts'), 'differences/core.d.ts', 'types/core.d.ts'],
  [
    path.join(ENGINE, 'types/response-headers.ts'),
    'differences/response-headers.d.ts',
    'types/response-headers.d.ts',
  ],
];

/** The interfaces of 4.x, by name. @type {Map<string, ts.InterfaceDeclaration[]>} */
const interfaces = new Map();

/** Writes all files. */
export function writePublishedTypes() {
  readInterfaces(path.join(ENGINE, 'types'));
  for (const [base = '', differences = '', target = ''] of FILES) {
    const file = path.join(HOME, target);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, declarationsOf(base, path.join(HOME, differences)));
  }
}

const parse = (/** @type {string} */ file, text = fs.readFileSync(file, 'utf8')) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/**
 * Reads all interfaces in a folder: those of its files, and those that these declare under the module name of Express's
 * types.
 */
function readInterfaces(/** @type {string} */ folder) {
  interfaces.clear();
  for (const name of fs.readdirSync(folder)) {
    const { statements } = parse(path.join(folder, name));
    const modules = statements.filter(ts.isModuleDeclaration).filter(node => ts.isStringLiteral(node.name));
    const all = [...statements, ...modules.flatMap(node => [...partsOf(node).values()].flat())];
    for (const node of all.filter(ts.isInterfaceDeclaration))
      interfaces.set(node.name.text, [...(interfaces.get(node.name.text) ?? []), node]);
  }
}

/** Returns the text of an output file. */
function declarationsOf(/** @type {string} */ baseFile, /** @type {string} */ differencesFile) {
  const base = parse(baseFile);
  const written = fs.readFileSync(differencesFile, 'utf8');
  // The comment that says the job of the file is not that of its first declaration.
  const end = written.indexOf('*/') + 2;
  const differences = parse(differencesFile, written.slice(end));
  const own = containerOf(differences);
  const body = mergedParts(partsOf(containerOf(base)), partsOf(own), ts.isSourceFile(own) ? '' : '  ');
  const imports = differences.statements.filter(ts.isImportDeclaration).map(textWithComments);
  const rest = ts.isSourceFile(own) ? [body] : statementsAround(own, body, base);
  const names = namesFor(body, base, differences);
  return `${[written.slice(0, end), ...imports, ...names, ...rest].join('\n')}\n`;
}

/** Returns the namespace or module of a file, or the file itself. */
function containerOf(/** @type {ts.SourceFile} */ file) {
  return file.statements.find(ts.isModuleDeclaration) ?? file;
}

/** Returns the statements of a file after its imports, with another text in its namespace or module. */
function statementsAround(
  /** @type {ts.ModuleDeclaration} */ own,
  /** @type {string} */ body,
  /** @type {ts.SourceFile} */ base,
) {
  const file = own.getSourceFile();
  const head = file.text.slice(own.getFullStart(), own.body?.getStart()).trim();
  // The comment of the function that the namespace belongs to is that of 4.x.
  const called = base.statements.find(ts.isFunctionDeclaration);
  return file.statements
    .filter(node => !ts.isImportDeclaration(node))
    .map(node => {
      if (node === own) return `\n${head} {\n${body}}\n`;
      return ts.isFunctionDeclaration(node) ? textOf(node, called, '') : textWithComments(node);
    });
}

const textWithComments = (/** @type {ts.Node} */ node) => node.getFullText().trim();

/** Returns the declarations in a file, a namespace, a module or an interface. @returns {Parts} */
function partsOf(/** @type {ts.SourceFile | ts.ModuleDeclaration | ts.InterfaceDeclaration} */ node) {
  /** @type {Parts} */
  const found = new Map();
  const body = ts.isModuleDeclaration(node) ? node.body : node;
  const list = !body ? [] : 'members' in body ? body.members : 'statements' in body ? body.statements : [];
  for (const part of list) {
    if (ts.isImportDeclaration(part)) continue;
    const isType = ts.isInterfaceDeclaration(part) || ts.isTypeAliasDeclaration(part);
    const named = ts.isVariableStatement(part) ? part.declarationList.declarations[0] : part;
    const name = ts.getNameOfDeclaration(/** @type {ts.Declaration} */ (named))?.getText();
    // A type and a value may have the same name; a call signature has none.
    const key = `${isType ? 'type ' : ''}${name ?? '()'}`;
    found.set(key, [...(found.get(key) ?? []), part]);
  }
  return found;
}

/** Returns as text the declarations of 4.x in their order, followed by those that only 5.x has. */
function mergedParts(
  /** @type {Parts} */ base,
  /** @type {Parts} */ own,
  /** @type {string} */ indentation,
  /** @type {(name: string) => ts.Node[] | undefined} */ documented = () => undefined,
) {
  return [...new Set([...base.keys(), ...own.keys()])]
    .filter(name => !own.get(name)?.some(node => documentationOf(node).tags.has('removed')))
    .flatMap(name => {
      const declared = base.get(name) ?? [];
      const described = documented(name) ?? declared;
      const written = own.get(name) ?? declared;
      const inherited = declared.length > 0 ? declared : described;
      const nodes = written.some(isDocstring) ? inherited : written;
      if (nodes.length === 0) throw new Error(`Expected a type for ${name}, which 4.x does not have`);
      return nodes.map((node, index) => textOf(node, described[index], indentation, written[index]));
    })
    .join('');
}

/** Returns whether a declaration has no type: it stands for the signatures of 4.x, with another docstring. */
function isDocstring(/** @type {ts.Node} */ node) {
  const [named = node] = ts.isVariableStatement(node) ? node.declarationList.declarations : [];
  return (ts.isPropertySignature(named) || ts.isVariableDeclaration(named)) && named.type === undefined;
}

/**
 * Returns a declaration with its comments. `base` is that of 4.x, and `documented` the one with the docstring of 5.x.
 */
function textOf(
  /** @type {ts.Node} */ node,
  /** @type {ts.Node | undefined} */ base,
  /** @type {string} */ indentation,
  documented = node,
) {
  const documentation = merged(documentationOf(documented), documentationOf(base));
  const notes = notesOf(node).map(line => `${indentation}${line}\n`);
  return `${commentOf(documentation, indentation)}${notes.join('')}${indentation}${codeOf(node, base, indentation)}\n`;
}

/** Returns the other comments before a declaration, except directives for tools. */
function notesOf(/** @type {ts.Node} */ node) {
  return node
    .getFullText()
    .slice(0, node.getLeadingTriviaWidth())
    .replace(/\/\*[^]*?\*\//g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line && !/^\/\/ (?:eslint-|prettier-)/.test(line));
}

/** Returns a declaration without the comments before it. */
function codeOf(
  /** @type {ts.Node} */ node,
  /** @type {ts.Node | undefined} */ base,
  /** @type {string} */ indentation,
) {
  if (!ts.isInterfaceDeclaration(node)) return node.getText();
  const { name, members } = node;
  const text = mergedParts(
    base && ts.isInterfaceDeclaration(base) ? partsOf(base) : new Map(),
    partsOf(node),
    `${indentation}  `,
    member => membersNamed(member, name.text),
  );
  const head = node.getSourceFile().text.slice(node.getStart(), members.pos);
  return text === '' ? `${head}}` : `${head}\n${text}${indentation}}`;
}

/**
 * Returns the members of a name that an interface of 4.x declares or inherits, from where they are documented.
 * @returns {ts.Node[] | undefined}
 */
function membersNamed(/** @type {string} */ name, /** @type {string} */ owner) {
  for (const node of interfaces.get(owner) ?? []) {
    const own = partsOf(node).get(name);
    if (own?.some(part => commentOf(documentationOf(part), ''))) return own;
    for (const { expression } of (node.heritageClauses ?? []).flatMap(({ types }) => [...types])) {
      const found = membersNamed(name, expression.getText());
      if (found) return found;
    }
  }
  return undefined;
}

/** Returns the imports, and the type aliases before the namespace of 4.x, that a text needs. */
function namesFor(
  /** @type {string} */ body,
  /** @type {ts.SourceFile} */ base,
  /** @type {ts.SourceFile} */ differences,
) {
  let text = body;
  /** @type {string[]} */
  const types = [];
  // Later aliases refer to earlier ones.
  for (const node of base.statements.filter(ts.isTypeAliasDeclaration).reverse()) {
    if (!wordsOf(text).has(node.name.text)) continue;
    types.unshift([...notesOf(node), node.getText()].join('\n'));
    text += node.getText();
  }
  const known = new Set([
    ...differences.statements.flatMap(node => [...bindingsOf(node).keys()]),
    ...[...partsOf(containerOf(base)).keys()].map(name => name.replace('type ', '')),
  ]);
  const words = wordsOf(text);
  const imports = base.statements.flatMap(node => {
    const bindings = [...bindingsOf(node)].filter(([name]) => words.has(name) && !known.has(name));
    return bindings.map(([, written]) => `import type ${written} from ${specifierOf(node, base.fileName)};`);
  });
  return [...imports, '', ...types];
}

/** Returns the types that a statement imports, each as it is written there. */
function bindingsOf(/** @type {ts.Statement} */ node) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const clause = ts.isImportDeclaration(node) ? node.importClause : undefined;
  const bindings = clause?.isTypeOnly ? clause.namedBindings : undefined;
  if (bindings && ts.isNamespaceImport(bindings)) found.set(bindings.name.text, bindings.getText());
  if (bindings && ts.isNamedImports(bindings))
    for (const element of bindings.elements) found.set(element.name.text, `{ ${element.getText()} }`);
  return found;
}

/** Returns the specifier under which the published package has a file of `ristretto`. */
function specifierOf(/** @type {ts.Statement} */ node, /** @type {string} */ file) {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return '';
  const { text } = node.moduleSpecifier;
  if (!text.startsWith('.')) return `'${text}'`;
  const target = path.relative(ENGINE, path.resolve(path.dirname(file), text)).replaceAll('\\', '/');
  return `'@ristretto/private-engine/lib/${target}'`;
}

const wordsOf = (/** @type {string} */ text) =>
  new Set(text.replace(/\/\*[^]*?\*\//g, '').match(/\b[A-Za-z_$][\w$]*/g));
