/** The table of attacks: every id has a test, a mutation that the test must detect, and a line in docs/THREATS.md. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { threats } from './features/threats.js';

interface Mutation {
  id: string;
  without: string;
  test: string;
  edits?: [file: string, text: string, replacement: string][];
}

const root = path.join(__dirname, '../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const ID = /\b(?:CVE-\d{4}-\d+|GHSA-\w{4}-\w{4}-\w{4})\b/g;

describe('threats: the table', () => {
  let mutations: Mutation[];
  before(async () => {
    ({ mutations } = (await import(pathToFileURL(path.join(root, 'scripts/mutations/index.mjs')).href)) as {
      mutations: Mutation[];
    });
  });

  test('ids: each of this package has a mutation', () => {
    const mutated = new Set(mutations.map(({ id }) => id));
    assert.deepEqual(
      Object.keys(threats.ids ?? {}).filter(id => !mutated.has(id)),
      [],
    );
  });

  test('ids: each with a mutation is in docs/THREATS.md, and vice versa', () => {
    const described = new Set(read('docs/THREATS.md').match(ID));
    const mutated = new Set(mutations.flatMap(({ id }) => id.match(ID) ?? []));
    assert.deepEqual([...described].sort(), [...mutated].sort());
  });

  test('mutations: each text to replace occurs once in the built code', () => {
    const stale = mutations.flatMap(({ id, edits = [] }) =>
      edits
        .filter(([file, text]) => read(file).split(text).length !== 2)
        .map(([file, text]) => `${id}: ${file}: ${text}`),
    );
    assert.deepEqual(stale, []);
  });

  test('mutations: each changes something', () => {
    for (const { edits = [] } of mutations)
      for (const [, text, replacement] of edits) assert.notEqual(text, replacement);
  });
});
