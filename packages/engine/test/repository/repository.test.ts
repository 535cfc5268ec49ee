// runs: slow, built, once
/** The repository itself: its manifests, and its automation on GitHub. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';
import { packageHomes } from '../../../../scripts/packages.cjs';

const root = path.join(__dirname, '../../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const list = (folder: string): string[] => fs.readdirSync(path.join(root, folder));
const hasManifest = (home: string) => fs.existsSync(path.join(root, home, 'package.json'));
const manifestOf = (home: string) =>
  JSON.parse(read(`${home}/package.json`)) as {
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

describe('repository', () => {
  test('manifests agree on the location of the project, and no text links to another one', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/manifests.mjs'), '--check'],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(stderr, '');
    assert.equal(status, 0);
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

  test('issue forms have the fields that GitHub requires', () => {
    for (const file of list('.github/ISSUE_TEMPLATE').filter(name => name !== 'config.yml')) {
      const form = parse(read(`.github/ISSUE_TEMPLATE/${file}`)) as {
        name: string;
        description: string;
        body: { type: string; id: string; attributes: { label: string; options?: string[] } }[];
      };
      assert.ok(form.name && form.description, file);
      const ids = form.body.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, file);
      for (const { type, id, attributes } of form.body) {
        assert.ok(['textarea', 'input', 'dropdown'].includes(type) && /^[\w-]+$/.test(id), file);
        assert.ok(attributes.label, file);
        assert.equal(type === 'dropdown', Array.isArray(attributes.options), file);
      }
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
