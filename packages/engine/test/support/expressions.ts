/** Finds the regular expressions in a package's sources: literals, and those created at run time. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface Expression {
  /** `file: /source/flags` */
  name: string;
  source: string;
  flags: string;
}

/**
 * Finds in the wanted files every literal, once per file, and every call that creates an expression, as `file: new
 * RegExp(...)`.
 */
export function expressionsIn(
  directory: string,
  isWanted: (file: string) => boolean = () => true,
): { literals: Expression[]; made: string[] } {
  const literals = new Map<string, Expression>();
  const made: string[] = [];
  for (const file of fs.readdirSync(directory, { recursive: true }).map(String).sort()) {
    if (!file.endsWith('.ts') || !isWanted(file)) continue;
    const text = fs.readFileSync(path.join(directory, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const name = `${file}: ${node.text}`;
        literals.set(name, { name, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      } else if (isMade(node)) {
        made.push(
          `${file}: ${node
            .getText(source)
            .replace(/\s+/g, ' ')
            .replace(/(?<=\() | (?=\))/g, '')}`,
        );
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals: [...literals.values()], made };
}

/**
 * Whether a node is `new RegExp(…)`, `RegExp(…)`, or a call that converts its argument: `text.match(…)`,
 * `text.search(…)`.
 */
function isMade(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const { expression, arguments: [first] = [] } = node;
  if (ts.isIdentifier(expression)) return expression.text === 'RegExp';
  if (!ts.isPropertyAccessExpression(expression) || !first) return false;
  return /^(?:match|matchAll|search)$/.test(expression.name.text) && ts.isStringLiteralLike(first);
}
