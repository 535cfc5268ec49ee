/**
 * Path patterns: parsed once when a layer is created, then matched in time linear in the length of the path.
 *
 * The grammar is that of path-to-regexp 0.1. Its regular expressions can backtrack for minutes on a request of 16 KiB,
 * but tools read them from `layer.regexp`. So each pattern still has its expression, but does not use it for matching.
 * The parts:
 *
 *     pattern/tokens         '/users/:id' is text and a parameter
 *     pattern/source         the expression, and the keys of its groups
 *     pattern/segments       common patterns: one pass over the path's characters
 *     pattern/list           arrays of these
 *     pattern/expression     all others: the expression becomes a tree (pattern/syntax) and a program (pattern/compile)
 *                            that backtracks, but never tries the same way twice (pattern/matcher)
 *     pattern/native         regular expressions from the user
 *
 * If a path is so short that its expression cannot backtrack much, the expression is used, because it is faster then
 * (pattern/ambiguity). It is also used for features that a program does not support: back references, look-behind,
 * repetition counts in the tens of thousands, and regular expressions from the user.
 *
 * `/users/:id`, `/files/*` and `/a/:b?` are common patterns; `/:from-:to`, `/:id(\\d+)` and `/ab?cd` are not.
 */
import { inspect } from 'node:util';
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as diagnose from '../dev/handler-arguments';
import { isRegExp } from '../realms';
import type * as expression from './pattern/expression';
import { ListPattern } from './pattern/list';
import { NativePattern } from './pattern/native';
import { SegmentPattern } from './pattern/segments';
import { writeSource } from './pattern/source';
import { tokenize } from './pattern/tokens';
import type { PathPattern, PatternKey, PatternOptions } from './pattern/types';

const checks = deferred(() => require('../dev/handler-arguments') as typeof diagnose, reportsMistakes);

export type { PathPattern, PatternKey, PatternOptions, PatternShape } from './pattern/types';

/**
 * Parses the path of a layer.
 *
 * @param path a pattern, a regular expression, or a (nested) array of these, any of which may match. An empty array
 * matches every path, as in Express
 * @param options how to read it
 * @throws TypeError if the path is none of these
 * @throws SyntaxError if a pattern results in an invalid regular expression (`/a(`)
 * @example
 * const pattern = parsePath('/users/:id', {});
 * const captures: (string | undefined)[] = [];
 * pattern.match('/users/42/', captures); // 10, and captures is ['42']
 * pattern.toRegExp(); // /^\/users(?:\/([^/]+?))\/?$/i
 */
export function parsePath(path: string | RegExp | readonly unknown[], options: PatternOptions): PathPattern {
  const pattern = parse(path, options);
  pattern.path = path;
  return pattern;
}

function parse(path: string | RegExp | readonly unknown[], options: PatternOptions): PathPattern {
  if (typeof path === 'string') return parseString(path, options);
  if (isRegExp(path)) return new NativePattern(path);
  if (Array.isArray(path)) return parseArray(path, options);
  const error = new TypeError('path must be a string, array of strings, or regular expression');
  throw reportsMistakes() ? checks().explainPath(error, path) : error;
}

function flagsFor(options: PatternOptions): string {
  return options.sensitive ? '' : 'i';
}

function parseString(path: string, options: PatternOptions): PathPattern {
  const tokens = tokenize(path);
  const written = writeSource(path, tokens, options);
  const usual = SegmentPattern.of(path, tokens, options, written);
  if (usual) return usual;
  return namingPath(path, () => makeExpression(written.source, flagsFor(options), written.keys));
}

function parseArray(paths: readonly unknown[], options: PatternOptions): PathPattern {
  const members = paths.map(path => parsePath(path as string, options));
  const usual = ListPattern.of(members, flagsFor(options));
  if (usual) return usual;
  const source = members.map(member => member.toRegExp().source).join('|');
  const keys = members.flatMap(member => member.keys);
  return namingPath(paths, () => makeExpression(source, flagsFor(options), keys));
}

/** Creates the pattern of an expression, whose code is loaded on demand: most applications have only common patterns. */
export function makeExpression(source: string, flags: string, keys: PatternKey[]): PathPattern {
  const { ExpressionPattern } = require('./pattern/expression') as typeof expression;
  return new ExpressionPattern(source, flags, keys);
}

/** Creates a pattern; an error about its generated expression names the path it was generated from. */
function namingPath(path: unknown, make: () => PathPattern): PathPattern {
  try {
    return make();
  } catch (error) {
    const message = `${(error as SyntaxError).message} (from the path ${inspect(path)})`;
    const naming = new SyntaxError(message, { cause: error });
    // The ten frames that V8 records must reach the line of the program that has the path
    Error.captureStackTrace(naming, parsePath);
    throw naming;
  }
}
