/**
 * The parts of `ristretto migrate`: JSON texts, diffs, lock files, version ranges, test counts, and the table of
 * differences.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { diff } from '@ristretto/migrate/lib/diff';
import { differences } from '@ristretto/migrate/lib/differences';
import { setMember } from '@ristretto/migrate/lib/json-text';
import { knownPackages } from '@ristretto/migrate/lib/known-packages';
import { readLockFile } from '@ristretto/migrate/lib/lock-files';
import { readProject } from '@ristretto/migrate/lib/project';
import { scan } from '@ristretto/migrate/lib/sources';
import { compareRuns, countsIn } from '@ristretto/migrate/lib/test-results';
import { acceptsNewest, allows, majorOf } from '@ristretto/migrate/lib/versions';
import { folderOf } from './support/application-folder.js';
import type { Files } from './support/application-folder.js';
import { unseen } from './support/unseen-differences.js';

const root = path.join(__dirname, '../../..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

describe('ristretto migrate: JSON texts', () => {
  test('value: replaces the value and nothing else', () => {
    const text = '\uFEFF{ "a" : {"express":  "1" , "b": ["}", {"express": 2}]},\t"express": null }\n';
    assert.equal(setMember(text, ['a', 'express'], 'x'), text.replace('"1"', '"x"'));
    assert.equal(setMember(text, ['express'], 'x'), text.replace('null', '"x"'));
    assert.equal(setMember('{"a\\"": 1, "a": [1], "a": 2}', ['a'], 'x'), '{"a\\"": 1, "a": [1], "a": "x"}');
  });

  test('new member: is added at the end of its object, in the style of the text', () => {
    const tabs = '{\r\n\t"a": 1,\r\n\t"o": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n';
    assert.equal(setMember(tabs, ['o', 'c'], 'x'), tabs.replace('"b": 1', '"b": 1,\r\n\t\t"c": "x"'));
    assert.equal(
      setMember(tabs, ['p', 'q', 'c'], 'x'),
      tabs.replace('\t}\r\n}', '\t},\r\n\t"p": {\r\n\t\t"q": {\r\n\t\t\t"c": "x"\r\n\t\t}\r\n\t}\r\n}'),
    );
    assert.equal(setMember('{}', ['a'], 'x'), '{"a": "x"}');
    assert.equal(setMember('{\n  "o": {}\n}', ['o', 'a'], 'x'), '{\n  "o": {\n    "a": "x"\n  }\n}');
    assert.equal(setMember('{"o": false}', ['o', 'a'], 'x'), '{"o": {"a":"x"}}');
  });
});

describe('ristretto migrate: diff', () => {
  test('hunks: have three lines around each change, and adjacent hunks are merged', () => {
    const before = Array.from({ length: 20 }, (_, index) => String(index));
    const text = (lines: string[]) => `${lines.join('\n')}\n`;
    const later = before.map(line => (line === '1' || line === '8' ? `${line}!` : line)).concat('20');
    assert.equal(
      diff('a', text(before), text(later)),
      `--- a/a\n+++ b/a\n@@ -1,12 +1,12 @@\n 0\n-1\n+1!\n${[2, 3, 4, 5, 6, 7].map(line => ` ${String(line)}\n`).join('')}-8\n+8!\n 9\n 10\n 11\n@@ -18,3 +18,4 @@\n 17\n 18\n 19\n+20\n`,
    );
    assert.equal(diff('a', 'x\n', 'x\n'), '');
    assert.equal(diff('a', '', 'x\n'), '--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n');
    assert.equal(diff('a', 'x\ny\n', 'y\n'), '--- a/a\n+++ b/a\n@@ -1,2 +1,1 @@\n-x\n y\n');
  });
});

describe('ristretto migrate: lock files', () => {
  const entries = (name: string, text: unknown) => {
    const folder = folderOf({ [name]: text });
    return readLockFile(path.join(folder, name)).map(({ name: own, version, express }) => [
      own,
      version,
      express,
    ]);
  };
  const FOUND = [
    ['express', '4.18.2', undefined],
    ['ristretto', '4.50.0', undefined],
    ['@a/pins', '1.0.0', '4.18.2'],
  ];

  test('npm: reads names, versions and dependents of Express', () => {
    const packages = {
      '': { name: 'app' },
      'node_modules/express': { version: '4.18.2' },
      'node_modules/a/node_modules/express': { name: 'ristretto', version: '4.50.0' },
      'node_modules/@a/pins': { version: '1.0.0', dependencies: { express: '4.18.2' } },
      'node_modules/member': { resolved: 'packages/member', link: true },
    };
    assert.deepEqual(entries('package-lock.json', { packages }), FOUND);
    assert.deepEqual(entries('package-lock.json', { lockfileVersion: 1 }), []);
    assert.deepEqual(entries('npm-shrinkwrap.json', '{'), []);
  });

  test('yarn: reads the same, in both formats', () => {
    const classic =
      '# yarn lockfile v1\r\n\r\nexpress@4.18.2, express@^4.18.0:\r\n  version "4.18.2"\r\n\r\n"express@npm:ristretto@^4.50.0":\r\n  version "4.50.0"\r\n\r\n"@a/pins@^1.0.0":\r\n  version "1.0.0"\r\n  dependencies:\r\n    express "4.18.2"\r\n';
    assert.deepEqual(entries('yarn.lock', classic), FOUND);
    const berry =
      '__metadata:\n  version: 8\n\n"express@npm:4.18.2":\n  version: 4.18.2\n  resolution: "express@npm:4.18.2"\n\n"express@npm:ristretto@^4.50.0":\n  version: 4.50.0\n  resolution: "ristretto@npm:4.50.0"\n\n"@a/pins@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "@a/pins@npm:1.0.0"\n  dependencies:\n    express: "npm:4.18.2"\n\n"app@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "app@workspace:."\n';
    assert.deepEqual(entries('yarn.lock', berry), FOUND);
  });

  test('pnpm: reads the same, in its formats', () => {
    const six =
      "lockfileVersion: '6.0'\n\npackages:\n\n  /express@4.18.2:\n    dev: false\n\n  /ristretto@4.50.0:\n    dev: false\n\n  /@a/pins@1.0.0(x@1):\n    dependencies:\n      express: 4.18.2\n";
    assert.deepEqual(entries('pnpm-lock.yaml', six), FOUND);
    const nine =
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      express: 1\n\npackages:\n\n  express@4.18.2:\n    a: 1\n\n  ristretto@4.50.0:\n    a: 1\n\n  '@a/pins@1.0.0':\n    a: 1\n\nsnapshots:\n\n  '@a/pins@1.0.0(x@1)':\n    dependencies:\n      express: 4.18.2(x@1)\n";
    assert.deepEqual(entries('pnpm-lock.yaml', nine), FOUND);
  });
});

describe('ristretto migrate: ranges', () => {
  test('major: is the newest that a range allows, if it has an upper bound', () => {
    const majors: [number | undefined, string[]][] = [
      [3, ['~3', '<4', '^2 || 3.x', '2 - 3.21.2']],
      [4, ['^4.17.1', '4', 'v4.18.2', '= 4.x', 'npm:express@4', '>=4 <5', '>= 3.0 <5.0.0-0', '^4.0.0 || ^3']],
      [5, ['^5.0.0', '^4 || ^5', '>=4.17 <5.2', '4.x - 5.x', '<=5', '5.0.0-beta.1']],
      [
        undefined,
        ['>=4.17', '>4', '^4 || >=5', '*', '', 'latest', 'file:../express', 'expressjs/express#4.x'],
      ],
    ];
    for (const [major, ranges] of majors) {
      for (const range of ranges) assert.equal(majorOf(range), major, range);
    }
    assert.deepEqual(['^4.17.1', '4.x', '4', '~4.17', '>=4', '^5'].filter(acceptsNewest), [
      '^4.17.1',
      '4.x',
      '4',
    ]);
  });

  test('major: ranges without an upper bound and alternatives allow several', () => {
    const ranges = ['^4 || ^5', '>=4.17', '>3.1 <6', '3 - 5', 'latest', '>4', '<4.0', '^5', '^14.0.0'];
    assert.deepEqual(
      ranges.filter(range => allows(range, 4)),
      ranges.slice(0, 5),
    );
  });
});

describe('ristretto migrate: tests', () => {
  test('counts: are read from the output of common test runners', () => {
    const outputs: [string, number, number][] = [
      ['# tests 3\n# pass 2\n# fail 1\n', 2, 1],
      ['a: ℹ pass 2\na: ℹ fail 0\nb: ℹ pass 3\nb: ℹ fail 1', 5, 1],
      ['  \u001b[32m 5 passing\u001b[0m (1s)\n  1 failing', 5, 1],
      ['Test Suites: 2 passed, 2 total\nTests:       1 failed, 4 passed, 5 total', 4, 1],
      [' Test Files  1 passed (1)\n      Tests  6 passed (6)', 6, 0],
      ['  2 tests passed\n  1 test failed', 2, 1],
    ];
    for (const [output, passed, failed] of outputs)
      assert.deepEqual(countsIn(output), { passed, failed }, output);
    assert.equal(countsIn('done'), undefined);
  });

  test('comparison: compares exit codes first, then counts', () => {
    const ran = (code: number, passed?: number, failed = 0) => ({
      command: 'npm test',
      code,
      seconds: 1,
      counts: passed === undefined ? undefined : { passed, failed },
    });
    assert.equal(compareRuns(ran(0), ran(1)), 'worse');
    assert.equal(compareRuns(ran(1), ran(0)), 'better');
    assert.equal(compareRuns(ran(1), ran(2)), 'same');
    assert.equal(compareRuns(ran(0, 3), ran(0)), 'same');
    assert.equal(compareRuns(ran(0, 3), ran(0, 3)), 'same');
    assert.equal(compareRuns(ran(0, 3), ran(0, 2)), 'worse');
    assert.equal(compareRuns(ran(1, 3, 1), ran(1, 3, 2)), 'worse');
    assert.equal(compareRuns(ran(1, 3, 2), ran(1, 3, 1)), 'better');
    assert.equal(compareRuns(ran(0, 3), ran(0, 4)), 'better');
  });
});

/** For each search, a line that it must find and one that it must not. */
const LINES: Record<string, [finds: string, not: string]> = {
  'undeclared-packages': ["import qs from 'qs';", "import qs from './qs';"],
  'x-powered-by': [".expect('X-Powered-By', 'Express')", "app.disable('x-powered-by');"],
  'replaced-setters': ['res.set = function (name, value) {', "if (res.get === set) res.set('X-A', '1');"],
  'rejected-promises': ["process.on('unhandledRejection', log);", "process.on('exit', log);"],
  'layer-regexp': ['if (layer.regexp.test(path))', 'layer.match(path)'],
  'router-stack': ['app._router.stack.forEach(list)', 'error.stack'],
  'first-layers': ['app._router.stack.unshift(layer)', 'app._router.stack.map(list)'],
  'parsed-url': ['req._parsedUrl.pathname', 'parsedUrl.pathname'],
  'for-in': ['for (const key in req) {', 'for (const key in req.body) {'],
  'send-file-callback': ['res.sendFile(file, error => next(error))', 'res.sendFile(file, { root })'],
  'pipe-events': ["res.on('pipe', seen)", "res.on('finish', seen)"],
  'patched-functions': ['res.end = function end() {', 'if (res.end === original) {'],
  'patched-sub-application': ['app.response.money = function () {}', 'app.response.money()'],
  prototypes: ['Object.setPrototypeOf(app.response, mine)', 'Object.setPrototypeOf(mine, null)'],
  http2: ['http2.createSecureServer(options, app)', 'http.createServer(app)'],
  'new-application-members': ['app.inject = inject;', 'await app.inject(request);'],
  remove: ['router.remove = (path) => {}', "router.remove('/x')"],
  sse: ['res.sse = send;', 'res.sse()'],
  'send-streams': ['res.send(fs.createReadStream(file))', 'fs.createReadStream(file).pipe(res)'],
  'send-views': ['res.send(new Uint8Array(2))', 'res.send(buffer)'],
  'redirect-back': ["res.redirect(303, 'back')", "res.redirect('/back')"],
  'trust-proxy': [
    "app.set('trust proxy', '::ffff:10.0.0.0/8')",
    "app.set('trust proxy', '::ffff:10.0.0.0/104')",
  ],
  'redirect-false': ["express.static('public', { redirect: false })", "express.static('public')"],
  'static-options': ["express.static('public', { dotfiles: 'hide' })", "{ dotfiles: 'deny' }"],
  limit: ["express.json({ limit: 'abc' })", "express.json({ limit: '1mb' })"],
  'limit-text': ["express.json({ limit: '10 megs' })", "express.json({ limit: '10 MB' })"],
  'max-age': [
    "express.static('public', { maxAge: '1 dayz' })",
    "express.static('public', { maxAge: '1 day' })",
  ],
  verify: ['express.json({ verify: async (req) => {} })', 'express.json({ verify: check })'],
  query: ['app.use(express.query({ depth: 2 }))', 'app.use(express.query())'],
};

