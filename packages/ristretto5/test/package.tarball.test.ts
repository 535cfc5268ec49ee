// runs: slow, built
/** The package as published: installed from its tarball, under the name that programs require. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { publint } from 'publint';
import { words } from '../../engine/test/support/random.js';
import { mistakesOfLoading } from '../../engine/test/types/compile.js';
import { installedAsExpress } from '../../engine/test/types/tarball.js';

const { project, installed, files, run } = installedAsExpress('ristretto5');

describe('package of 5.x', () => {
  test('contents: contains code, declarations, documents and the package that tracers look for', () => {
    const usual =
      /^(lib\/.*\.(js|d\.ts)|index\.(js|d\.ts)|types\/[\w-]+\.d\.ts|express-serve-static-core\.d\.ts|package\.json|LICENSE|Readme\.md|History\.md)$/;
    assert.deepEqual(
      files()
        .filter(name => !usual.test(name))
        .sort(),
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
