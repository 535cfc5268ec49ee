// runs: slow, once, ci
/**
 * No regular expression on client input may take more than linear time: `recheck` checks each literal in the sources of
 * the packages, and each expression created at run time must be listed here.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { checkSync } from 'recheck';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { expressionsIn } from '../support/expressions.js';
import type { Expression } from '../support/expressions.js';

const packages = path.join(__dirname, '../../..');

/** Expressions that are not linear, but are never run on client input. */
const NOT_FOR_INPUT: Record<string, string> = {
  'router/pattern/source.ts: /\\\\.|\\((?:\\?<(.*?)>)?(?!\\?)/g':
    'reads the sources of patterns and expressions that the programmer wrote',
  'dev/stack.ts: /.*[\\\\/]node_modules[\\\\/]((?:@[^\\\\/]+[\\\\/])?[^\\\\/]+)/':
    'reads the names of files that the program consists of, in development',
  'routing/pattern/path.ts: /\\((?:\\?<(.*?)>)?(?!\\?)/g':
    'reads the sources of expressions that the programmer wrote',
};

/** Code that creates an expression, and why no input can slow it down. */
const MADE: Record<string, string> = {
  "engine: dev/error-page/render-frames.ts: new RegExp([ String.raw`(?<comment>\\/\\/.*|\\/\\*.*?(?:\\*\\/|$)|^\\s*\\*.*)`, String.raw`(?<text>\"(?:[^\"\\\\]|\\\\.)*\"?|'(?:[^'\\\\]|\\\\.)*'?|\\`(?:[^\\`\\\\]|\\\\.)*\\`?)`, String.raw`(?<number>\\b\\d[\\w.]*)`, String.raw`(?<keyword>(?<![\\w$.])(?:${WORDS.replaceAll(' ', '|')})(?![\\w$]))`, String.raw`(?<name>[\\w$]+(?=\\s{0,3}\\())`, ].join('|'), 'g',)":
    'run on lines of the program, in development',
  "engine: router/pattern/character-set.ts: new RegExp(`^(?:${atom})$`, ignoreCase ? 'i' : '')":
    'one set of characters, run on one character',
  'engine: router/pattern/expression.ts: new RegExp(source, flags)':
    'run up to the length up to which it has few ways, beyond that by a program: path-pattern.linear.test.ts',
  "engine: router/pattern/list.ts: new RegExp(this.members.map(member => member.toRegExp().source).join('|'), this.flags,)":
    'for tools: not run',
  'ristretto: router/tracing.ts: new RegExp(pattern.toRegExp())':
    'for a tracer, which calls only its `test`: replaced by one that takes linear time',
  'engine: router/pattern/segments.ts: new RegExp(this.source, this.flags)':
    'run only on paths with line ends, and linear: see below',
  'engine: router/pattern/syntax.ts: new RegExp(`${source}|`)': 'run on the empty text',
  "middleware/cookie-session: cookies.ts: new RegExp(`(?:^|;) *${name.replace(/[-[\\]{}()*+?.,\\\\^$|#\\s]/g, '\\\\$&')}=([^;]*)`)":
    'text between two parts that repeat other characters',
  'middleware/multer: part-header.ts: new RegExp(`^Content-Disposition: form-data; name="([^"\\\\\\\\\\\\0-\\\\x1f\\\\x7f]*)"` + `(?:; filename="([^"\\\\\\\\\\\\0-\\\\x1f\\\\x7f]*)")?(?:\\\\r\\\\nContent-Type: (${TOKEN}/${TOKEN}))?$`,)':
    'made of constants, when the package is loaded: linear according to multer.threats.test.ts',
  'middleware/multer: part-header.ts: new RegExp(`^(${TOKEN}):([\\\\t\\\\x20-\\\\x7e\\\\x80-\\\\xff]*)$`)':
    'made of constants, when the package is loaded: linear according to multer.threats.test.ts',
  "middleware/multer: part-header.ts: new RegExp(TOKEN, 'y')":
    'made of constants, when the package is loaded: linear according to multer.threats.test.ts',
  "middleware/multer: part-header.ts: new RegExp(`${TOKEN}/${TOKEN}`, 'y')":
    'made of constants, when the package is loaded: linear according to multer.threats.test.ts',
  'middleware/multer: part-header.ts: new RegExp(`[ \\\\t]*;[ \\\\t]*((?:${TOKEN})?)=(?:"((?:[^"\\\\\\\\]|\\\\\\\\[\\\\t\\\\x20-\\\\x7e\\\\x80-\\\\xff])*)"|(${TOKEN}))`, \'y\',)':
    'made of constants, when the package is loaded: linear according to multer.threats.test.ts',
  "ristretto3: middleware/vhost.ts: new RegExp(`^(?:${source})$`, 'i')": 'an expression of the programmer',
  "ristretto3: router/layers.ts: new RegExp(`^${route.replace(SPECIAL, '\\\\$&')}(?=[/.]|$)`, 'i')":
    'text with an end: nothing in it repeats',
};

