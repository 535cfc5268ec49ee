// runs: slow, built, once
/** The repository: its files, build, releases and scripts. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';
import { packageHomes } from '../../../../scripts/packages.cjs';
import { LONGEST_WAIT } from '../support/until';

const root = path.join(__dirname, '../../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const list = (folder: string): string[] => fs.readdirSync(path.join(root, folder));
const hasManifest = (home: string) => fs.existsSync(path.join(root, home, 'package.json'));

const manifestOf = (home: string) =>
  JSON.parse(read(`${home}/package.json`)) as {
    name: string;
    version: string;
    description?: string;
    keywords?: string[];
    files?: string[];
    workspaces?: string[];
    dependencies?: Record<string, string>;
  };
const workflows = list('.github/workflows');
const majors = Object.keys(JSON.parse(read('scripts/nodes.json')) as object);

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Workflow {
  permissions?: unknown;
  jobs: Record<
    string,
    { steps: Step[]; permissions?: object; strategy?: { matrix: Record<string, unknown> } }
  >;
}

const workflow = (file: string): Workflow => parse(read(`.github/workflows/${file}`)) as Workflow;

interface Parser {
  parseWorkflow(
    file: { name: string; content: string },
    trace: object,
  ): { value: unknown; context: { errors: { getErrors(): { message: string }[] } } };
  convertWorkflowTemplate(context: object, value: unknown): Promise<{ errors?: { Message: string }[] }>;
  NoOperationTraceWriter: new () => object;
}

/** Loads GitHub's own workflow parser, bundled because of how it imports its schema. */
function loadParser(): Parser {
  const outfile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'workflows-')), 'parser.cjs');
  buildSync({
    absWorkingDir: root,
    entryPoints: ['@actions/workflow-parser'],
    outfile,
    bundle: true,
    platform: 'node',
  });
  try {
    return require(outfile) as Parser;
  } finally {
    fs.rmSync(path.dirname(outfile), { recursive: true });
  }
}

/** Returns the errors that GitHub would report for a workflow. */
async function mistakes(parser: Parser, name: string, content: string): Promise<string[]> {
  const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter());
  const { errors = [] } = await parser.convertWorkflowTemplate(context, value);
  return [
    ...context.errors.getErrors().map(({ message }) => message),
    ...errors.map(({ Message }) => Message),
  ];
}

