/**
 * Writes the declarations that `ristretto5` publishes: those of `ristretto`, with the differences of 5.x, which alone are
 * written by hand, in packages/ristretto5/differences.
 *
 * A file of differences declares a part of what a file of `ristretto` does, in a namespace or module where that has one. What
 * `ristretto` declares there is copied, and replaced where the differences declare it too:
 *
 * - Members of interfaces are replaced by name, with all their overloads.
 * - Comments are merged by tag: what the differences leave out is taken from the declaration of 4.x, which its interface may
 *   inherit. A tag without a text is left out, and a comment takes nothing from a deprecated declaration.
 * - `@removed` marks what 5.x does not have.
 */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { commentOf, documentationOf, merged } from './published-documentation.mjs';
import { root } from './test-files.mjs';

/** @typedef {Map<string, ts.Node[]>} Parts declarations by name, with their overloads */

const BASE = path.join(root, 'packages/ristretto/src');
const HOME = path.join(root, 'packages/ristretto5');

/** The file of `ristretto`, the differences, and the file that is written. */
const FILES = [
  ['express.ts', 'differences/index.d.ts', 'index.d.ts'],
  ['types/core.ts', 'differences/core.d.ts', 'types/core.d.ts'],
  ['types/response-headers.ts', 'differences/response-headers.d.ts', 'types/response-headers.d.ts'],
];

/** The interfaces of 4.x, by name. @type {Map<string, ts.InterfaceDeclaration[]>} */
const interfaces = new Map();

/** Writes all of them. */
export function writePublishedTypes() {
  readInterfaces(path.join(BASE, 'types'));
  for (const [base = '', differences = '', target = ''] of FILES) {
    const file = path.join(HOME, target);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, declarationsOf(path.join(BASE, base), path.join(HOME, differences)));
  }
}

const parse = (/** @type {string} */ file) =>
  ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** All interfaces of a folder: those of its files, and those that these declare under the name of Express's types. */
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

/** The text of a file. */
function declarationsOf(/** @type {string} */ baseFile, /** @type {string} */ differencesFile) {
  const base = parse(baseFile);
  const differences = parse(differencesFile);
  const own = containerOf(differences);
  const body = mergedParts(partsOf(containerOf(base)), partsOf(own), ts.isSourceFile(own) ? '' : '  ');
  const imports = differences.statements.filter(ts.isImportDeclaration).map(textWithComments);
  const rest = ts.isSourceFile(own) ? [body] : statementsAround(own, body, base);
  return `${[...imports, ...namesFor(body, base, differences), ...rest].join('\n')}\n`;
}

/** The namespace or module of a file, or else the file. */
function containerOf(/** @type {ts.SourceFile} */ file) {
  return file.statements.find(ts.isModuleDeclaration) ?? file;
}

/** The statements of a file that follow its imports, with another text in its namespace or module. */
function statementsAround(
  /** @type {ts.ModuleDeclaration} */ own,
  /** @type {string} */ body,
  /** @type {ts.SourceFile} */ base,
) {
  const file = own.getSourceFile();
  const head = file.text.slice(own.getFullStart(), own.body?.getStart()).trim();
  // The function that the namespace belongs to has its comment at that of 4.x.
  const called = base.statements.find(ts.isFunctionDeclaration);
  return file.statements
    .filter(node => !ts.isImportDeclaration(node))
    .map(node => {
      if (node === own) return `\n${head} {\n${body}}\n`;
      return ts.isFunctionDeclaration(node) ? textOf(node, called, '') : textWithComments(node);
    });
}

const textWithComments = (/** @type {ts.Node} */ node) => node.getFullText().trim();

/** What a file, a namespace, a module or an interface declares. @returns {Parts} */
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
    // A type and a value may share a name; a signature has none.
    const key = `${isType ? 'type ' : ''}${name ?? '()'}`;
    found.set(key, [...(found.get(key) ?? []), part]);
  }
  return found;
}

/** Those of 4.x in their order, then what only 5.x has; as text. */
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
      return (own.get(name) ?? declared).map((node, index) => textOf(node, described[index], indentation));
    })
    .join('');
}

/** A declaration with its comments. `base` is that of 4.x. */
function textOf(
  /** @type {ts.Node} */ node,
  /** @type {ts.Node | undefined} */ base,
  /** @type {string} */ indentation,
) {
  const documentation = merged(documentationOf(node), documentationOf(base));
  const notes = notesOf(node).map(line => `${indentation}${line}\n`);
  return `${commentOf(documentation, indentation)}${notes.join('')}${indentation}${codeOf(node, base, indentation)}\n`;
}

/** The other comments in front of a declaration, but for what is said to tools. */
function notesOf(/** @type {ts.Node} */ node) {
  return node
    .getFullText()
    .slice(0, node.getLeadingTriviaWidth())
    .replace(/\/\*[^]*?\*\//g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line && !/^\/\/ (?:eslint-|prettier-)/.test(line));
}

/** A declaration without the comments in front of it. */
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
 * The members of a name that an interface of 4.x has or inherits, from where they have comments.
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

/** What a text needs of the imports and the types in front of the namespace of 4.x. */
function namesFor(
  /** @type {string} */ body,
  /** @type {ts.SourceFile} */ base,
  /** @type {ts.SourceFile} */ differences,
) {
  let text = body;
  /** @type {string[]} */
  const types = [];
  // Later ones refer to earlier ones.
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

/** The types that a statement imports, each as it is imported. */
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

/** A file of `ristretto` is one of its published files. */
function specifierOf(/** @type {ts.Statement} */ node, /** @type {string} */ file) {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return '';
  const { text } = node.moduleSpecifier;
  if (!text.startsWith('.')) return `'${text}'`;
  const target = path.relative(BASE, path.resolve(path.dirname(file), text)).replaceAll('\\', '/');
  return `'ristretto/lib/${target}'`;
}

const wordsOf = (/** @type {string} */ text) =>
  new Set(text.replace(/\/\*[^]*?\*\//g, '').match(/\b[A-Za-z_$][\w$]*/g));
