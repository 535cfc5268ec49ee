/**
 * Determines up to which path length the native engine is safe for an expression: it is faster than a program as long
 * as it cannot backtrack much, and it cannot on a short path if there are few consecutive loops.
 */
import type { Node, Tree } from './syntax';

/**
 * An upper bound for the ways through a part of an expression: `factor` times (length + 1) to the power of `degree`.
 */
interface Ways {
  factor: number;
  degree: number;
}

/** The number of ways through an expression that is still small: all are tried within microseconds. */
const FEW = 5000;

/** The number of ways through a look-ahead that is negligible. */
const FEW_LOOKS = 4;

const ONE: Ways = { factor: 1, degree: 0 };

function repeated({ min, max }: Extract<Node, { type: 'repeat' }>, { factor, degree }: Ways): Ways {
  if (max <= 1) return { factor: factor + 1 - min, degree };
  // Each iteration multiplies the number of ways
  if (factor > 1 || degree > 0) return { factor: Infinity, degree };
  return max === Infinity ? { factor: 1, degree: 1 } : { factor: max - min + 1, degree: 0 };
}

/** A look-ahead has only one way out, but its cost counts unless it is negligible. */
function lookedThrough(ways: Ways): Ways {
  return ways.degree === 0 && ways.factor <= FEW_LOOKS ? ONE : ways;
}

function waysThrough(node: Node): Ways {
  switch (node.type) {
    case 'sequence':
      return node.nodes.map(waysThrough).reduce((all, ways) => {
        return { factor: all.factor * ways.factor, degree: all.degree + ways.degree };
      }, ONE);
    case 'choice':
      return node.nodes.map(waysThrough).reduce((all, ways) => {
        return { factor: all.factor + ways.factor, degree: Math.max(all.degree, ways.degree) };
      });
    case 'group':
      return waysThrough(node.node);
    case 'look':
      return lookedThrough(waysThrough(node.node));
    case 'repeat':
      return repeated(node, waysThrough(node.node));
    default:
      return ONE;
  }
}

/**
 * Returns the greatest length of a path up to which the expression has few ways to match any path.
 *
 * @example lengthWithFewWays(parseExpression('^/([^/]+?)-([^/]+?)/?$')) // 49
 */
export function lengthWithFewWays({ node }: Tree, anchored: boolean): number {
  const { factor, degree } = waysThrough(node);
  // An expression that is not anchored is tried from each position
  const power = anchored ? degree : degree + 1;
  return Math.floor(Math.min((FEW / factor) ** (1 / power), FEW)) - 1;
}