/** The repository itself: its manifests, and its automation on GitHub. */
describe('repository', () => {
  test('manifests describe each package, and depend on the exact versions of the others', () => {
    const manifests = packageHomes().map(manifestOf);
    for (const { name, description, keywords, files, dependencies = {} } of manifests) {
      assert.ok(description && keywords?.length && files?.length, name);
      for (const other of manifests)
        assert.ok([undefined, other.version].includes(dependencies[other.name]), `${name}: ${other.name}`);
    }
  });

  test('no text links to a project of this name at another address', () => {
    const { url } = (JSON.parse(read('package.json')) as { repository: { url: string } }).repository;
    const [, owner, name] = /([\w.-]+)\/([\w.-]+)\.git$/.exec(url)!;
    const link = new RegExp(`github\\.com/(?!${owner!}/)[\\w.-]+/${name!}\\b[^\\s)"'\`>]*`, 'g');
    const texts = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter(file => /\.(?:md|ya?ml|json)$/.test(file) && fs.existsSync(path.join(root, file)));
    const found = texts.flatMap(file => [...read(file).matchAll(link)].map(([other]) => `${file}: ${other}`));
    assert.deepEqual(found, []);
  });

  test('npm scripts run on every system: none needs a POSIX shell', () => {
    for (const home of ['.', ...packageHomes()]) {
      const { scripts = {} } = JSON.parse(read(`${home}/package.json`)) as {
        scripts?: Record<string, string>;
      };
      for (const [name, command] of Object.entries(scripts)) {
        assert.doesNotMatch(command, /\b(?:ba)?sh\b|\brm\b|\bcp\b|[;'$|*]|^\w+=|(?<!&)&(?!&)/, name);
      }
    }
  });

  test('.nvmrc names the oldest supported Node, and CI runs on every supported one', () => {
    assert.equal(read('.nvmrc').trim(), majors[0]);
    const { os: systems, node } = workflow('test.yml').jobs.suite!.strategy!.matrix;
    assert.deepEqual(systems, ['ubuntu-latest', 'windows-latest', 'macos-latest']);
    assert.deepEqual((node as number[]).map(String), majors);
  });

  test('dependabot.yml names every npm project; those without a lock file have exact versions', () => {
    const { version, updates } = parse(read('.github/dependabot.yml')) as {
      version: number;
      updates: {
        'package-ecosystem': string;
        directory?: string;
        directories?: string[];
        schedule: object;
      }[];
    };
    assert.equal(version, 2);
    const named = updates
      .filter(update => update['package-ecosystem'] === 'npm')
      .flatMap(({ directory, directories = [] }) => [directory ?? [], directories].flat());
    const projects = [
      ...list('.'),
      'docs/.vitepress',
      ...list('proofs').map(name => `proofs/${name}`),
    ].filter(home => hasManifest(home) && !manifestOf('.').workspaces?.includes(home));
    assert.deepEqual(named, ['/', ...projects.map(home => `/${home}`)]);

    // They have no lock file.
    const groups = projects.flatMap(home =>
      (manifestOf(home).workspaces ?? []).map(name => `${home}/${name}`),
    );
    for (const home of [...projects, ...groups]) {
      for (const [name, version] of Object.entries(manifestOf(home).dependencies ?? {}))
        assert.match(version, /^(?:npm:\S+@)?\d+\.\d+\.\d+[\w.-]*$/, `${home}: ${name}`);
    }
  });
});

describe('workflows', () => {
  let parser: Parser;
  before(() => {
    parser = loadParser();
  });

  test('pass the checks of GitHub', async () => {
    for (const file of workflows) {
      assert.deepEqual(await mistakes(parser, file, read(`.github/workflows/${file}`)), [], file);
    }
    // Verify that the parser reports mistakes.
    const wrong = read('.github/workflows/test.yml')
      .replace('runs-on', 'run-on')
      .replace('github.ref', 'gihub.ref');
    assert.equal((await mistakes(parser, 'wrong.yml', wrong)).length >= 2, true);
  });

  test('use actions of a fixed commit, with its version in a comment', () => {
    for (const file of workflows) {
      const lines = read(`.github/workflows/${file}`).match(/uses:.*/g) ?? [];
      for (const line of lines)
        assert.match(line, /^uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/, file);
    }
  });

  test('may only read the repository, except for the release', () => {
    for (const file of workflows) {
      const { permissions, jobs } = workflow(file);
      assert.deepEqual(permissions, { contents: 'read' }, file);
      for (const { permissions: own, steps } of Object.values(jobs)) {
        if (own) assert.deepEqual([file, own], ['release.yml', { contents: 'write', 'id-token': 'write' }]);
        const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
        if (checkout) assert.equal(checkout.with?.['persist-credentials'], false, file);
        // Text that others can choose (branches, titles) must not become part of a script.
        for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/, file);
      }
    }
  });

  test('install without running scripts, and run scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const file of workflows) {
      for (const { run = '' } of Object.values(workflow(file).jobs).flatMap(({ steps }) => steps)) {
        if (run.startsWith('npm ci')) assert.equal(run, 'npm ci --ignore-scripts');
        const [, name] = /^npm (?:run )?(?!ci\b|audit\b)([\w:]+)/.exec(run) ?? [];
        if (name !== undefined) assert.ok(name in scripts, run);
        const [, program] = /^node (\S+)/.exec(run) ?? [];
        if (program !== undefined) assert.ok(fs.existsSync(path.join(root, program)), run);
      }
    }
  });
});

const names = ['engine', 'ristretto', 'ristretto3', 'ristretto5', 'migrate', 'create-ristretto'];

/** Represents the compiler's library and Node's types, which take most of the time of a build. */
const TYPES = `
interface Array<T> {} interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
interface NewableFunction {} interface Number {} interface Object {} interface RegExp {} interface String {}
declare module 'node:path' { const sep: string }
`;

/** The other files. */
const WRITTEN = {
  'CHANGELOG.md': '# Changelog',
  'examples/showcase/build.mjs': "console.log('showcase built');",
  'tsconfig.base.json': '{ "compilerOptions": { "module": "nodenext", "noLib": true, "types": ["node"] } }',
  'node_modules/@types/node/index.d.ts': TYPES,
  'packages/ristretto/src/express.ts': `/** The entry. */
import path = require('node:path');
/** The separator. */
export const separator: string = path.sep; // one character
`,
  'packages/engine/src/types/core.ts': '/** The core types. */\nexport interface Response {}',
  'packages/ristretto3/src/index.ts': 'export const major = 3;',
  'packages/ristretto5/src/index.ts': 'export const major = 5;',
  'packages/migrate/src/index.ts': 'export const major = 4;',
  'packages/create-ristretto/src/index.ts': 'export const major = 4;',
  'packages/middleware/cors/src/origin/match.ts': 'export const matches = true;',
  'packages/middleware/cors/src/index.ts': "export const name = 'cors'; // removed",
};

