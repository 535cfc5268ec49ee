/** Reads the declarations of the packages: each public member with its signatures, documentation and options. */
import path from 'node:path';
import ts from 'typescript';
import { root } from '../test-files.mjs';

/**
 * Shorter, clearer signatures for the types of members that register handlers, send or read. @type {Record<string,
 * string[]>}
 */
const SHORT = {
  IRouterMatcher: ['(path: PathParams, ...handlers: RequestHandler[]): this'],
  RouteMatcher: ['(path: PathParams, ...handlers: RequestHandler[]): this'],
  IRouterHandler: ['(...handlers: RequestHandler[]): this'],
  ApplicationRequestHandler: [
    '(...handlers: (RequestHandler | Application)[]): this',
    '(path: PathParams, ...handlers: (RequestHandler | Application)[]): this',
  ],
  Send: ['(body?: ResBody): this'],
  SettingReader: ['(name: SettingName | string): any'],
};

/** @returns {string[]} */
function signaturesOf(
  /** @type {string} */ name,
  /** @type {readonly ts.Declaration[]} */ declarations,
  /** @type {readonly ts.SignatureDeclaration[]} */ calls,
) {
  const functions = declarations.filter(
    node => !ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node),
  );
  return [
    ...new Set((functions.length > 0 ? functions : declarations).flatMap(node => linesOf(name, node, calls))),
  ];
}

/** @returns {string[]} */
function linesOf(
  /** @type {string} */ name,
  /** @type {ts.Declaration} */ node,
  /** @type {readonly ts.SignatureDeclaration[]} */ calls,
) {
  if (ts.isFunctionDeclaration(node)) return [signatureOf(name, node)];
  const type = ts.isPropertySignature(node) || ts.isVariableDeclaration(node) ? node.type : undefined;
  if (type) {
    const parts = ts.isIntersectionTypeNode(type) ? [...type.types] : [type];
    const short = parts.map(
      part => SHORT[ts.isTypeReferenceNode(part) ? part.typeName.getText().replace(/^.*\./, '') : ''],
    );
    if (short.every(lines => lines !== undefined)) return short.flat().map(line => name + line);
    if (ts.isFunctionTypeNode(type)) return [signatureOf(name, type)];
    if (calls.length > 0 && (ts.isTypeQueryNode(type) || ts.isTypeLiteralNode(type)))
      return calls.map(call => signatureOf(name, call));
  }
  return [plain(node)];
}

function signatureOf(/** @type {string} */ name, /** @type {ts.SignatureDeclaration} */ node) {
  const parameters = node.parameters.map(part => plain(part)).join(', ');
  const generics = node.typeParameters ? `<${node.typeParameters.map(part => plain(part)).join(', ')}>` : '';
  return `${name}${generics}(${parameters})${node.type ? `: ${plain(node.type)}` : ''}`;
}

