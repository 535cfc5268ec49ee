/** `ristretto migrate --middleware`: the aliases it proposes, what it says about them, and its table of differences. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import { middlewarePackages } from '@ristretto/migrate/lib/middleware-packages';
import { installed, folderOf, migrate, playManagers } from './support/application-folder.js';
import type { Files } from './support/application-folder.js';
import { each } from '../../engine/test/support/http.js';

interface Report {
  middleware: { name: string; section: string; version?: string; alias?: string; isReplaced: boolean }[];
  replacements: {
    alias: string;
    readme: string;
    differences: { text: string; places: { file: string; line: number }[] }[];
  }[];
  notes: string[];
  edits: { name: string; diff: string }[];
}

async function report(files: Files): Promise<Report> {
  const { code, out, err } = await migrate(folderOf(files), '--middleware', '--json');
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out) as Report;
}

const added = ({ edits }: Report) =>
  edits
    .flatMap(({ diff }) => diff.split('\n'))
    .filter(line => /^\+(?!\+\+ )/.test(line))
    .map(line => line.slice(1).trim());

const repository = path.resolve(__dirname, '../../..');
const read = (name: string) => fs.readFileSync(path.join(repository, name), 'utf8');
const directoryOf = (alias: string) => `packages/middleware/${alias.replace('@ristretto/', '')}`;

describe('ristretto migrate --middleware', () => {
  test('dry run: prints the packages, the differences of each with places, and the diff, and changes nothing', async () => {
    const text = `${JSON.stringify({ dependencies: { express: '5', cors: '^2.8.5' } }, undefined, 2)}\n`;
    const folder = folderOf({
      'package.json': text,
      'node_modules/cors/package.json': installed('cors', '2.8.5'),
      'app.js': 'app.use(cors({ methods: null }));\n',
    });
    const { code, out, err } = await migrate(folder, '--middleware');
    assert.deepEqual([code, err], [0, '']);
    assert.match(
      out,
      /^ {2}package\.json {2}dependencies {2}cors {2}\^2\.8\.5 {2}2\.8\.5 {2}-> @ristretto\/cors$/m,
    );
    assert.match(
      out,
      /^What differs from cors in @ristretto\/cors \(1 files searched; see https:.*\/cors\/Readme\.md\)$/m,
    );
    assert.match(
      out,
      /^ {2}Options are read when the middleware is created, .*\n {2}`methods: null`.*\n {4}app\.js:1 /m,
    );
    assert.match(out, /^\+ {4}"cors": "npm:@ristretto\/cors@\^2\.50\.0"$/m);
    assert.doesNotMatch(out, /^[-+].*express/m);
    assert.match(out, /^Nothing was written\. "npx ristretto migrate --middleware --write"/m);
    assert.equal(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'), text);
  });

  test('every package: gets the alias of its major version', async () => {
    for (const { name, alias, version } of middlewarePackages) {
      const found = await report({
        'package.json': { dependencies: { [name]: `^${version.split('.')[0]!}.0.0` } },
      });
      assert.deepEqual(added(found), [`"${name}": "npm:${alias}@^${version}"`]);
      assert.deepEqual(found.notes, []);
      assert.ok(found.replacements[0]?.readme.endsWith(`/${directoryOf(alias)}/Readme.md`));
    }
  });

  test('versions: follows the installed one, and leaves others, forks and links as they are', async () => {
    const found = await report({
      'package.json': {
        dependencies: {
          'body-parser': '>=1',
          compression: '*',
          cors: 'github:expressjs/cors',
          helmet: 'workspace:*',
          multer: '^1.4.5-lts.1',
          'serve-static': '^3.0.0',
        },
      },
      'node_modules/body-parser/package.json': installed('body-parser', '2.2.0'),
    });
    assert.deepEqual(added(found), ['"body-parser": "npm:@ristretto/body-parser@^2.50.0",']);
    assert.deepEqual(found.notes, [
      'package.json asks for compression "*", which does not determine the version. Run npm install, then try again.',
      'package.json asks for cors "github:expressjs/cors", and stays as it is.',
      'package.json asks for helmet "workspace:*", and stays as it is.',
      'package.json asks for multer "^1.4.5-lts.1", which is version 1. @ristretto/multer replaces version 2: update multer first.',
      'package.json asks for serve-static "^3.0.0", which is version 3. @ristretto/serve-static1 and @ristretto/serve-static replace version 1 and 2: update serve-static first.',
    ]);
  });

  test('lock file: has the version if nothing is installed', async () => {
    const lock = { packages: { 'node_modules/body-parser': { version: '1.20.3' } } };
    const found = await report({
      'package.json': { dependencies: { 'body-parser': '>=1' } },
      'package-lock.json': lock,
    });
    assert.deepEqual(
      found.middleware.map(({ version, alias }) => [version, alias]),
      [['1.20.3', '@ristretto/body-parser1']],
    );
  });

  test('notes: types to remove, and csurf, which no alias replaces', async () => {
    const { notes, middleware } = await report({
      'package.json': {
        dependencies: { 'express-session': '^1.18.0', csurf: '^1.11.0' },
        devDependencies: { '@types/express-session': '^1.18.0', '@types/cors': '^2.8.0' },
      },
    });
    assert.deepEqual(notes, [
      'package.json: remove @types/express-session. @ristretto/session includes types.',
      'package.json: csurf is no longer maintained. @ristretto/same-origin has its purpose, without tokens. What to change: https://github.com/ristretto-web/ristretto/blob/main/packages/middleware/same-origin/Readme.md#from-csurf',
    ]);
    assert.deepEqual(each(middleware, 'name'), ['express-session']);
    assert.match(read('packages/middleware/same-origin/Readme.md'), /^## From csurf$/m);
  });

  test('files of a package: a program that loads them gets a note', async () => {
    const { replacements } = await report({
      'package.json': { dependencies: { 'body-parser': '^1.20.0', 'express-session': '^1.18.0' } },
      'a.js': "require('body-parser/lib/types/json');\n",
      'b.js': "require('express-session/session/store');\nrequire('body-parser');\n",
    });
    const [parser, session] = replacements.map(({ differences }) =>
      differences.filter(({ text }) => text.startsWith('The package has other files')),
    );
    assert.deepEqual(
      parser?.flatMap(({ places }) => places.map(({ file, line }) => `${file}:${String(line)}`)),
      ['a.js:1'],
    );
    assert.deepEqual(session, []);
  });

  test('overrides: a version for an original is replaced, because it would conflict with the alias', async () => {
    const dependencies = { cors: '^2.8.5', helmet: '^8.0.0' };
    const found = async (manifest: object, more: Files = {}) =>
      added(await report({ 'package.json': { dependencies, ...manifest }, ...more })).filter(line =>
        line.includes('cors'),
      ).length;
    assert.equal(await found({ overrides: { cors: '2.8.5' } }), 2);
    assert.equal(await found({ overrides: { cors: '$cors' } }), 1);
    assert.equal(await found({ resolutions: { cors: '2.8.5' } }, { 'yarn.lock': '' }), 2);
    assert.equal(await found({ pnpm: { overrides: { cors: '2.8.5' } } }, { 'pnpm-lock.yaml': '' }), 2);
  });

  test('workspace: changes every package that has some', async () => {
    const { edits } = await report({
      'package.json': { workspaces: ['*'] },
      'a/package.json': { dependencies: { cors: '2' } },
      'b/package.json': { optionalDependencies: { morgan: '~1.10.0' }, peerDependencies: { cors: '2' } },
    });
    assert.deepEqual(each(edits, 'name'), ['a/package.json', 'b/package.json']);
  });

  test('done: says that nothing is to be changed', async () => {
    const folder = folderOf({ 'package.json': { dependencies: { cors: 'npm:@ristretto/cors@^2.50.0' } } });
    const { code, out } = await migrate(folder, '--middleware', '--write');
    assert.equal(code, 0);
    assert.match(out, /^ {2}package\.json {2}dependencies {2}cors .* replaced$/m);
    assert.match(out, /^Nothing to change: the application uses Ristretto\.$/m);
    const old = folderOf({ 'package.json': { dependencies: { multer: '1.4.4' } } });
    assert.match((await migrate(old, '--middleware')).out, /^Nothing to change\.$/m);
  });

  test('none: fails with the names of the existing packages', async () => {
    const folder = folderOf({ 'package.json': { dependencies: { express: '4' } } });
    const { code, err } = await migrate(folder, '--middleware');
    assert.equal(code, 1);
    assert.match(
      err,
      /^No package\.json in .* installs middleware that Ristretto has a package for: body-parser, .*multer/,
    );
  });

  test('--write: writes, installs, compares the tests, and reports no remaining Express', async t => {
    t.after(() => mock.restoreAll());
    const folder = folderOf({
      'package.json': { dependencies: { express: '4', cors: '2' }, scripts: { test: 'node test.js' } },
      'node_modules/express/package.json': installed('express', '4.22.0'),
    });
    const calls = playManagers({ before: [0, '# pass 2\n# fail 0'] });
    const { code, out } = await migrate(folder, '--middleware', '--write');
    assert.equal(code, 0);
    assert.deepEqual(
      calls.map(call => call.split(' ').slice(0, 2).join(' ')),
      ['npm test', 'npm install', 'npm test'],
    );
    assert.match(out, /^ {2}same {2}npm test in /m);
    assert.doesNotMatch(out, /Express 4 is still installed/);
    assert.match(
      fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
      /"cors": "npm:@ristretto\/cors@\^2\.50\.0"/,
    );
  });
});

/** For each search, a line that it must find and one that it must not; the key is how its text begins. */
const LINES: Record<string, [finds: string, not: string]> = {
  'A `type` that is neither': [
    'app.use(bodyParser.json({ type: true }));',
    "bodyParser.json({ type: '*/*' })",
  ],
  '`verify` may return': ['json({ verify: async (req, res, buf) => {} })', 'json({ verify: check })'],
  'There is no output for `DEBUG=body-parser*`': [
    "process.env.DEBUG = 'body-parser:*';",
    "require('body-parser')",
  ],
  'Callbacks of `res.write`': ['res.write(chunk, () => next());', 'res.write(chunk);'],
  '`req.cookies` and': ["Object.getOwnPropertyDescriptor(req, 'cookies')", 'req.cookies'],
  '`decode` is called': ['app.use(cookieParser(secret, { decode: text => text }));', 'decode(text)'],
  'Options are read': ["corsOptions.origin = 'https://a.example';", 'const corsOptions = {};'],
  '`methods: null`': ['cors({ methods: null })', "cors({ methods: ['GET'] })"],
  'A limit that is not a number': [
    'rateLimit({ limit: Number(process.env.LIMIT) })',
    'rateLimit({ limit: 5 })',
  ],
  '`skip`, `keyGenerator`': [
    "rateLimit({ keyGenerator: 'ip' })",
    'rateLimit({ keyGenerator: req => req.ip })',
  ],
  'Validations have': ["error.code === 'ERR_ERL_UNEXPECTED_X_FORWARDED_FOR'", 'error.code'],
  '`save` and `destroy`': ['req.session.save().touch();', 'await req.session.save().catch(log);'],
  '`req.session` is an accessor': ["Object.getOwnPropertyDescriptor(req, 'session')", 'req.session.user'],
  'Options of a wrong type': ['helmet({ hsts: null })', 'helmet({ hsts: false })'],
  '`res._startAt`': ['const [seconds] = process.hrtime(res._startAt);', 'startAt(0)'],
  'There is no output for `DEBUG=morgan`': ["process.env.DEBUG = 'morgan';", "require('morgan')"],
  'After the first error': ['if (error instanceof multer.MulterError) {', 'upload.single()'],
  'A storage that calls back': ['Storage.prototype._handleFile = function () {', 'handleFile()'],
  'A part beyond': ['multer({ limits: { parts: 5 } })', 'const parts = 5;'],
  'Values in a charset': ["multer({ defCharset: 'utf8' })", 'charset'],
  '`streamHandler` gets': ['multer({ streamHandler(req) {} })', 'multer()'],
  'A path in another spelling': ["serveStatic('public', { redirect: false })", "serveStatic('public')"],
  'Invalid `dotfiles`': ["serveStatic('public', { dotfiles: true })", "{ dotfiles: 'deny' }"],
};