/** `npm run build` runs in a small separate repository, with the scripts of this one. */
describe('build', () => {
  const COPIED = [
    'scripts/build.mjs',
    'scripts/options.cjs',
    ...['tsconfig.package.json', ...names.map(name => `packages/${name}/tsconfig.json`)],
    ...['packages/middleware/tsconfig.package.json', 'scripts/packages.cjs'],
  ];

  let home: string;
  const at = (name: string): string => path.join(home, 'packages', name);
  const read = (name: string): string => fs.readFileSync(at(name), 'utf8');

  function write(name: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), text);
  }

  function build(): { status: number | null; stdout: string; stderr: string } {
    const script = path.join(home, 'scripts/build.mjs');
    return spawnSync(process.execPath, [script], { encoding: 'utf8' });
  }

  /** Returns the files of all lib directories, with their texts. */
  function built(): Record<string, string> {
    const libs = names.map(name => `${name}/lib`);
    const files = libs.flatMap(lib =>
      fs
        .readdirSync(at(lib), { recursive: true })
        .map(file => `${lib}/${String(file).replaceAll('\\', '/')}`),
    );
    const found = files.filter(file => fs.statSync(at(file)).isFile()).sort();
    return Object.fromEntries(found.map(file => [file, read(file)]));
  }

  before(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'build-'));
    for (const name of COPIED) fs.cpSync(path.join(root, name), path.join(home, name));
    for (const [name, text] of Object.entries(WRITTEN)) write(name, text);
    const compiler = path.dirname(require.resolve('typescript/package.json'));
    fs.symlinkSync(compiler, path.join(home, 'node_modules/typescript'), 'junction');
    const { status, stdout, stderr } = build();
    assert.deepEqual([status, stdout, stderr], [0, 'showcase built\n', '']);
  });
  after(() => fs.rmSync(home, { recursive: true }));

  test('code has neither comments nor `node:`, declarations have comments, and maps refer to the sources', () => {
    const code = read('ristretto/lib/express.js');
    assert.match(code, /require\("path"\)/);
    assert.doesNotMatch(code, /separator\.|one character|sourceMappingURL/);
    assert.match(read('ristretto/lib/express.d.ts'), /The separator\./);
    const { sources } = JSON.parse(read('engine/lib/types/core.js.map')) as { sources: string[] };
    assert.deepEqual(sources, ['../../src/types/core.ts']);
  });

  test('middleware packages are compiled together, each with its own lib and with maps to its own sources', () => {
    assert.doesNotMatch(read('middleware/cors/lib/index.js'), /removed|sourceMappingURL/);
    assert.match(read('middleware/cors/lib/index.d.ts'), /name = "cors"/);
    const sourcesOf = (map: string): string[] =>
      (JSON.parse(read(`middleware/cors/lib/${map}`)) as { sources: string[] }).sources;
    assert.deepEqual(sourcesOf('index.js.map'), ['../src/index.ts']);
    assert.deepEqual(sourcesOf('origin/match.js.map'), ['../../src/origin/match.ts']);
  });

  test('writes a deleted output file again, keeps existing ones, and removes those without a source', () => {
    const whole = built();
    write('packages/ristretto/lib/old.js', 'the source was deleted');
    const kept = at('create-ristretto/lib/index.js');
    const { mtimeMs } = fs.statSync(kept);
    // There is one for each pass of a package, because each pass rewrites all of its files.
    const deleted = ['ristretto/lib/express.js', 'ristretto/lib/express.d.ts', 'ristretto3/lib/index.js.map'];
    for (const file of deleted) fs.rmSync(at(file));
    assert.equal(build().status, 0);
    assert.deepEqual(built(), whole);
    assert.equal(fs.statSync(kept).mtimeMs, mtimeMs);
  });

  test('a type error ends the build with its place and status 1, after the packages before it', () => {
    const whole = built();
    write('packages/create-ristretto/src/index.ts', "export const major: number = '4';");
    fs.rmSync(at('ristretto5/lib/index.js.map'));
    const { status, stdout, stderr } = build();
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /create-ristretto\/src\/index\.ts.*TS2322/);
    assert.deepEqual(Object.keys(built()), Object.keys(whole));
  });
});

