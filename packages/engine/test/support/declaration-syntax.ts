/** Finds syntax in a declaration file that TypeScript 4.3, the oldest supported version, cannot read. */
import ts from 'typescript';

/** Types of the compiler's library added in 4.5 or later. */
const NEWER_TYPES = new Set([
  'Awaited',
  'NoInfer',
  'Disposable',
  'AsyncDisposable',
  'WeakKey',
  'ArrayBufferLike',
]);

/** Returns short descriptions of what is too new, in source order. */
export function newerSyntax(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = newerThan43(node);
    if (what !== undefined) found.push(what);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.d.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

function newerThan43(node: ts.Node): string | undefined {
  if (ts.isInferTypeNode(node) && node.typeParameter.constraint) return 'a constraint of infer';
  if (ts.isTypeParameterDeclaration(node) && node.modifiers) return 'a modifier of a type parameter';
  if ((ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) && node.isTypeOnly) {
    return 'type on a name of an import or export';
  }
  if (ts.isExportDeclaration(node) && node.isTypeOnly && !isList(node.exportClause)) return 'export type *';
  if (ts.isImportAttributes(node)) return 'attributes of an import';
  if (ts.isIndexSignatureDeclaration(node) && !isPlainKey(node)) return 'an index signature of a union';
  if (node.kind === ts.SyntaxKind.AccessorKeyword) return 'accessor';
  if (ts.isClassStaticBlockDeclaration(node)) return 'a static block';
  if (ts.isTypeReferenceNode(node) && NEWER_TYPES.has(node.typeName.getText()))
    return node.typeName.getText();
  return undefined;
}

function isList(clause: ts.NamedExportBindings | undefined): boolean {
  return clause !== undefined && ts.isNamedExports(clause);
}

function isPlainKey({ parameters: [key] }: ts.IndexSignatureDeclaration): boolean {
  return key?.type?.kind === ts.SyntaxKind.StringKeyword || key?.type?.kind === ts.SyntaxKind.NumberKeyword;
}
