/** Finds the messages of warnings and errors in the sources of the packages, for docs/troubleshooting.md. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './recipes';

export interface Message {
  /** The text; `…` stands for what is inserted. */
  text: string;
  /** The code of a warning. */
  code?: string;
  file: string;
  line: number;
}

/** Functions that report or throw a message, with its position among their arguments. */
const REPORTS: Readonly<Record<string, number>> = {
  codedError: 1,
  createError: 1,
  deprecate: 0,
  fail: 0,
  httpError: 1,
  malformed: 0,
  refusal: 1,
  refuse: 1,
  warn: 1,
  warnOnce: 1,
  emitWarning: 0,
};
const GAP = '…';

/** Returns the sources of the packages that applications load, and of their commands. */
export function sources(parent = 'packages'): string[] {
  const packages = path.join(root, parent);
  return fs.readdirSync(packages).flatMap(name => {
    const folder = path.join(packages, name, 'src');
    if (!fs.existsSync(folder)) return [];
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter(file => file.endsWith('.ts')).map(file => path.join(folder, file));
  });
}

/** Returns the messages of a file, and how many consist only of a value. */
export function messagesIn(file: string): { messages: Message[]; unknown: string[] } {
  const source = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const messages: Message[] = [];
  const unknown: string[] = [];
  const name = path.relative(root, file).replaceAll(path.sep, '/');

  /** Returns the possible texts of an expression. */
  function textsOf(node: ts.Expression | undefined, depth = 0): string[] {
    if (node === undefined || depth > 6) return [GAP];
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, depth);
    if (ts.isConditionalExpression(node))
      return [...textsOf(node.whenTrue, depth + 1), ...textsOf(node.whenFalse, depth + 1)];
    if (ts.isTemplateExpression(node))
      return [node.head.text + node.templateSpans.map(({ literal }) => GAP + literal.text).join('')];
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      const left = textsOf(node.left, depth + 1);
      return left.flatMap(text => textsOf(node.right, depth + 1).map(rest => text + rest));
    }
    // A list of lines: the first one identifies the message.
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const list = node.expression.expression;
      if (node.expression.name.text === 'join' && ts.isArrayLiteralExpression(list))
        return textsOf(list.elements[0], depth + 1).map(text => `${text} ${GAP}`);
    }
    if (ts.isIdentifier(node)) return textsOf(initializerOf(node), depth + 1);
    return [GAP];
  }

  /** Returns the initial value of a variable of the same file. */
  function initializerOf({ text, pos }: ts.Identifier): ts.Expression | undefined {
    let found: ts.Expression | undefined;
    const visit = (node: ts.Node): void => {
      const isDeclared =
        ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === text;
      if (isDeclared && node.pos < pos) found = node.initializer;
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  function add(node: ts.Node, expression: ts.Expression | undefined, code?: string): void {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    for (const raw of textsOf(expression)) {
      const text = raw
        .replace(/\s+/g, ' ')
        .replace(/(?:…\s?)+…/g, GAP)
        .trim();
      if (!/[a-z]{2}/i.test(text)) unknown.push(`${name}:${line + 1}`);
      else messages.push({ text, file: name, line: line + 1, ...(code === undefined ? {} : { code }) });
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error'))
      add(node, node.arguments?.[0]);
    if (ts.isCallExpression(node)) {
      const called = node.expression;
      const own = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
      const at = Object.hasOwn(REPORTS, own) ? REPORTS[own] : undefined;
      if (at !== undefined) {
        const [first] = node.arguments;
        const code =
          own.startsWith('warn') && first && ts.isStringLiteralLike(first) ? first.text : undefined;
        // Other functions of that name take a response.
        const isOther = own === 'refuse' && first !== undefined && !ts.isNumericLiteral(first);
        if (node.arguments.length > at && !isOther) add(node, node.arguments[at], code);
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return { messages, unknown };
}