const homes = packageHomes();
const ENGINE = '@ristretto/private-engine';

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

/** `npm run release` runs in a copy of the files that it reads and writes. */
describe('release', () => {
  const COPIED = [
    ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'scripts'],
    ...homes.map(each => `${each}/package.json`),
  ];
  const parse = (home: string, file: string): unknown =>
    JSON.parse(fs.readFileSync(path.join(home, file), 'utf8'));
  const manifestIn = (home: string, at: string): Manifest => parse(home, `${at}/package.json`) as Manifest;
  const [major = '', minor = '', patch = ''] = manifestIn(root, 'packages/ristretto').version.split('.');

  let home: string;
  before(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
    for (const name of COPIED) fs.cpSync(path.join(root, name), path.join(home, name), { recursive: true });
    setUnreleased('\n- A test.\n');
  });
  after(() => fs.rmSync(home, { recursive: true }));

  function release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [path.join(home, 'scripts/release.mjs'), ...args], {
      encoding: 'utf8',
      // Nothing is published, whatever the command does.
      env: { ...process.env, GITHUB_REPOSITORY: 'someone/else', npm_config_registry: 'http://127.0.0.1:9' },
    });
  }
  /** Replaces the unreleased entries in the copy. */
  function setUnreleased(entries: string): void {
    const released = changelog(root).slice(changelog(root).search(/^## \d/m));
    const text = `# Changelog\n\n## Unreleased\n${entries}\n${released}`;
    fs.writeFileSync(path.join(home, 'CHANGELOG.md'), text);
  }
  const changelog = (of = home): string => fs.readFileSync(path.join(of, 'CHANGELOG.md'), 'utf8');

  test('the changelog has a date for each version, newest first, below unreleased changes, if there are any', () => {
    const headings = changelog(root).match(/^## .*/gm) ?? [];
    const released = headings[0] === '## Unreleased' ? headings.slice(1) : headings;
    assert.ok(released.length > 0);
    const versions = released.map(heading => /^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/.exec(heading));
    assert.ok(versions.every(Boolean), released.join());
    assert.equal(versions[0]![1], `${major}.${minor}.${patch}`);
    const dates = versions.map(match => match![2]!);
    assert.deepEqual(dates, [...dates].sort().reverse());
  });

  test('the packages share minor and patch version, and depend on exactly the current versions of each other', () => {
    for (const each of homes) {
      const { version, dependencies = {} } = manifestIn(root, each);
      assert.ok(version.endsWith(`.${minor}.${patch}`), each);
      if (ENGINE in dependencies)
        assert.equal(dependencies[ENGINE], manifestIn(root, 'packages/engine').version);
    }
  });

  test('rejects a major version, an invalid date, and a changelog without changes', () => {
    assert.match(release('major').stderr, /Expected minor or patch, got major/);
    assert.match(release('minor', '--date=tomorrow').stderr, /Expected a date like 2027-01-31, got tomorrow/);
    setUnreleased('');
    assert.match(release('minor').stderr, /nothing under "## Unreleased"/);
    setUnreleased('\n- A test.\n');
    assert.equal(manifestIn(home, 'packages/ristretto').version, `${major}.${minor}.${patch}`);
  });

  test('writes the next version everywhere, and prints the tag to push', () => {
    const { status, stdout, stderr } = release('minor', '--date=2027-01-31');
    assert.deepEqual([status, stderr], [0, '']);
    const next = `.${Number(minor) + 1}.0`;
    assert.match(stdout, new RegExp(`git tag -a v${major}${next}`));
    assert.match(
      changelog(),
      new RegExp(`^## Unreleased\\n\\n## ${major}${next} \\(2027-01-31\\)\\n\\n- A test\\.$`, 'm'),
    );
    const { packages } = parse(home, 'package-lock.json') as { packages: Record<string, Manifest> };
    for (const each of homes) {
      const { version, dependencies = {} } = manifestIn(home, each);
      assert.ok(version.endsWith(next), each);
      assert.equal(packages[each]!.version, version);
      if (ENGINE in dependencies) assert.equal(dependencies[ENGINE], `0${next}`);
    }
  });

  test('prints the notes of the newest version, and refuses to publish under any other tag', () => {
    assert.equal(release('notes').stdout, '- A test.\n');
    assert.match(
      release('publish', 'v1.0.0').stderr,
      /Expected the tag v4\.\d+\.0 of packages\/ristretto, got v1\.0\.0/,
    );
  });

  test('publishes from the repository of the manifests only, where reports of vulnerabilities arrive', () => {
    const { version } = manifestIn(home, 'packages/ristretto');
    assert.match(
      release('publish', `v${version}`).stderr,
      /repository\.url is git\+https:\S+\.git, but this is someone\/else: see CONTRIBUTING\.md/,
    );
  });
});

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** A line of the comment at the top that shows how to run a script. */
const USAGE = /^(?: \* )? {4}(?:[A-Z_]+=\S+ )?(?:node \w+\/|npm run ).*/m;

const files = execFileSync('git', ['ls-files', 'proofs', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    file => /\.[cm]js$|\/run\.ts$/.test(file) && USAGE.test(/^\/\*\*.*?\*\//s.exec(read(file))?.[0] ?? ''),
  );

/** Makes a process fail that starts another, connects, or creates a temporary folder. */
const BLOCK = `
  for (const [module, names] of Object.entries({
    child_process: ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'],
    net: ['connect', 'createConnection', 'createServer'],
    fs: ['mkdtempSync'],
  }))
    for (const name of names)
      require(module)[name] = () => { console.error(name + ' was called'); process.exit(3); };
  require('module').syncBuiltinESMExports();
`;
const block = path.join(fs.mkdtempSync(path.join(root, 'node_modules/.cache/scripts-')), 'block.cjs');

function run(file: string, args: string[], options: string[] = []) {
  const loader = file.endsWith('.ts') ? ['--require', './scripts/typescript.cjs'] : [];
  const all = [...loader, ...options, file, ...args];
  return spawnSync(process.execPath, all, { cwd: root, encoding: 'utf8', timeout: LONGEST_WAIT });
}

/** The scripts of the repository: each answers `--help`, and rejects options and words that it doesn't know. */
describe('scripts', () => {
  fs.writeFileSync(block, BLOCK);
  process.once('exit', () => {
    fs.rmSync(path.dirname(block), { recursive: true });
  });

  for (const file of files)
    test(`${file}: --help prints the usage, and starts, downloads and writes nothing`, () => {
      const { status, stdout, stderr } = run(file, ['--help'], ['--require', block]);
      assert.equal(stderr, '');
      assert.equal(status, 0);
      assert.match(stdout, USAGE);
      assert.ok(!stdout.includes('*/'), stdout);
    });

  test('npm scripts: each runs one program, which answers --help', () => {
    for (const [name, command] of Object.entries(scripts)) {
      if (/^(?:pre)?start$|^lint$|^format$/.test(name)) continue;
      const [, file = ''] = /^node (?:--require \S+ )?(\S+)(?: --watch)?$/.exec(command) ?? [];
      assert.ok(files.includes(file), name);
    }
  });

  for (const [file, args] of [
    ['proofs/bench/http/run.mjs', ['--only', 'nonsense']],
    ['proofs/bench/http/run.mjs', ['--frameworks', 'nonsense']],
    ['proofs/bench/overload/run.mjs', ['nonsense']],
    ['proofs/conformance/run.ts', ['nonsense']],
    ['proofs/soak/run.mjs', ['--only', 'nonsense']],
    ['proofs/compat/run.mjs', ['nonsense']],
    ['proofs/fuzz/run-all.mjs', ['nonsense']],
    ['scripts/run-tests.mjs', ['nonsense']],
    ['proofs/scale/run.mjs', ['--only', 'nonsense']],
    ['scripts/test-http2.mjs', ['nonsense']],
    ['proofs/typescript/run.mjs', ['nonsense']],
    ['proofs/upstream/run.mjs', ['nonsense']],
  ] as [string, string[]][])
    test(`${file} ${args.join(' ')}: fails with a message that quotes the name`, () => {
      const { status, stderr } = run(file, args);
      assert.equal(status, 1, stderr);
      assert.match(stderr, /["' ]nonsense["']?/);
      assert.doesNotMatch(stderr, /^ +at /m);
    });

  test('an option that does not exist: fails with its name', () => {
    const { status, stderr } = run('proofs/fuzz/run-all.mjs', ['--second=1']);
    assert.equal(status, 1);
    assert.match(stderr, /'--second'.*--help lists the options/);
  });
});
