// runs: slow, http1
/** Applications of Express 4, of this package and of a second copy of it in one tree behave like Express 4 alone. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { explore } from '../support/mixed-tree.js';
import type { App, Tree } from '../support/mixed-tree.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { secondCopy } from '../support/second-copy.js';

const { express, ristretto } = frameworks;
const kinds: Record<string, Web> = { express, ristretto, 'second copy': secondCopy() };

const mounts: Record<string, Tree['mount']> = {
  'mounted by itself': (parent, at, child) => parent.use(at, child),
  'mounted twice, once in an array': (parent, at, child) => parent.use(['/x', '/y'], [child]).use(at, child),
  'in a router of the outermost framework': (parent, at, child, [web]) =>
    parent.use(at, web.Router().use(child)),
  'in a router of the innermost framework': (parent, at, child, [, , web]) =>
    parent.use(web.Router({ mergeParams: true }).use(at, child)),
  'called by a middleware': (parent, at, child) =>
    parent.use(at, (req, res, next) => {
      child(req, res, next);
    }),
};

const prototypesOf = (app: App): { mark?: string }[] => [app.request, app.response] as { mark?: string }[];

const variants: Record<string, Pick<Tree, 'vary' | 'serve'>> = {
  'as they are': { vary: () => undefined, serve: app => app.listen(0) },
  'on a separate server': { vary: () => undefined, serve: app => http.createServer(app).listen(0) },
  'with extended prototypes': {
    vary: (app, level) => {
      for (const prototype of prototypesOf(app)) prototype.mark = `mark ${String(level)}`;
    },
    serve: app => app.listen(0),
  },
  'the innermost with an extended prototype': {
    vary: (app, level) => {
      if (level === 2) prototypesOf(app)[1]!.mark = 'mark 2';
    },
    serve: app => app.listen(0),
  },
};

/** Every framework at every level. */
const every = Object.keys(kinds).flatMap((outer, first) =>
  Object.keys(kinds).flatMap((middle, second) =>
    Object.keys(kinds).map((inner, third) => ({
      what: `${outer} > ${middle} > ${inner}`,
      webs: [kinds[outer]!, kinds[middle]!, kinds[inner]!] as const,
      sum: first + second + third,
    })),
  ),
);
/** With fewer cases, on additional versions of Node: every two frameworks at every two levels. */
const isSample = Number(process.env.DIFFERENTIAL_CASES ?? Infinity) < 1000;
const combinations = isSample ? every.filter(({ sum }) => sum % 3 === 0) : every;

/** Builds the tree in every combination and asserts that each one behaves like Express alone. */
async function sameInAll(tree: Omit<Tree, 'webs'>): Promise<void> {
  const expected = await explore({ ...tree, webs: [express, express, express] });
  for (const { what, webs } of combinations) {
    const record = await explore({ ...tree, webs });
    for (const [at, entry] of record.entries()) assert.deepEqual(entry, expected[at], what);
  }
}

describe('app.use: applications of several frameworks', () => {
  for (const [how, mount] of Object.entries(mounts)) {
    test(`${how}: three levels behave as with Express alone, in every combination`, () =>
      sameInAll({ mount, ...variants['as they are']! }));
  }
  for (const [how, variant] of Object.entries(variants).slice(1)) {
    test(`${how}: three levels behave as with Express alone, in every combination`, () =>
      sameInAll({ mount: mounts['mounted by itself']!, ...variant }));
  }
});