/** Limits the checker only by steps: with a time limit, linear expressions would be reported on a busy machine. */
const STEPS_ONLY = { incubationTimeout: null, attackTimeout: null, seedingTimeout: null };

/** Returns the problem with an expression, or undefined. */
function problemOf({ name, source, flags }: Expression): string | undefined {
  const judged = checkSync(source, flags, { timeout: null, randomSeed: 1, ...STEPS_ONLY });
  if (judged.status === 'safe') return undefined;
  return `${name} is ${judged.status === 'vulnerable' ? judged.complexity.summary : judged.status}`;
}

// Uses the backend in plain JavaScript, because the others are optional.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** The packages that servers install. */
const names = ['', 'middleware/']
  .flatMap(folder => fs.readdirSync(path.join(packages, folder)).map(name => `${folder}${name}`))
  .filter(name => name !== 'migrate' && fs.existsSync(path.join(packages, name, 'src')));
/**
 * Whether a file processes client input: the commands of `ristretto` read only files of the application, and
 * `dev/handler-source.ts` reads only the sources of handlers, in development.
 */
const isServed = (file: string): boolean =>
  !file.startsWith(`cli${path.sep}`) && file !== path.join('dev', 'handler-source.ts');
const sources = new Map(names.map(name => [name, expressionsIn(path.join(packages, name, 'src'), isServed)]));

describe('linear time: expressions', () => {
  for (const [name, { literals }] of sources) {
    for (const expression of literals.filter(({ name }) => !(name in NOT_FOR_INPUT))) {
      test(`${name}: ${expression.name} is linear`, () => {
        assert.equal(problemOf(expression), undefined);
      });
    }
  }

  test('expressions created while running: are all listed here', () => {
    const made = [...sources].flatMap(([name, { made }]) => made.map(one => `${name}: ${one}`));
    assert.deepEqual([...new Set(made)].sort(), Object.keys(MADE).sort());
  });

  test('exceptions: each still exists and is still not linear', () => {
    const literals = [...sources.values()].flatMap(({ literals }) => literals);
    for (const exception of Object.keys(NOT_FOR_INPUT)) {
      const literal = literals.find(({ name }) => name === exception);
      assert.ok(literal, exception);
      assert.match(problemOf(literal) ?? '', / is /);
    }
  });

  test('usual patterns: the expression for paths with line breaks is linear', () => {
    for (const pattern of ['/a/b', '/:a', '/:a/:b', '/:a/b/:c?', '/a.b/*', '/:a/*']) {
      for (const options of [{}, { end: false }, { strict: true }]) {
        const { source, flags } = parsePath(pattern, options).toRegExp();
        assert.equal(problemOf({ name: pattern, source, flags }), undefined);
      }
    }
  });

  test('an expression that is not linear: is detected', () => {
    for (const source of ['(a+)+$', '^\\s+|\\s+$', '(?:a|a)*b', '^.*,.*,.*$']) {
      assert.match(problemOf({ name: 'x', source, flags: '' }) ?? '', /polynomial|exponential/);
    }
  });
});
