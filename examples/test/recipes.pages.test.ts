// runs: built, once
/** The pages of docs/recipes/: each code block is a file that tests run, or a part of a file in the repository. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root, tools } from './recipes';

const list = path.join(root, 'docs/recipes.md');
/** Blocks in these languages are not programs: commands, trees, output, and parts of pages. */
const PROSE = /^(?:sh|text|html|)$/;

describe('recipes', () => {
  test('the list names every page', async () => {
    const { pages } = await tools();
    const text = fs.readFileSync(list, 'utf8');
    const named = [...text.matchAll(/\]\((recipes\/[\w-]+\.md)\)/g)].map(match => match[1] ?? '');
    const found = pages().slice(1);
    assert.deepEqual(named.map(name => path.join(root, 'docs', name)).sort(), found.sort());
  });

  test('every code block is a file, or a part of one', async () => {
    const { filesIn, pages } = await tools();
    for (const page of pages()) {
      const text = fs.readFileSync(page, 'utf8');
      const blocks = [...text.matchAll(/^```(\w*)\n.*?^```$/gms)].filter(
        ([, name = '']) => !PROSE.test(name),
      );
      const files = filesIn(text).filter(({ language }) => !PROSE.test(language));
      assert.equal(files.length, blocks.length, page);
    }
  });

  test('excerpts on a page match their file', async () => {
    const { filesIn, pages } = await tools();
    let count = 0;
    for (const page of pages()) {
      for (const { name, link: target, code } of filesIn(fs.readFileSync(page, 'utf8'))) {
        if (target === undefined) continue;
        count += 1;
        const shown = fs.readFileSync(path.resolve(path.dirname(page), target), 'utf8');
        assert.ok(shown.includes(code), `${path.basename(page)} shows another ${name}`);
        assert.equal(path.basename(target), path.basename(name));
      }
    }
    assert.ok(count > 5);
  });
});