describe('ristretto migrate: table of differences', () => {
  test('docs/DIFFERENCES.md: each row has a search or is listed as not visible in sources', () => {
    const cells = (text: string) =>
      [...text.matchAll(/^\| (?!what |addition |---)(.*?) +\|/gm)].map(([, cell]) => cell!);
    const rows = cells(read('docs/DIFFERENCES.md'));
    // Of the additions, only those whose names an application may already use need a search.
    const additions = cells(read('docs/guide.md').split('## Beyond Express')[1]!);
    const titles = [...differences.map(({ title }) => title), ...unseen];
    assert.deepEqual(
      rows.filter(row => !titles.includes(row)),
      [],
      'add them to differences.ts or unseen-differences.ts',
    );
    assert.deepEqual(
      titles.filter(title => ![...rows, ...additions].includes(title)),
      [],
      'no such rows',
    );
    assert.equal(
      new Set([...titles, ...differences.map(({ id }) => id)]).size,
      titles.length + differences.length,
    );
  });

  test('docs/COMPATIBILITY.md: the packages that need Express 5 run on it there or are listed as skipped', () => {
    const { dependencies } = JSON.parse(read('proofs/compat/express5/package.json')) as {
      dependencies: Record<string, string>;
    };
    const skipped = JSON.parse(read('proofs/compat/skipped.json')) as { package: string }[];
    const listed = [
      ...Object.entries(dependencies).map(([name, version]) => `${name} ${version.split('.')[0]!}`),
      ...skipped.map(entry => entry.package),
    ];
    for (const { name, from } of knownPackages) assert.ok(listed.includes(`${name} ${String(from)}`), name);
  });

  test('searches: each finds its line and not a similar one', () => {
    assert.deepEqual(
      Object.keys(LINES),
      differences.map(({ id }) => id),
    );
    for (const { id, find } of differences) {
      const [finds, not] = LINES[id]!;
      assert.match(finds, find);
      assert.doesNotMatch(not, find);
    }
  });

  test('packages of Express: lists the packages that it installs and Ristretto does not', () => {
    const of = (name: string) =>
      Object.keys((JSON.parse(read(name)) as { dependencies?: object }).dependencies ?? {});
    const direct = of('node_modules/express/package.json');
    const ours = [...of('packages/ristretto/package.json'), ...of('packages/engine/package.json')];
    const { find } = differences.find(({ id }) => id === 'undeclared-packages')!;
    const listed = [...find.source.matchAll(/[\w.\\-]{2,}(?=[|)])/g)].map(([name]) =>
      name.replaceAll('\\', ''),
    );
    assert.deepEqual(
      direct.filter(name => !ours.includes(name) && !listed.includes(name)),
      [],
    );
    assert.deepEqual(
      ours.filter(name => listed.includes(name)),
      [],
    );
  });
});

