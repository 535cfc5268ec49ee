// runs: slow, built
/** The package as published: installed from its tarball, under the name that programs require. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { publint } from 'publint';
import { words } from '../../engine/test/support/random.js';
import { mistakesOfLoading } from '../../engine/test/types/compile.js';
import { installAsExpress } from '../../engine/test/types/tarball.js';

const folder = mkdtempSync(join(tmpdir(), 'ristretto5-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/express');

const run = (program: string, name = 'app.js'): string => {
  const file = join(project, name);
  writeFileSync(file, program);
  return execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8', stdio: 'pipe' }).trim();
};

before(() => {
  installAsExpress('ristretto5', folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('package of 5.x', () => {
  test('contents: contains code, declarations, documents and the package that tracers look for', () => {
    const names = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry =>
        join(entry.parentPath, entry.name)
          .slice(installed.length + 1)
          .replaceAll(sep, '/'),
      );
    const usual =
      /^(lib\/.*\.(js|d\.ts)|index\.(js|d\.ts)|types\/[\w-]+\.d\.ts|express-serve-static-core\.d\.ts|package\.json|LICENSE|Readme\.md|History\.md)$/;
    assert.deepEqual(
      names.filter(name => !usual.test(name)).sort(),
      words(`
        bin/ristretto.js traced/node_modules/router/index.js traced/node_modules/router/lib/layer.js
        traced/node_modules/router/package.json traced/router.js
      `),
    );
  });

  test('metadata: publint reports nothing', async () => {
    const { messages } = await publint({ pkgDir: installed, level: 'suggestion', strict: true, pack: false });
    assert.deepEqual(messages, []);
  });

  test('types: a program compiles in each way of resolving modules', () => {
    assert.deepEqual(mistakesOfLoading(project), []);
  });

  test('require: as express, an application runs, and files of lib are reached', () => {
    const program = `
      const express = require('express');
      const app = express().set('env', 'test');
      app.get('/users{/:id}', (req, res) => res.json([req.params.id, req.matchedPath]));
      app.inject('/users/7').then(({ text }) => {
        console.log(text(), require('express/package.json').version.split('.')[0],
          require('express/lib/express') === express, require('express/lib/request.js') === express.request);
      });`;
    assert.equal(run(program), '["7","/users{/:id}"] 5 true true');
  });

  test('import: exports the names of the members', () => {
    const program = `
      import web, { Router, json, deadline, stop, validate } from 'express';
      console.log([web, Router, json, deadline, stop, validate].map(value => typeof value).join(' '));`;
    assert.equal(run(program, 'app.mjs'), 'function function function function function function');
  });
});
