// runs: slow, built
/** Programs that run on the published package alone, under the name of Express. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { words } from '../../engine/test/support/random.js';
import { resolvableNames, unresolved } from '../../engine/test/types/resolution.js';
import { install, pack, scratch } from '../../engine/test/types/tarball.js';

const folder = scratch();
const project = join(folder, 'project');

before(() => {
  install(pack(folder), project, 'express');
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in the project and returns its output. */
function run(file: string, program?: string, env = process.env): string {
  const path = join(project, file);
  if (program !== undefined) writeFileSync(path, program);
  return execFileSync(process.execPath, [path], { cwd: project, encoding: 'utf8', env }).trim();
}

const engine = join(project, 'node_modules/@ristretto/private-engine/lib');
/** Returns the engine's files of code. */
const published = (): string[] =>
  readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.js'));

describe('package', () => {
  test('engine: a production server loads one file and its doors', () => {
    const program = `const web = require('express');
      const app = web().use(web.json()).use(web.static(__dirname)).get('/', (req, res) => res.json({}));
      const server = app.listen(0, () => setTimeout(() => {
        const files = Object.keys(require.cache).map(file => file.split(/private-engine[\\\\/]lib[\\\\/]/)[1]).filter(Boolean);
        console.log(JSON.stringify(files));
        server.close();
      }, 50));`;
    const env = { ...process.env, NODE_ENV: 'production' };
    const files = JSON.parse(run('server.js', program, env)) as string[];
    const doors = readdirSync(join(__dirname, '../../engine/src'))
      .filter(file => file.endsWith('.ts'))
      .map(file => file.replace(/ts$/, 'js'));
    assert.ok(files.includes('engine.js'));
    assert.deepEqual(
      files.filter(file => file !== 'engine.js' && !doors.includes(file)),
      [],
    );
  });

  test('engine: a program that disables warnings can still read where a route is registered', () => {
    const program = `const app = require('express')();
      app.get('/', () => {});
      console.log(JSON.stringify(app.routes()));`;
    assert.match(run('places.js', program), /places\.js","line":2/);
  });

  test('engine: each module loads, from the combined file or its own, regardless of the names it declares', () => {
    const program = `const load = require(${JSON.stringify(join(engine, 'engine.js'))});
      const text = require('fs').readFileSync(${JSON.stringify(join(engine, 'engine.js'))}, 'utf8');
      const names = [...text.matchAll(/^"(.+)"\\(exports, module\\) \\{$/gm)].map(([, name]) => name);
      for (const name of names) load(name);
      for (const file of ${JSON.stringify(published())}) require(${JSON.stringify(engine)} + '/' + file);
      console.log(names.includes('router/walk'), names.includes('addons/openapi/convert'));`;
    assert.equal(run('modules.js', program), 'true false');
  });

  test('engine: its code is ASCII, so that V8 stores a byte for each character', () => {
    for (const file of published())
      assert.deepEqual(readFileSync(join(engine, file), 'utf8').match(/^.*[^\0-\x7f].*$/gm), null, file);
    const program = `console.log(require(${JSON.stringify(join(engine, 'dev/error-page/mask.js'))}).MASK);`;
    assert.equal(run('escaped.js', program), '••••••');
  });

  test('ws: an old version beside the engine does not hide the program’s version', () => {
    const old = join(project, 'node_modules/@ristretto/private-engine/node_modules/ws');
    mkdirSync(old, { recursive: true });
    writeFileSync(join(old, 'package.json'), '{"name":"ws","version":"7.5.10"}');
    writeFileSync(join(old, 'index.js'), '');
    const program = `require('express')().ws('/', () => {}); console.log('registered');`;
    assert.equal(run('sockets.js', program), 'registered');
    rmSync(dirname(old), { recursive: true });
  });
});

describe('package under the name of Express', () => {
  test('require: resolves every documented file, with and without extension', () => {
    const names = ['express', 'application', 'request', 'response', 'view', 'utils', 'router', 'router/index']
      .concat(['router/layer', 'router/route', 'middleware/init', 'middleware/query'])
      .map(name => `express/lib/${name}`);
    const program = `
      const assert = require('node:assert');
      const express = require('express');
      for (const name of ${JSON.stringify(names)}) {
        assert.ok(['function', 'object'].includes(typeof require(name)), name);
        if (name !== 'express/lib/router') assert.equal(require(name + '.js'), require(name));
      }
      assert.equal(require('express/index.js'), express);
      assert.equal(require('express/lib/express'), express);
      assert.equal(require('express/lib/router'), express.Router);
      assert.equal(require('express/lib/router/index'), express.Router);
      assert.equal(require('express/lib/router/route'), express.Route);
      assert.equal(require('express/lib/application'), express.application);
      assert.equal(require('express/lib/request'), express.request);
      assert.equal(require('express/lib/response'), express.response);
      assert.equal(require('express/lib/middleware/query'), express.query);
      assert.equal(typeof require('express/lib/middleware/init').init, 'function');
      assert.equal(require('express/lib/router/layer').name, 'Layer');
      assert.equal(require('express/lib/view').name, 'View');
      assert.match(require('express/package.json').version, /^4\\./);
      console.log('all there');`;
    assert.equal(run('paths.cjs', program), 'all there');
  });

  test('require: resolves every name that resolves with Express 4', () => {
    const theirs = dirname(require.resolve('express/package.json'));
    const names = resolvableNames(theirs, 'express');
    for (const name of words('package package.json LICENSE Readme.md History.md index lib/router/')) {
      assert.ok(names.includes(`express/${name}`), name);
    }
    assert.deepEqual(unresolved(names, __dirname), []);
    assert.deepEqual(unresolved(names, project), []);
  });

  test('require: express/package is the manifest, and a name without a file is rejected', () => {
    const program = `
      console.log(require('express/package') === require('express/package.json'));
      try { require('express/lib') } catch (error) { console.log(error.code) }`;
    assert.equal(run('manifest.cjs', program), 'true\nMODULE_NOT_FOUND');
  });

  test('import: has the same names and objects as require', () => {
    const program = `
      import { createRequire } from 'node:module';
      import * as everything from 'express';
      const required = createRequire(import.meta.url)('express');
      if (everything.default !== required) throw new Error('another default');
      for (const name of Object.keys(required)) {
        if (everything[name] !== required[name]) throw new Error('another ' + name);
      }
      const names = Object.keys(everything).filter(name => name !== 'default' && name !== 'module.exports');
      console.log(names.join() === Object.keys(required).sort().join());`;
    assert.equal(run('same.mjs', program), 'true');
  });

  test('import of internals: returns the same files as require', () => {
    const program = `
      import { createRequire } from 'node:module';
      import Layer from 'express/lib/router/layer.js';
      import Router from 'express/lib/router/index.js';
      const require = createRequire(import.meta.url);
      console.log(Layer === require('express/lib/router/layer'), Router === require('express').Router);`;
    assert.equal(run('internals.mjs', program), 'true true');
  });
});
