/** The templates: both languages contain the same code, and versions are those of this repository. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { validate } from 'dockerfile-utils';
import prettier from 'prettier';
import { filesBelow } from './support/program.js';

const templates = path.join(__dirname, '../templates');
const root = path.join(__dirname, '../../..');
const read = (file: string): string => fs.readFileSync(path.join(templates, file), 'utf8');

interface Manifest {
  engines: { node: string };
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Since Node 22.13. */
const { stripTypeScriptTypes } = Module as unknown as { stripTypeScriptTypes?: (code: string) => string };

describe('templates', () => {
  test(
    'the JavaScript templates are the TypeScript ones without types',
    { skip: !stripTypeScriptTypes },
    async () => {
      const sources = filesBelow(templates).filter(file => /^(?:\w+-)?ts\/.*\.ts$/.test(file));
      assert.equal(sources.length, 3);
      for (const file of sources) {
        const twin = file.replace(/^(\w+-)?ts\//, '$1js/').replace(/ts$/, 'js');
        const options = await prettier.resolveConfig(path.join(templates, file));
        const stripped = await prettier.format(stripTypeScriptTypes!(read(file)), {
          ...options,
          parser: 'babel',
        });
        // Only the names of imported files differ otherwise.
        const expected = stripped.replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
        assert.equal(read(twin), expected, `${twin} is not ${file} without its types`);
      }
    },
  );

  test('dependencies have the versions that this repository uses', () => {
    const ours = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
    const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    for (const layer of ['js', 'ts', 'api', 'pages']) {
      const { engines, dependencies, devDependencies } = JSON.parse(
        read(`${layer}/package.json`),
      ) as Manifest;
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
        if (name === 'express' || name === 'ristretto') assert.equal(range, '*');
        // The types are those of the oldest Node.js on which applications in TypeScript run, which is newer than ours.
        else if (name === '@types/node') assert.equal(`>=${range.slice(1, -2)}`, engines.node);
        // Written by the program: create.test.ts.
        else if (`${name}@${range}`.includes('@ristretto/')) continue;
        else if (`node_modules/${name}` in lock.packages)
          assert.equal(range, ours.devDependencies?.[name], name);
      }
    }
  });

  test('no file has a name that npm would not publish', () => {
    for (const file of filesBelow(templates))
      assert.doesNotMatch(file, /(?:^|\/)(?:\.gitignore|\.npmrc|\.npmignore)$/);
  });

  test('graceful stop: the image runs node itself, and the server waits for in-flight requests', () => {
    const image = read('common/Dockerfile');
    assert.deepEqual(validate(image), []);
    assert.ok(image.includes('\nCMD ["node", "src/server.ts"]\n'));
    assert.match(image, /^USER node$/m);
    assert.match(read('common/src/server.ts'), /await web\.stopOnSignals\(server, /);
  });
});
