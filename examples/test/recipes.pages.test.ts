// runs: built, once
/** The pages of docs/recipes/: each code block is a file that tests run, or a part of a file in the repository. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import type { Load } from './recipes';
import { link, root, temporaryFolder, tools, writeFiles } from './recipes';

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

  test('CommonJS: each module has that form, with the same exports', async () => {
    const { commonJsOf, filesIn, pages } = await tools();
    const left: string[] = [];
    let count = 0;
    for (const page of pages())
      for (const { name, language, code } of filesIn(fs.readFileSync(page, 'utf8'))) {
        if (language !== 'js' || !/^(?:import|export)\b/m.test(code)) continue;
        const text = commonJsOf(code);
        if (text === undefined) {
          left.push(`${path.basename(page)} ${name}`);
          continue;
        }
        count += 1;
        assert.doesNotThrow(
          () => vm.compileFunction(text, ['require', 'module', '__dirname']),
          `${page} ${name}`,
        );
        const names = [...code.matchAll(/^export (?:async )?\w+ (\w+)/gm)].map(([, own = '']) => own);
        const [, shown = ''] = /^module\.exports = \{ (.*) \};$/m.exec(text) ?? [];
        assert.equal(shown, names.join(', '), `${page} ${name}`);
      }
    assert.ok(count > 40);
    assert.deepEqual(left, ['serverless.md worker.js', 'serverless.md vercel.js']);
  });

  test('CommonJS: a recipe in that form runs', async () => {
    const { commonJsOf, filesIn } = await tools();
    const folder = temporaryFolder();
    link(path.join(root, 'node_modules'), folder, 'node_modules');
    const files = filesIn(fs.readFileSync(path.join(root, 'docs/recipes/errors.md'), 'utf8'));
    writeFiles(
      folder,
      files.map(({ name, code }) => ({ name, code: commonJsOf(code)! })),
    );
    const { createApp } = require(path.join(folder, 'app.js')) as Load<[object]>;
    const app = createApp({ log: () => undefined });
    assert.equal((await app.inject('/stock/tea')).json().code, 'coffee.missing');
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
