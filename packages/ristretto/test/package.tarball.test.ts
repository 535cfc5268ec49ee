/** The published package: its contents, its metadata, and programs that run on the tarball alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { publint } from 'publint';
import ts from 'typescript';
import { compile } from './types/compile.js';
import { resolvableNames, unresolved } from './types/resolution.js';
import { install, pack, problemsOfTypes, readManifest, scratch } from './types/tarball.js';

const folder = scratch();
const project = join(folder, 'project');
let tarball: string;
let installed: string;

before(() => {
  tarball = pack(folder);
  installed = install(tarball, project, 'express');
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns all files of the installed package, with slashes. */
function files(): string[] {
  return readdirSync(installed, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll(sep, '/'),
    );
}

/** Runs a program in the project and returns its output. */
function run(file: string, program?: string): string {
  const path = join(project, file);
  if (program !== undefined) writeFileSync(path, program);
  return execFileSync(process.execPath, [path], { cwd: project, encoding: 'utf8' }).trim();
}

const greeting = JSON.stringify({ hello: 'ada', user: 'root' });

describe('package', () => {
  test('contents: include code and declarations, but no sources, tests or maps', () => {
    const unexpected = files().filter(
      file =>
        !/^lib\/.*\.(js|d\.ts)$/.test(file) &&
        !/^(bin\/ristretto\.js|index\.js|index\.d\.ts|express-serve-static-core\.d\.ts|package\.json|Readme\.md|History\.md|LICENSE)$/.test(
          file,
        ),
    );
    assert.deepEqual(unexpected, []);
    for (const file of files().filter(name => name.endsWith('.d.ts') && name.startsWith('lib/'))) {
      assert.ok(files().includes(file.replace(/\.d\.ts$/, '.js')), file);
    }
  });

  test('engine: is published as one file and its doors, and knows where the program registers a route', () => {
    const engine = join(project, 'node_modules/@ristretto/private-engine/lib');
    const published = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.js'),
    );
    const doors = readdirSync(join(__dirname, '../../engine/src')).filter(file => file.endsWith('.ts'));
    assert.deepEqual(
      published.toSorted(),
      [...doors.map(file => file.replace(/ts$/, 'js')), 'engine.js'].toSorted(),
    );
    const program = `const app = require('express')();
      app.get('/', () => {});
      console.log(JSON.stringify(app.routes()));`;
    assert.match(run('places.js', program), /places\.js","line":2/);
  });

  test('contents: no code refers to a source map, because none is published', () => {
    const naming = files().filter(file =>
      readFileSync(join(installed, file), 'utf8').includes('sourceMappingURL'),
    );
    assert.deepEqual(naming, []);
  });

  test('metadata: publint reports nothing', async () => {
    const bytes = readFileSync(tarball);
    const { messages } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
      strict: true,
    });
    assert.deepEqual(messages, []);
  });

  test('metadata: the version is one that tools recognize as Express 4', () => {
    assert.match(readManifest(installed).version, /^4\.(1[5-9]|[2-9]\d)/);
  });

  test('resolution of types: attw finds no problem', () => {
    assert.deepEqual(problemsOfTypes(tarball, folder), {});
  });

  test('declarations: compile with only the types of Node', () => {
    const declarations = files().filter(file => /\.d\.m?ts$/.test(file));
    const { mistakes } = compile(
      declarations.map(file => join(installed, file)),
      {
        noEmit: true,
        types: [],
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
      },
    );
    assert.deepEqual(mistakes, []);
  });
});

describe('package without @types/node', () => {
  const home = join(folder, 'without');
  /** Returns the compiler's errors for a program in a project without the optional peer. */
  function mistakesWithout(skipLibCheck: boolean): string[] {
    const file = join(home, 'program.ts');
    writeFileSync(
      file,
      "import web from 'express'; web().get('/:id', (req, res) => res.send(req.params.id));",
    );
    const { NodeNext: module } = ts.ModuleKind;
    return compile([file], { noEmit: true, types: [], typeRoots: [], module, skipLibCheck }).mistakes;
  }

  before(() => {
    install(tarball, home, 'express');
    rmSync(join(home, 'node_modules/@types/node'), { recursive: true });
  });

  test('metadata: @types/node is an optional peer dependency', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'peerDependencies' | 'peerDependenciesMeta',
      Record<string, unknown>
    >;
    assert.equal(manifest.peerDependencies['@types/node'], '*');
    assert.deepEqual(manifest.peerDependenciesMeta['@types/node'], { optional: true });
    assert.ok(!('@types/node' in manifest.dependencies));
  });

  test('compiler: reports first that it is missing, or nothing if libraries are not checked', () => {
    assert.match(mistakesWithout(false)[0]!, /TS2688: Cannot find type definition file for 'node'/);
    assert.deepEqual(mistakesWithout(true), []);
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
    for (const name of [
      'package',
      'package.json',
      'LICENSE',
      'Readme.md',
      'History.md',
      'index',
      'lib/router/',
    ]) {
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

  const { CommonJS, ESNext, Node16, NodeNext } = ts.ModuleKind;
  const resolution = ts.ModuleResolutionKind;
  const programs: [string, string, string, ts.CompilerOptions][] = [
    ['node10', 'require.ts', 'require.ts', { module: CommonJS, moduleResolution: resolution.Node10 }],
    ['node16', 'require.ts', 'require.cts', { module: Node16, moduleResolution: resolution.Node16 }],
    ['node16', 'import.ts', 'import.mts', { module: Node16, moduleResolution: resolution.Node16 }],
    ['nodenext', 'require.ts', 'require.cts', { module: NodeNext, moduleResolution: resolution.NodeNext }],
    ['nodenext', 'import.ts', 'import.mts', { module: NodeNext, moduleResolution: resolution.NodeNext }],
    ['bundler', 'import.ts', 'import.mts', { module: ESNext, moduleResolution: resolution.Bundler }],
  ];
  for (const [mode, original, name, options] of programs) {
    test(`moduleResolution ${mode}: ${name} compiles and runs`, () => {
      const home = join(project, mode);
      const path = join(home, name);
      mkdirSync(home, { recursive: true });
      copyFileSync(join(__dirname, 'types', 'consumers', original), path);
      const { mistakes, emit } = compile([path], {
        ...options,
        skipLibCheck: mode !== 'node16',
        outDir: home,
      });
      assert.deepEqual(mistakes, []);
      emit();
      assert.equal(run(join(mode, name.replace('ts', 'js'))), greeting);
    });
  }
});