describe('ristretto migrate --middleware: table of differences', () => {
  test('Readmes: have the same differences, and their aliases the same versions', () => {
    for (const { name, alias, version, differences } of middlewarePackages) {
      const directory = directoryOf(alias);
      const readme = read(`${directory}/Readme.md`);
      const [, section = ''] = /\n## Differences from [^\n]*\n([^]*?)(?=\n## |$)/.exec(readme) ?? [];
      const items = [...section.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n*$(?![^]))/gm)].map(([, text]) =>
        text!.replace(/\s*\n\s*/g, ' ').trim(),
      );
      assert.deepEqual(
        each(differences, 'text'),
        items,
        `${directory}/Readme.md: change middleware-packages.ts with it`,
      );
      const manifest = JSON.parse(read(`${directory}/package.json`)) as { name: string; version: string };
      assert.deepEqual([alias, version], [manifest.name, manifest.version]);
      assert.match(readme, new RegExp(`\\b${name}"?(?:@|": ")npm:${alias}@\\^${version}`));
    }
  });

  test('packages: include every one that replaces an original', () => {
    const others = ['response-hooks', 'same-origin', 'signed-cookies', 'test-support'];
    const folders = fs
      .readdirSync(path.join(repository, 'packages/middleware'), { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !others.includes(entry.name))
      .map(entry => `@ristretto/${entry.name}`);
    assert.deepEqual(middlewarePackages.map(({ alias }) => alias).sort(), folders.sort());
  });

  test('searches: each finds its line and not a similar one', () => {
    const searches = middlewarePackages.flatMap(({ differences }) => differences).filter(({ find }) => find);
    for (const { text, find } of searches) {
      const [, [finds, not]] = Object.entries(LINES).find(([start]) => text.startsWith(start)) ?? [
        '',
        assert.fail(`no line for: ${text}`),
      ];
      assert.match(finds, find!);
      assert.doesNotMatch(not, find!);
    }
  });
});