describe('ristretto migrate: sources', () => {
  const search = (files: Files) => {
    const folder = folderOf(files);
    const { findings, ...rest } = scan(readProject(folder), differences);
    const places = findings.flatMap(finding =>
      finding.places.map(({ file, line }) => `${file}:${String(line)}`),
    );
    return { ...rest, places };
  };
  const LINE = "res.redirect('back')";

  test('files: finds source files of every kind, and no generated ones', () => {
    const found = ['a.js', 'b.cjs', 'c.mjs', 'src/d.ts', 'src/e.tsx', 'f.mts'];
    const others = ['g.json', 'h.min.js', 'i.d.ts', 'node_modules/j.js', 'dist/k.js', '.cache/l.js'];
    const files = Object.fromEntries([...found, ...others].map(name => [name, `// ${LINE}\n${LINE}\n`]));
    const { places, files: count, isPartial } = search({ 'package.json': {}, ...files });
    assert.deepEqual(
      [places.sort(), count, isPartial],
      [found.map(name => `${name}:2`).sort(), found.length, false],
    );
  });

  test('bounds: skips large files and long lines', () => {
    const { places, files, isPartial } = search({
      'package.json': {},
      'large.js': `${LINE}\n`.repeat(30_000),
      'long.js': `${' '.repeat(2_000)}${LINE}\n`,
    });
    assert.deepEqual([places, files, isPartial], [[], 1, true]);
  });

  test('undeclared packages: are checked against the package of the file, or the root', () => {
    const text = "const qs = require('qs');\n";
    const { places } = search({
      'package.json': { workspaces: ['*'] },
      'a/package.json': { dependencies: { qs: '6' } },
      'a/index.js': text,
      'b/package.json': {},
      'b/index.js': text,
    });
    assert.deepEqual(places, ['b/index.js:1']);
  });
});
