// runs: built, once, ci
/** docs/recipes/: TypeScript, compiled as the pages say, including the types, and then run. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { compiled, filesOf, link, node, root, temporaryFolder, writeFiles } from './recipes';
import type { File } from '../../scripts/recipes.mjs';

/** TypeScript is compiled to both. */
const FORMS = ['ESM', 'CommonJS'] as const;
type Form = (typeof FORMS)[number];

const packages = path.join(root, 'node_modules');
const compat = path.join(root, 'proofs/compat/node_modules');
const ristretto = path.join(root, 'packages/ristretto');
const templates = path.join(root, 'packages/create-ristretto/templates');
const tsx = pathToFileURL(require.resolve('tsx')).href;
const isWindows = process.platform === 'win32';

/** Compiles a project, and returns the output of tsc. */
async function compile(folder: string, ...args: string[]): Promise<string> {
  const tsc = path.join(packages, 'typescript/bin/tsc');
  return node(folder, [tsc, ...args, '--pretty', 'false']).catch(
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

/** Builds a project. Both forms have the same sources, so the slow tsc compiles only one of them. */
async function build(folder: string, form: Form, files: File[], ...args: string[]): Promise<void> {
  if (form === 'ESM') assert.equal(await compile(folder, ...args), '');
  else
    writeFiles(
      folder,
      files
        .filter(({ language }) => language === 'ts')
        .map(file => compiled(file, 'cjs'))
        .map(({ name, code }) => ({ name: name.replace(/(^|\/)src\//, '$1dist/'), code })),
    );
}

function edit(folder: string, name: string, change: (text: string) => string): void {
  const file = path.join(folder, name);
  const text = fs.readFileSync(file, 'utf8');
  assert.notEqual(change(text), text, name);
  fs.writeFileSync(file, change(text));
}

const withoutType = (text: string) => text.replace(/\s*"type": "module",/, '');

/** Runs a program that prints its address while `run` runs; returns its output. */
async function running(folder: string, file: string, run: (url: string) => Promise<void>): Promise<string> {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const port = () => /port: (\d+)/.exec(output)?.[1];
  child.stdout.on('data', piece => (output += String(piece)));
  const closed = once(child, 'close');
  while (port() === undefined) {
    const wrote = once(child.stdout, 'data').then(() => true);
    const ended = closed.then(() => false);
    assert.ok(await Promise.race([wrote, ended]), `${file} has ended: ${output}`);
  }
  await run(`http://localhost:${port()}`);
  child.kill('SIGTERM');
  assert.deepEqual(await closed, [0, null]);
  return output;
}

const OPTIONS = {
  target: 'ES2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  rootDir: 'src',
  outDir: 'dist',
};

/** Creates what `npm create ristretto` does, with its dependencies. */
function fromTemplate(): string {
  const folder = temporaryFolder();
  for (const layer of ['common', 'api', 'ts', 'api-ts'])
    fs.cpSync(path.join(templates, layer), folder, { recursive: true });
  for (const name of ['@types', 'swagger-ui-dist', 'typescript', 'zod'])
    link(path.join(packages, name), folder, 'node_modules', name);
  link(ristretto, folder, 'node_modules/ristretto');
  return folder;
}

describe('recipes in TypeScript', () => {
  test('a TypeScript API in CommonJS compiles, and its tests pass', async () => {
    const folder = fromTemplate();
    writeFiles(folder, await filesOf('recipes/typescript-api'));
    edit(folder, 'package.json', withoutType);
    edit(folder, 'tsconfig.json', text => text.replace('"verbatimModuleSyntax": true,', ''));
    assert.equal(await compile(folder, '--project', 'tsconfig.build.json', '--noCheck'), '');
    assert.match(fs.readFileSync(path.join(folder, 'dist/server.js'), 'utf8'), /\brequire\("ristretto"\)/);
    const args = ['--import', tsx, '--test', '--test-reporter=tap', 'test/app.test.ts'];
    const output = await node(folder, args);
    assert.match(output, /^# pass 4$/m);
  });

  test('a TypeScript API restarts when a file changes', { skip: isWindows }, async () => {
    const folder = fromTemplate();
    const { scripts } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      scripts: { dev: string };
    };
    const [program, ...args] = scripts.dev.split(' ');
    assert.equal(program, 'node');
    const { ENVIRONMENT } = await import('../../scripts/tutorial.mjs');
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...ENVIRONMENT, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = async (text: string) => {
      for await (const piece of child.stdout.iterator({ destroyOnReturn: false }))
        if (String(piece).includes(text)) return;
      assert.fail(`it ended without ${text}`);
    };
    await line('http://localhost');
    edit(folder, 'src/server.ts', text => text.replace('http://localhost', 'restarted: http://localhost'));
    await line('restarted: http://localhost');
    child.kill();
    await once(child, 'close');
  });

  test('sessions compile, and req.session.user has its type', async () => {
    const folder = temporaryFolder();
    link(packages, folder, 'node_modules');
    writeFiles(folder, await filesOf('recipes/sessions'));
    const config = { compilerOptions: { ...OPTIONS, rootDir: '.', noEmit: true }, include: ['*.ts'] };
    const wrong = `import web from 'ristretto';
import { requireUser } from './session.js';
web().get('/', requireUser, (req, res) => {
  req.session.user = 'Ada';
  res.send(req.user.nme);
});
`;
    writeFiles(folder, [
      { name: 'package.json', code: '{ "type": "module" }' },
      { name: 'tsconfig.json', code: JSON.stringify(config) },
      { name: 'wrong.ts', code: wrong },
    ]);
    const mistakes = (await compile(folder)).split('\n').filter(line => /^\S/.test(line));
    assert.deepEqual(
      mistakes.map(line => line.replace(/: .*/, '')),
      ['wrong.ts(4,3)', 'wrong.ts(5,21)'],
    );
  });

  for (const form of FORMS) {
    test(`a monorepo (${form}) has one copy and one set of types`, { skip: isWindows }, async () => {
      const folder = temporaryFolder();
      const files = await filesOf('recipes/monorepo');
      writeFiles(folder, files);
      // The project is set up as npm would install it.
      link(ristretto, folder, 'node_modules/ristretto');
      link(path.join(packages, '@types'), folder, 'node_modules/@types');
      for (const name of ['accounts', 'api'])
        link(path.join(folder, 'packages', name), folder, 'node_modules/@acme', name);
      if (form === 'CommonJS')
        for (const name of ['accounts', 'api']) edit(folder, `packages/${name}/package.json`, withoutType);
      await build(folder, form, files, '--build');
      await running(folder, 'packages/api/dist/server.js', async url => {
        const headers = { Authorization: 'Bearer 7' };
        assert.equal(await (await fetch(url, { headers })).text(), 'Hello 7');
        assert.deepEqual(await (await fetch(`${url}/accounts/me`, { headers })).json(), { id: '7' });
        assert.equal((await fetch(`${url}/accounts/me`)).status, 401);
      });
    });
  }

  /** Returns a Nest project as npm installs it with the override, so that its platform loads Ristretto. */
  async function nestProject(form: Form): Promise<string> {
    const folder = temporaryFolder();
    const type = form === 'ESM' ? { type: 'module' } : {};
    writeFiles(folder, [
      ...(await filesOf('recipes/nest')).filter(({ name }) => name.endsWith('.ts')),
      { name: 'package.json', code: JSON.stringify(type) },
      { name: 'tsconfig.json', code: JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }) },
    ]);
    const own = new Set(['express', '@nestjs', '@types']);
    for (const name of fs.readdirSync(compat))
      if (!own.has(name)) link(path.join(compat, name), folder, 'node_modules', name);
    for (const name of ['common', 'core'])
      link(path.join(compat, '@nestjs', name), folder, 'node_modules/@nestjs', name);
    const platform = path.join('@nestjs', 'platform-express');
    fs.cpSync(path.join(compat, platform), path.join(folder, 'node_modules', platform), {
      recursive: true,
      filter: file => !file.endsWith(path.join(platform, 'node_modules', 'express')),
    });
    link(path.join(packages, '@types'), folder, 'node_modules/@types');
    link(ristretto, folder, 'node_modules/express');
    return folder;
  }

  const skip = isWindows || (fs.existsSync(path.join(compat, '@nestjs')) ? false : 'compat is not installed');
  for (const form of FORMS) {
    test(
      `Nest 10 (${form}) runs on Ristretto, and closes its modules after the last request`,
      { skip },
      async () => {
        const folder = await nestProject(form);
        assert.equal(await compile(folder), '');
        const output = await running(folder, 'dist/main.js', async url => {
          const cat = await fetch(`${url}/cats/1`);
          assert.deepEqual(await cat.json(), { id: 1, name: 'Tom' });
          assert.equal(cat.headers.get('x-powered-by'), 'Ristretto');
          assert.equal((await fetch(`${url}/cats/tom`)).status, 400);
          assert.equal((await fetch(`${url}/readyz`)).status, 200);
        });
        assert.match(output, /the module is closed/);
      },
    );
  }
});
