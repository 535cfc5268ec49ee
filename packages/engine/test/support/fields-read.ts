/** Finds the request headers that a package reads, from its sources. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Matches expressions that hold the headers of a request. */
const HOLDER = /(?:^|\.)headers$/;
/** Functions whose argument is a header name. */
const READERS = /(?:^|\.)(?:forwarded|countLines|req\.get|request\.get|this\.get|req\.header)$/;

/**
 * Returns the lower-case names of all headers read in the files below a directory: as members of something called
 * `headers`, destructured from it, or passed by name to a function.
 */
export function fieldsReadIn(directory: string): Set<string> {
  const names = new Set<string>();
  for (const file of fs.readdirSync(directory, { recursive: true }).map(String)) {
    // Members of a response are in separate files, where `get` reads response headers.
    if (!file.endsWith('.ts') || file.startsWith('types')) continue;
    const text = fs.readFileSync(path.join(directory, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const isRequest = !/^(?:message[\\/])?response\b/.test(file);
    visit(source, node => {
      const name = nameRead(node, source, isRequest);
      if (name !== undefined) names.add(name.toLowerCase());
    });
  }
  return names;
}

function visit(node: ts.Node, use: (node: ts.Node) => void): void {
  use(node);
  ts.forEachChild(node, child => visit(child, use));
}

function nameRead(node: ts.Node, source: ts.SourceFile, isRequest: boolean): string | undefined {
  if (ts.isPropertyAccessExpression(node) && HOLDER.test(node.expression.getText(source))) {
    // `headers` of the Fetch API have methods
    return ts.isCallExpression(node.parent) && node.parent.expression === node ? undefined : node.name.text;
  }
  if (ts.isElementAccessExpression(node) && HOLDER.test(node.expression.getText(source)))
    return textOf(node.argumentExpression);
  if (ts.isBindingElement(node) && isTakenFromHeaders(node, source))
    return textOf(node.propertyName ?? node.name) ?? (node.propertyName ?? node.name).getText(source);
  if (ts.isCallExpression(node)) return nameInCall(node, source, isRequest);
  return undefined;
}

function nameInCall(call: ts.CallExpression, source: ts.SourceFile, isRequest: boolean): string | undefined {
  const callee = call.expression.getText(source);
  if (!READERS.test(callee)) return undefined;
  // `this.get` reads a request header in one folder, and a response header in the other
  if (callee.endsWith('this.get') && !isRequest) return undefined;
  return textOf(call.arguments[callee.endsWith('get') || callee.endsWith('header') ? 0 : 1]);
}

/** Whether an element belongs to `const { name } = something.headers`. */
function isTakenFromHeaders(node: ts.BindingElement, source: ts.SourceFile): boolean {
  const declaration = node.parent.parent;
  return (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    HOLDER.test(declaration.initializer.getText(source))
  );
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}
