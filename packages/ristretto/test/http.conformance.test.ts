/** Requests as bytes, right and wrong: what is answered, by default and by Express 4, and what docs/proofs/conformance.md says. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { groups } from './support/conformance/all.js';
import { application, bare } from './support/conformance/application.js';
import { RUNTIME } from './support/conformance/case.js';
import type { Case } from './support/conformance/case.js';
import { isRight, outcomes } from './support/conformance/outcome.js';
import { cellsOf, tables } from './support/conformance/table.js';
import { frameworks } from './support/oracle.js';

const all = groups.flatMap(({ cases }) => cases);
const document = path.join(__dirname, '../../../docs/proofs/conformance.md');
const MARK = '<!-- The tables are made by packages/ristretto/test/http.conformance.test.ts -->\n';

type Answered = Map<Case, string>;

async function ask(server: ReturnType<typeof bare>): Promise<Answered> {
  const answers = await outcomes(server, all);
  return new Map(all.map((one, at) => [one, answers[at]!]));
}

describe('http conformance', () => {
  let ours: Answered;
  let strict: Answered;
  let express: Answered;
  let runtime: Answered;

  before(async () => {
    ours = await ask(application(frameworks.ristretto));
    strict = await ask(application(frameworks.ristretto, 'strict http'));
    express = await ask(application(frameworks.express));
    runtime = await ask(bare());
  });

  for (const { name, cases } of groups) {
    test(`${name}: as Express 4 answers, unless the table says why not`, () => {
      for (const one of cases) {
        if (one.differs === undefined) assert.equal(ours.get(one), express.get(one), one.title);
        else assert.notEqual(ours.get(one), express.get(one), one.title);
      }
    });

    test(`${name}: what is said to be left to the runtime is what it answers without a framework`, () => {
      for (const one of cases.filter(({ open }) => open === RUNTIME)) {
        assert.equal(ours.get(one), runtime.get(one), one.title);
        assert.ok(!isRight(ours.get(one)!, one), `${one.title}: the runtime has become right`);
      }
    });
  }

  // The runtime answers many of them by itself, and each of its versions a little differently.
  const isDocumented = process.versions.node.startsWith('20.');
  test('docs: the tables say what is answered', { skip: !isDocumented }, () => {
    const made = tables(groups, { express, ours, strict });
    if (process.env.UPDATE_DOCS) {
      const [prose] = fs.readFileSync(document, 'utf8').split(MARK);
      fs.writeFileSync(document, `${prose!}${MARK}\n${made}\n`);
    }
    const written = fs.readFileSync(document, 'utf8').split(MARK)[1]!;
    const [stated, seen] = [cellsOf(written), cellsOf(made)];
    for (const [at, cells] of seen.entries()) assert.deepEqual(stated[at], cells);
    assert.equal(stated.length, seen.length);
  });

  test('cases: at least 150, no two of the same name in a group', () => {
    assert.ok(all.length >= 150);
    for (const { name, cases } of groups) {
      assert.equal(new Set(cases.map(({ title }) => title)).size, cases.length, name);
    }
  });
});
