/**
 * Counts which branches of the packages run: every built file loaded after this one gets a counter at the beginning of
 * each block and each alternative. They show the fuzzer whether a text reached a new branch.
 */
import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const SIZE = 1 << 15;

/** One counter per branch; they are read after each text and reset to 0 before the next. */
export const counters = new Uint8Array(SIZE);
/** How many counters are in use. */
export let used = 0;

const NAME = '__fuzzCounters';
(globalThis as Record<string, unknown>)[NAME] = counters;

const LIB = /[\\/]packages[\\/](?:engine|ristretto[35]?|middleware[\\/][\w-]+)[\\/]lib[\\/]/;

interface Loader {
  _extensions: Record<string, (module: Loaded, filename: string) => void>;
}
interface Loaded {
  _compile(code: string, filename: string): void;
}

/** Adds counters to the built files of the packages that are loaded from now on. */
export function instrumentPackages(): void {
  const extensions = (Module as unknown as Loader)._extensions;
  const plain = extensions['.js']!;
  extensions['.js'] = function load(module, filename) {
    if (!LIB.test(filename)) plain(module, filename);
    else module._compile(instrument(fs.readFileSync(filename, 'utf8'), path.basename(filename)), filename);
  };
}

/** Returns the code with counters. */
export function instrument(code: string, name: string): string {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const opened: [position: number, text: string][] = [];
  const closed: [position: number, text: string][] = [];
  const wrap = (node: ts.Node, open: string, close: string): void => {
    opened.push([node.getStart(source), open]);
    closed.unshift([node.end, close]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) opened.push([node.getStart(source) + 1, counter()]);
    else if (ts.isCaseOrDefaultClause(node) && node.statements[0])
      opened.push([node.statements[0].getStart(source), counter()]);
    for (const statement of branchesOf(node)) {
      if (!ts.isBlock(statement)) wrap(statement, `{${counter()}`, '}');
    }
    for (const expression of alternativesOf(node)) wrap(expression, `(${counter().replace(';', ',')}`, ')');
    ts.forEachChild(node, visit);
  };
  visit(source);
  // Directives must come first.
  const start = `${code.startsWith('"use strict"') ? '"use strict";' : ''}const ${NAME} = globalThis.${NAME};`;
  return start + insert(code, closed, opened);
}

function counter(): string {
  if (used === SIZE) throw new Error('too many branches to count');
  return `${NAME}[${used++}]++;`;
}

/** Returns conditional statements, which need not be blocks. */
function branchesOf(node: ts.Node): ts.Statement[] {
  if (ts.isIfStatement(node))
    return [node.thenStatement, ...(node.elseStatement ? [node.elseStatement] : [])];
  return ts.isIterationStatement(node, false) ? [node.statement] : [];
}

/** Returns expressions that are evaluated conditionally. */
function alternativesOf(node: ts.Node): ts.Expression[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body];
  if (!ts.isBinaryExpression(node)) return [];
  const { kind } = node.operatorToken;
  const isChoice =
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken;
  return isChoice ? [node.right] : [];
}

/** Inserts the texts into the code. At the same position, closing texts come before opening ones. */
function insert(code: string, closed: [number, string][], opened: [number, string][]): string {
  const all = [...closed, ...opened].sort(([a], [b]) => a - b);
  let result = '';
  let last = 0;
  for (const [position, text] of all) {
    result += code.slice(last, position) + text;
    last = position;
  }
  return result + code.slice(last);
}
