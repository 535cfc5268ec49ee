/**
 * Up to which length of a path Node's own engine may be trusted with an expression: it is faster than a program
 * as long as it can't go back much, and for a short path with few loops one behind the other it can't.
 */
import type { Node, Tree } from './syntax';

/** At most `factor` times (length + 1) to the power of `degree` ways to go through a part of an expression. */
interface Ways {
  factor: number;
  degree: number;
}

/** How many ways through an expression are few; all of them are gone in some microseconds. */
const FEW = 5000;

/** How many ways through a look-ahead are next to nothing. */
const FEW_LOOKS = 4;

const ONE: Ways = { factor: 1, degree: 0 };

function repeated({ min, max }: Extract<Node, { type: 'repeat' }>, { factor, degree }: Ways): Ways {
  if (max <= 1) return { factor: factor + 1 - min, degree };
  // the number of the rounds, and then each round's ways
  if (factor > 1 || degree > 0) return { factor: Infinity, degree };
  return max === Infinity ? { factor: 1, degree: 1 } : { factor: max - min + 1, degree: 0 };
}

/** A look-ahead is left in one way; what it costs counts, unless that is next to nothing. */
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
 * The greatest length of a path for which the expression has few ways, however it is made.
 *
 * @example lengthWithFewWays(parseExpression('^/([^/]+?)-([^/]+?)/?$')) // 49
 */
export function lengthWithFewWays({ node }: Tree, anchored: boolean): number {
  const { factor, degree } = waysThrough(node);
  // an expression that is not anchored is tried from each position
  const power = anchored ? degree : degree + 1;
  return Math.floor(Math.min((FEW / factor) ** (1 / power), FEW)) - 1;
}
