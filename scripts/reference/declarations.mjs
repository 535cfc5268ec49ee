/** Reads what the packages declare: each public member with its signatures, its documentation and the options it takes. */
import path from 'node:path';
import ts from 'typescript';
import { root } from '../test-files.mjs';

/**
 * @typedef {{ name: string, type: string, text: string, isOptional: boolean }} Property of an options object
 * @typedef {{ name: string, properties: Property[] }} Options
 * @typedef {object} Entry
 * @property {string} name
 * @property {string[]} signatures as they are written in the declarations
 * @property {string} text
 * @property {boolean} isMethod
 * @property {boolean} isDeprecated
 * @property {Record<string, string[]>} tags the texts of each tag
 * @property {Options[]} options the interfaces of its parameters
 */

const NOT_OURS = /\/node_modules\//;

/** Opens a package by its `tsconfig.json`. */
export function openPackage(/** @type {string} */ name) {
  const home = path.join(root, 'packages', name);
  const { config } = ts.readConfigFile(path.join(home, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, home);
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path.join(home, 'src/express.ts'));
  const assigned =
    source && checker.getSymbolAtLocation(source)?.exports?.get(ts.InternalSymbolName.ExportEquals);
  if (!assigned) throw new Error(`${home}/src/express.ts has no "export ="`);
  const entry = assigned.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(assigned) : assigned;
  return { checker, entry, home };
}

/** @typedef {ReturnType<typeof openPackage>} Package */

/** The members of the entry that are values, in alphabetical order. @returns {Entry[]} */
export function valuesOf(/** @type {Package} */ { checker, entry }) {
  const type = checker.getTypeOfSymbol(entry);
  return ours(checker.getPropertiesOfType(type)).map(symbol => read(checker, symbol));
}

/** The members of a type that the entry exports. @returns {Entry[]} */
export function membersOf(/** @type {Package} */ { checker, entry }, /** @type {string} */ typeName) {
  const symbol = entry.exports?.get(ts.escapeLeadingUnderscores(typeName));
  if (!symbol) throw new Error(`The entry exports no type ${typeName}`);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const type = checker.getDeclaredTypeOfSymbol(target);
  return ours(checker.getPropertiesOfType(type)).map(member => read(checker, member));
}

/** Without what comes from Node's types, and what tools alone use. */
function ours(/** @type {readonly ts.Symbol[]} */ symbols) {
  return symbols
    .filter(({ declarations, name }) => {
      const file = declarations?.[0]?.getSourceFile().fileName;
      return (file === undefined || !NOT_OURS.test(file)) && !name.startsWith('_');
    })
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

/** @returns {Entry} */
function read(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Symbol} */ symbol) {
  const declarations = symbol.declarations ?? [];
  /** @type {Record<string, string[]>} */
  const tags = {};
  for (const { name, text } of symbol.getJsDocTags(checker)) {
    (tags[name] ??= []).push(ts.displayPartsToString(text).trim());
  }
  const [first] = declarations;
  const type = first && checker.getTypeOfSymbolAtLocation(symbol, first);
  const current = declarations.filter(declaration => !isDeprecated(declaration));
  return {
    name: symbol.name,
    signatures: (current.length > 0 ? current : declarations).map(signatureOf),
    text: ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim(),
    isMethod: type !== undefined && isMethod(type),
    isDeprecated: current.length === 0 && declarations.length > 0,
    tags,
    options: type ? optionsOf(checker, type) : [],
  };
}

/** Applications and routers can be called, too. */
function isMethod(/** @type {ts.Type} */ type) {
  return type.getCallSignatures().length > 0 && type.getProperty('use') === undefined;
}

function isDeprecated(/** @type {ts.Declaration} */ declaration) {
  return ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'deprecated');
}

/** A declaration as it is written, without its documentation, in one line. */
function signatureOf(/** @type {ts.Declaration} */ declaration) {
  const text = declaration.getText().replace(/\/\*\*?[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const body = ts.isFunctionDeclaration(declaration) ? text.replace(/\{[^]*$/, '') : text;
  return body.replace(/\s+/g, ' ').replace(/;$/, '').trim();
}

/** The interfaces that are parameters, if all that they have is properties. @returns {Options[]} */
function optionsOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Type} */ type) {
  /** @type {Map<string, Options>} */
  const found = new Map();
  for (const signature of type.getCallSignatures()) {
    for (const parameter of signature.parameters) {
      const declaration = parameter.valueDeclaration;
      if (!declaration) continue;
      const written = checker.getTypeOfSymbolAtLocation(parameter, declaration);
      for (const part of written.isUnion() ? written.types : [written]) {
        const name = (part.aliasSymbol ?? part.getSymbol())?.name ?? '';
        if (!/Options\w*$/.test(name) || found.has(name)) continue;
        found.set(name, { name, properties: propertiesOf(checker, part) });
      }
    }
  }
  return [...found.values()];
}

/** @returns {Property[]} */
function propertiesOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Type} */ type) {
  return ours(checker.getPropertiesOfType(type)).map(property => {
    const [declaration] = property.declarations ?? [];
    const isOptional = Boolean(property.flags & ts.SymbolFlags.Optional);
    const written =
      declaration && ts.isPropertySignature(declaration) ? (declaration.type?.getText() ?? '') : '';
    return {
      name: property.name,
      type: written.replace(/\s+/g, ' ').replace(/^\| | \| undefined$/g, ''),
      text: ts.displayPartsToString(property.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim(),
      isOptional,
    };
  });
}