/** Returns a declaration on one line, without documentation and without types that only hide a name. */
function plain(/** @type {ts.Node} */ node) {
  const text = node.getText().replace(/\/\*\*?[^]*?\*\/|^\s*\/\/.*$/gm, '');
  return text
    .replace(/\s+/g, ' ')
    .replace(/;$/, '')
    .replace(/^readonly /, '')
    .replace(/\bUnnamed(?:Function)?<((?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*)>/g, '$1')
    .replace(/\b(?:core|files|base)\.(?=[A-Z])/g, '')
    .trim();
}

/**
 * @typedef {{ name: string, type: string, text: string, isOptional: boolean, standard: string | undefined }} Property of an
 *   options object; `standard` is its default
 * @typedef {{ name: string, properties: Property[] }} Options
 * @typedef {object} Entry
 * @property {string} name
 * @property {string[]} signatures
 * @property {string} text
 * @property {boolean} isMethod
 * @property {boolean} isDeprecated
 * @property {boolean} isInherited declared, or described, by another package of this repository
 * @property {Record<string, string[]>} tags the texts of each tag
 * @property {Options[]} options the interfaces of its parameters
 */

const NOT_OURS = /\/node_modules\//;

/** Opens a package by the file that declares its exports. */
export function openPackage(/** @type {string} */ name, /** @type {string} */ file) {
  const home = path.join(root, 'packages', name);
  const main = path.join(home, file);
  const { config } = ts.readConfigFile(path.join(home, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, home);
  const program = ts.createProgram([main], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(main);
  const assigned =
    source && checker.getSymbolAtLocation(source)?.exports?.get(ts.InternalSymbolName.ExportEquals);
  if (!assigned) throw new Error(`${main} has no "export ="`);
  const entry = assigned.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(assigned) : assigned;
  return { checker, entry, home: `${home}${path.sep}` };
}

/** @typedef {ReturnType<typeof openPackage>} Package */

/** Returns the values that the entry exports, in alphabetical order. @returns {Entry[]} */
export function valuesOf(/** @type {Package} */ from) {
  return ours(from.checker.getPropertiesOfType(from.checker.getTypeOfSymbol(from.entry))).map(symbol =>
    read(from, symbol),
  );
}

/** Returns the members of a type that the entry exports. @returns {Entry[]} */
export function membersOf(/** @type {Package} */ from, /** @type {string} */ typeName) {
  const { checker, entry } = from;
  const symbol = entry.exports?.get(ts.escapeLeadingUnderscores(typeName));
  if (!symbol) throw new Error(`The entry exports no type ${typeName}`);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const type = checker.getDeclaredTypeOfSymbol(target);
  return ours(checker.getPropertiesOfType(type)).map(member => read(from, member));
}

/** Leaves out members declared by Node's types, and those that only tools use. */
function ours(/** @type {readonly ts.Symbol[]} */ symbols) {
  return symbols
    .filter(({ declarations, name }) => {
      const file = declarations?.[0]?.getSourceFile().fileName;
      return (file === undefined || !NOT_OURS.test(file)) && !name.startsWith('_');
    })
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

/** @returns {Entry} */
function read(/** @type {Package} */ { checker, home }, /** @type {ts.Symbol} */ symbol) {
  const declarations = symbol.declarations ?? [];
  const [first] = declarations;
  const type = first && checker.getTypeOfSymbolAtLocation(symbol, first);
  const calls = (type?.getCallSignatures() ?? []).flatMap(({ declaration }) => declaration ?? []);
  const named = namedBy(checker, first) ?? symbol;
  const current = declarations.filter(declaration => !isDeprecated(declaration));
  return {
    name: symbol.name,
    signatures: signaturesOf(symbol.name, current.length > 0 ? current : declarations, calls),
    ...documentation(checker, symbol, named, type),
    isMethod: type !== undefined && isMethod(type),
    isDeprecated: current.length === 0 && declarations.length > 0,
    isInherited: (named.declarations ?? []).every(
      part => !part.getSourceFile().fileName.startsWith(home) || !ts.getJSDocCommentsAndTags(part).length,
    ),
    options: type ? optionsOf(checker, type) : [],
  };
}

/** Returns the symbol that a member of type `typeof something` refers to. */
function namedBy(
  /** @type {ts.TypeChecker} */ checker,
  /** @type {ts.Declaration | undefined} */ declaration,
) {
  if (!declaration || !ts.isPropertySignature(declaration) || !declaration.type) return undefined;
  if (!ts.isTypeQueryNode(declaration.type)) return undefined;
  const symbol = checker.getSymbolAtLocation(declaration.type.exprName);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the documentation of a member, of the symbol it refers to, or of the function it is. */
function documentation(
  /** @type {ts.TypeChecker} */ checker,
  /** @type {ts.Symbol} */ symbol,
  /** @type {ts.Symbol} */ named,
  /** @type {ts.Type | undefined} */ type,
) {
  const members = [symbol, named].map(at => ({
    parts: at.getDocumentationComment(checker),
    list: at.getJsDocTags(checker),
  }));
  const signatures = (type?.getCallSignatures() ?? []).map(signature => ({
    parts: signature.getDocumentationComment(checker),
    list: signature.getJsDocTags(),
  }));
  // A function may share its name with a type, whose comment is not about the function.
  const isFunction = (symbol.flags & ts.SymbolFlags.Function) !== 0;
  const sources = isFunction ? [...signatures, ...members] : [...members, ...signatures];
  // A member may have one sentence while the function it refers to has the full description.
  const { parts = [], list = [] } =
    sources.slice(0, 2).find(source => source.list.length > 0) ??
    sources.find(source => source.parts.length > 0 || source.list.length > 0) ??
    {};
  /** @type {Record<string, string[]>} */
  const tags = {};
  for (const { name, text } of list) (tags[name] ??= []).push(ts.displayPartsToString(text).trim());
  return { text: ts.displayPartsToString(parts).trim(), tags };
}

/** Applications and routers can be called, but are not methods. */
function isMethod(/** @type {ts.Type} */ type) {
  return type.getCallSignatures().length > 0 && type.getProperty('use') === undefined;
}

function isDeprecated(/** @type {ts.Declaration} */ declaration) {
  return ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'deprecated');
}

/** Returns the interfaces of parameters that have only properties. @returns {Options[]} */
function optionsOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Type} */ type) {
  /** @type {Map<string, Options>} */
  const found = new Map();
  for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
    for (const { valueDeclaration } of signature.parameters) {
      // A rest parameter is a list of arguments
      if (!valueDeclaration || !ts.isParameter(valueDeclaration) || valueDeclaration.dotDotDotToken) continue;
      for (const part of typesOf(checker, valueDeclaration)) {
        const name = (part.aliasSymbol ?? part.getSymbol())?.name ?? '';
        if (!/(?:Options\w*|^RouteDescription)$/.test(name) || found.has(name)) continue;
        found.set(name, { name, properties: propertiesOf(checker, part) });
      }
    }
  }
  return [...found.values()];
}

/** Returns the possible types of a parameter. `Unnamed<T>` keeps the name of `T` out of users' declarations. */
function typesOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.ParameterDeclaration} */ parameter) {
  const { type } = parameter;
  if (!type) return [];
  const written = ts.isUnionTypeNode(type) ? [...type.types] : [type];
  return written
    .map(node =>
      ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Unnamed'
        ? (node.typeArguments?.[0] ?? node)
        : node,
    )
    .map(node => checker.getTypeFromTypeNode(node))
    .flatMap(part => (part.isUnion() ? part.types : [part]));
}

/** @returns {Property[]} */
function propertiesOf(/** @type {ts.TypeChecker} */ checker, /** @type {ts.Type} */ type) {
  return ours(checker.getPropertiesOfType(type)).map(property => {
    const [declaration] = property.declarations ?? [];
    const tags = property.getJsDocTags(checker);
    const standard = tags.find(({ name }) => name === 'default');
    return {
      name: property.name,
      type: typeTextOf(declaration)
        .replace(/\s+/g, ' ')
        .replace(/^\| | \| undefined$/g, ''),
      text: ts.displayPartsToString(property.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim(),
      isOptional: Boolean(property.flags & ts.SymbolFlags.Optional),
      standard: standard && ts.displayPartsToString(standard.text).trim(),
    };
  });
}

function typeTextOf(/** @type {ts.Declaration | undefined} */ declaration) {
  if (!declaration) return '';
  if (ts.isPropertySignature(declaration)) return declaration.type?.getText() ?? '';
  if (!ts.isMethodSignature(declaration)) return '';
  return `(${declaration.parameters.map(part => part.getText()).join(', ')}) => ${declaration.type?.getText() ?? 'any'}`;
}
