/** `npm create ristretto`: the files it creates, the questions it asks, and the input it rejects. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { emptyFolder, filesBelow, run } from './support/program.js';
import { words } from '../../engine/test/support/random.js';

const COMMON =
  words(`.dockerignore .editorconfig .gitignore Dockerfile README.md eslint.config.js package.json
  production.env`);
const TYPESCRIPT = ['tsconfig.json'];
const PAGES = words(
  `public/style.css views/error.ejs views/home.ejs views/partials/foot.ejs views/partials/head.ejs`,
);

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
}
const read = (...parts: string[]): string => fs.readFileSync(path.join(...parts), 'utf8');
const manifestOf = (home: string): Manifest => JSON.parse(read(home, 'package.json')) as Manifest;
const own = manifestOf(path.join(__dirname, '..'));

describe('create: files', () => {
  const expected = {
    'api ts': [...COMMON, ...TYPESCRIPT, 'src/app.ts', 'src/server.ts', 'src/tasks.ts', 'test/app.test.ts'],
    'api js': [...COMMON, 'src/app.js', 'src/server.js', 'src/tasks.js', 'test/app.test.js'],
    'pages ts': [...COMMON, ...TYPESCRIPT, ...PAGES, 'src/app.ts', 'src/server.ts', 'test/app.test.ts'],
    'pages js': [...COMMON, ...PAGES, 'src/app.js', 'src/server.js', 'test/app.test.js'],
  };
  for (const [kind, files] of Object.entries(expected)) {
    test(`writes the files of ${kind} with the name, and prints the next steps`, async () => {
      const folder = emptyFolder();
      const [template = '', language = ''] = kind.split(' ');
      const { code, stdout, stderr } = await run(folder, ['my-app', '-l', language, '-t', template]);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(
        stdout,
        /\n {2}cd my-app\n {2}npm install\n {2}npm test\n {2}npm run dev {5}# http:\S+\n(?:\nThis Node|$)/,
      );
      const cannotRun = language === 'ts' && !Reflect.get(process.features, 'typescript');
      assert.equal(stdout.includes('runs no TypeScript: update to 22.18 or newer'), cannotRun);
      const home = path.join(folder, 'my-app');
      assert.deepEqual(filesBelow(home), [...files].sort());
      assert.ok(stdout.includes(`(${files.length} files)`));
      const { name, dependencies } = manifestOf(home);
      assert.equal(name, 'my-app');
      const version = own.version.slice(own.version.indexOf('.'));
      const { express: _alias, ristretto: _framework, ejs: _views, zod: _schemas, ...others } = dependencies;
      assert.deepEqual(
        others,
        template === 'pages'
          ? { '@ristretto/same-origin': `^1${version}`, helmet: `npm:@ristretto/helmet@^8${version}` }
          : { 'swagger-ui-dist': others['swagger-ui-dist'] },
      );
      assert.equal('ejs' in dependencies, template === 'pages');
      assert.equal('zod' in dependencies, template === 'api');
      assert.equal(dependencies.ristretto, `^${own.version}`);
      // Under this name it is also the framework that middleware packages require.
      assert.equal(dependencies.express, `npm:ristretto@^${own.version}`);
      assert.match(read(home, 'README.md'), /^# my-app\n/);
      // `npm start` hides errors from clients, on each system and without NODE_ENV
      const options = manifestOf(home).scripts.start!.split(' ').slice(1, -1);
      const args = [...options, '-p', 'process.env.NODE_ENV'];
      const env = { ...process.env, NODE_ENV: undefined };
      assert.equal(
        execFileSync(process.execPath, args, { cwd: home, env, encoding: 'utf8' }),
        'production\n',
      );
    });
  }

  test('--yes selects TypeScript, an API and my-app', async () => {
    const folder = emptyFolder();
    assert.equal((await run(folder, ['--yes'])).code, 0);
    assert.ok(filesBelow(path.join(folder, 'my-app')).includes('src/tasks.ts'));
  });

  test('. is the working directory, which may already be a repository', async () => {
    const folder = emptyFolder();
    const home = path.join(folder, 'shop');
    fs.mkdirSync(path.join(home, '.git'), { recursive: true });
    const { code, stdout } = await run(home, ['.', '-y']);
    assert.equal(code, 0);
    assert.ok(!stdout.includes('cd '));
    assert.equal(manifestOf(home).name, 'shop');
  });

  test('--name sets the name in package.json, and a directory with spaces is quoted', async () => {
    const folder = emptyFolder();
    const { stdout } = await run(folder, ['My Shop', '-y', '--name', '@acme/shop']);
    assert.match(stdout, /cd "My Shop"/);
    assert.equal(manifestOf(path.join(folder, 'My Shop')).name, '@acme/shop');
    assert.match((await run(folder, ['./-shop', '-y', '-n', 'shop'])).stdout, /cd \.\/-shop\n/);
  });

  test('--local takes the packages from this checkout', async () => {
    const folder = emptyFolder();
    for (const template of ['api', 'pages']) {
      await run(folder, [template, '-y', '-t', template, '--local']);
      const home = path.join(folder, template);
      const local = Object.entries(manifestOf(home).dependencies).filter(([, from]) =>
        /ristretto|file:/.test(from),
      );
      assert.equal(local.length, template === 'api' ? 2 : 4);
      for (const [name, from] of local) {
        const { name: real } = manifestOf(path.join(home, from.replace('file:', '')));
        assert.ok(real === name || real === `@ristretto/${name}` || name === 'express');
      }
    }
  });

  test('--help and --version print and create nothing', async () => {
    const folder = emptyFolder();
    assert.match(
      (await run(folder, ['x', '--help'])).stdout,
      /--language ts\|js .*\n.*--template api\|pages/,
    );
    assert.equal((await run(folder, ['-v'])).stdout, `${own.version}\n`);
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  test('runs as a program', () => {
    const program = path.join(__dirname, '../index.js');
    const { status, stdout } = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, `${own.version}\n`]);
    assert.equal(spawnSync(process.execPath, [program], { encoding: 'utf8' }).status, 1);
  });
});

describe('create: questions', () => {
  test('asks for missing options, and accepts numbers, names and Enter', async () => {
    const folder = emptyFolder();
    const { code, stdout } = await run(folder, [], ['shop', '2', 'PAGES']);
    assert.equal(code, 0);
    assert.match(stdout, /^Directory \(my-app\): [^]*Language\n {2}1\) ts +TypeScript\n/);
    assert.ok(filesBelow(path.join(folder, 'shop')).includes('views/home.ejs'));
    assert.equal((await run(folder, [], ['', '', ''])).code, 0);
    assert.ok(filesBelow(path.join(folder, 'my-app')).includes('src/tasks.ts'));
  });

  test('asks again until the answer is one of the choices', async () => {
    const folder = emptyFolder();
    const { code, stdout } = await run(folder, ['x', '-t', 'api'], ['3', '0', '1.5', 'rust', 'js']);
    assert.equal(code, 0);
    assert.equal(stdout.split('Language\n').length, 6);
    assert.ok(filesBelow(path.join(folder, 'x')).includes('src/tasks.js'));
  });

  test('asks for a name if the directory’s name is not a valid package name', async () => {
    const folder = emptyFolder();
    const { stdout } = await run(folder, ['My Shop', '-l', 'js'], ['Shop', 'http', 'shop', 'api']);
    assert.match(stdout, /Package name \(.*lower-case.*\): [^]*Package name \(it is taken\): /);
    assert.equal(manifestOf(path.join(folder, 'My Shop')).name, 'shop');
  });

  test('creates nothing if the input ends before all questions are answered', async () => {
    const folder = emptyFolder();
    const { code, stderr } = await run(folder, ['x'], ['ts', undefined]);
    assert.deepEqual([code, stderr], [130, '\nNothing was created.\n']);
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  test('asks nothing if all options are given', async () => {
    const { code, stdout } = await run(emptyFolder(), ['x', '-l', 'ts', '-t', 'api'], []);
    assert.equal(code, 0);
    assert.match(stdout, /^Created x in /);
  });
});

describe('create: refusals', () => {
  const refusals: [args: string[], message: RegExp][] = [
    [
      [],
      /^No terminal is available to ask for directory, language, template: pass each as an option, or --yes/,
    ],
    [['x', '-l', 'ts'], /^No terminal is available to ask for template:/],
    [['x', 'y'], /^Expected one directory, got "x" and "y"\n$/],
    [['', '-y'], /^Expected a directory, got an empty name\n$/],
    [['x', '-y', '-l', 'rust'], /^Expected --language to be ts or js, got "rust"\n$/],
    [['x', '-y', '--template=__proto__'], /^Expected --template to be api or pages, got "__proto__"\n$/],
    [
      ['x', '-y', '-n', 'No Way'],
      /^Expected --name to be a package name, got "No Way": lower-case letters, /,
    ],
    [
      ['No Way', '-y'],
      /^Expected the directory to be a package name, got "No Way": .*\. Specify another one with --name\n$/,
    ],
    [['.hidden', '-y'], /got "\.hidden"/],
    [
      ['./-x', '-y'],
      /got "-x": .* it must start with a letter or digit\. Specify another one with --name\n$/,
    ],
    [['x', '-y', '--name=--x'], /^Expected --name to be a package name, got "--x"/],
    [['x', '-y', '--name=@-a/x'], /^Expected --name to be a package name, got "@-a\/x"/],
    [['node_modules', '-y'], /got "node_modules": it is taken/],
    [['ristretto', '-y'], /got "ristretto": it is taken/],
    [['a'.repeat(215), '-y'], /it has more than 214 characters/],
    [['x', '--typescript'], /^Unknown option '--typescript'\. The options are: --language, --template, /],
    [['x', '--language'], /^Option '-l, --language <value>' argument missing\. The options are/],
  ];
  for (const [args, message] of refusals) {
    test(`reports what is wrong with: ${JSON.stringify(args).slice(0, 60)}`, async () => {
      const folder = emptyFolder();
      const { code, stdout, stderr } = await run(folder, args);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(fs.readdirSync(folder), []);
    });
  }

  test('leaves a non-empty directory unchanged, and names its contents', async () => {
    const folder = emptyFolder();
    for (const name of ['a', 'b', 'c', 'd', 'e']) fs.writeFileSync(path.join(folder, name), '');
    const { code, stderr } = await run(folder, ['.', '-y', '-n', 'x']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      / is not empty \(a, b, c, and 2 more\): choose another directory, or empty this one\n$/,
    );
    assert.equal(fs.readdirSync(folder).length, 5);
  });

  test('rejects a file in place of the directory or above it, in one line', async () => {
    const folder = emptyFolder();
    fs.writeFileSync(path.join(folder, 'x'), '');
    assert.match((await run(folder, ['x', '-y'])).stderr, /x is a file: specify a new directory\n$/);
    const { code, stderr } = await run(folder, ['x/y', '-y']);
    assert.equal(code, 1);
    assert.match(stderr, /^ENOTDIR: .*\n$/);
  });
});
