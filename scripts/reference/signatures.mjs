/** Writes the signatures of a member for readers, without types that only the compiler needs. */
import ts from 'typescript';

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
export function signaturesOf(
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
