// runs: slow, built, once
/**
 * The published package: its contents, its metadata, its types, and programs that the compiler resolves it for. None of this
 * depends on the version of Node.js; package.tarball.test.ts has what does.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { publint } from 'publint';
import ts from 'typescript';
import { compile } from '../../engine/test/types/compile.js';
import { install, pack, readManifest, scratch } from '../../engine/test/types/tarball.js';

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

const greeting = JSON.stringify({ hello: 'ada', user: 'root' });

describe('package', () => {
  test('contents: include code and declarations, but no sources, tests or maps', () => {
    const unexpected = files().filter(
      file =>
        !/^lib\/.*\.(js|d\.ts)$/.test(file) &&
        !/^(bin\/ristretto\.js|client\/template\.ts|index\.js|index\.d\.ts|express-serve-static-core\.d\.ts|package\.json|Readme\.md|History\.md|LICENSE)$/.test(
          file,
        ),
    );
    assert.deepEqual(unexpected, []);
    for (const file of files().filter(name => name.endsWith('.d.ts') && name.startsWith('lib/'))) {
      assert.ok(files().includes(file.replace(/\.d\.ts$/, '.js')), file);
    }
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

  test('metadata: includes what all packages share', () => {
    const manifestOf = (folder: string) => readManifest(folder) as unknown as Record<string, object>;
    const { author, license, homepage, repository, bugs, engines } = manifestOf(join(__dirname, '../../..'));
    const published = manifestOf(installed);
    assert.deepEqual(published, { ...published, author, license, homepage, bugs, engines });
    assert.deepEqual(published.repository, { ...repository, directory: 'packages/ristretto' });
    assert.deepEqual(published.publishConfig, { access: 'public', provenance: true });
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
      assert.equal(
        execFileSync(process.execPath, [join(home, name.replace('ts', 'js'))], { encoding: 'utf8' }).trim(),
        greeting,
      );
    });
  }
});
