// runs: once
/** The rules of the architecture: layers, no cycles, no barrels, small files, only declared packages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { words } from '../support/random.js';

// Reads the imports of each source file and reports those that break the architecture rules.

/** Maps file names, relative to src and with slashes, to their text. */
type Sources = Map<string, string>;

interface Architecture {
  /**
   * Directories (each a folder and the file of the same name next to it) by layer, the lowest first. A folder in another
   * one belongs to that, unless it is named itself. A package of a few files has none, and only its cycles are rejected.
   */
  layers?: string[][];
  /** Allowed imports between directories of one layer: importing file to imported file. */
  exceptions: [string, string][];
  /** Package names that may be imported. */
  packages: string[];
  /** Maximum number of lines in a file. */
  lines: number;
  /** Files that consist of what other packages may use. They may import every file, and no file imports them. */
  doors?: string[];
}

/** The .ts files under a folder. */
function readSources(folder: string): Sources {
  const sources: Sources = new Map();
  for (const entry of fs.readdirSync(folder, { recursive: true }).map(String).sort()) {
    const name = entry.split(path.sep).join('/');
    if (/\.[mc]?ts$/.test(name)) sources.set(name, fs.readFileSync(path.join(folder, entry), 'utf8'));
  }
  return sources;
}

/** Returns what a file imports in any form: import, import type, export from, import =, require(), import(). */
function importsOf(text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return [...new Set(importedFiles.map(({ fileName }) => fileName))];
}

/** Returns the identifiers in a file, without those in comments and strings. */
function identifiersOf(text: string): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2022));
  return [...names];
}

/** The source file that a relative import refers to, or undefined. */
function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  const target = path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '');
  return [`${target}.ts`, `${target}/index.ts`].find(name => sources.has(name));
}

/** The innermost directory of a layer with a file, or its own name: 'body/read.ts' and 'body.ts' belong to 'body'. */
function directoryOf(file: string, layers: string[][]): string {
  const names = file.replace(/\.ts$/, '').split('/');
  const outer = names.map((_, at) => names.slice(0, at + 1).join('/'));
  return outer.reverse().find(name => layers.some(directories => directories.includes(name))) ?? names[0]!;
}

/**
 * The files next to src and lib: the package's manifest, published declarations, and the files that tracers look for.
 */
const BESIDE = /^\.\.\/(?:package\.json|types\/[\w-]+|traced\/.*)$/;

/** Returns all violations of the rules, one sentence each. */
function violations(sources: Sources, architecture: Architecture): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const targets: string[] = [];
    for (const specifier of importsOf(text)) {
      if (BESIDE.test(path.posix.join(path.posix.dirname(file), specifier))) continue;
      if (!specifier.startsWith('.')) {
        found.push(...undeclared(file, specifier, architecture));
        continue;
      }
      const target = resolve(file, specifier, sources);
      if (target === undefined) found.push(`${file}: ${specifier} is not a file of the package`);
      else targets.push(target);
    }
    graph.set(file, targets);
    for (const target of targets) found.push(...misplaced(file, target, architecture));
    found.push(...ofShape(file, text, architecture));
    if (!architecture.doors?.includes(file) && isBarrel(file, text))
      found.push(`${file} does nothing but re-export`);
  }
  return [...found, ...cycles(graph)];
}

/** The package that all versions share, and the parts of it that they may import: its doors, and its types. */
const ENGINE = '@ristretto/private-engine';
const DOOR = new RegExp(`^${ENGINE}/lib/(?:types/)?[\\w-]+$`);

function undeclared(file: string, specifier: string, { packages }: Architecture): string[] {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (specifier.startsWith('node:')) return [];
  if (name === ENGINE && !DOOR.test(specifier)) return [`${file}: ${specifier} is not a door of the engine`];
  if (builtinModules.includes(specifier)) return [`${file}: ${specifier} is written without node:`];
  return packages.includes(name) ? [] : [`${file}: the package ${name} is not among the dependencies`];
}

function misplaced(file: string, target: string, { layers, exceptions, doors = [] }: Architecture): string[] {
  if (doors.includes(target)) return [`${file} imports ${target}, which is a door for other packages`];
  if (doors.includes(file) || layers === undefined) return [];
  const [directory, other] = [directoryOf(file, layers), directoryOf(target, layers)];
  const [layer, otherLayer] = [directory, other].map(name =>
    layers.findIndex(directories => directories.includes(name)),
  ) as [number, number];
  if (layer < 0) return [`${file}: the directory ${directory} is on no layer`];
  if (directory === other || otherLayer < layer) return [];
  if (otherLayer > layer) return [`${file} imports ${target} from a higher layer`];
  return exceptions.some(([from, to]) => from === file && to === target)
    ? []
    : [`${file} imports ${target} from a sibling directory of its layer`];
}

function ofShape(file: string, text: string, { lines }: Architecture): string[] {
  const found: string[] = [];
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (count > lines) found.push(`${file} has ${count} lines, more than ${lines}`);
  if (!/^(\/\/(\/ | eslint-).*\n)*\/\*\*/.test(text))
    found.push(`${file} does not begin with a comment that says its job`);
  return found;
}

/** Whether a file is a barrel: every statement is an import or a re-export, with at least one re-export. */
function isBarrel(file: string, text: string): boolean {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const passesOn = (node: ts.Statement) => ts.isExportDeclaration(node);
  return (
    statements.some(passesOn) && statements.every(node => passesOn(node) || ts.isImportDeclaration(node))
  );
}

/** Each cycle once, as 'a -> b -> a'. */
function cycles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      found.push(`a cycle: ${[...trail.slice(start), file].join(' -> ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

const packages = path.join(__dirname, '../../..');

/** Returns the names of the packages that a package of this repository depends on. */
function dependenciesOf(name: string): string[] {
  const manifest = JSON.parse(fs.readFileSync(path.join(packages, name, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(manifest.dependencies ?? {});
}

/** Returns the folders below packages/ that contain packages of few files, which need no layers. */
function smallPackages(): string[] {
  const middleware = fs.readdirSync(path.join(packages, 'middleware')).map(name => `middleware/${name}`);
  return ['migrate', 'create-ristretto', ...middleware].filter(name =>
    fs.existsSync(path.join(packages, name, 'src')),
  );
}

/** Returns the files of the engine that other packages import: those beside its directories. */
const doors = fs.readdirSync(path.join(packages, 'engine/src')).filter(name => name.endsWith('.ts'));

/**
 * Packages used only for their types: the one declared by this package, under the name that programs written for
 * Express augment, `@types/qs`, and the interface of OpenTelemetry, which an application passes or has installed.
 */
const TYPES_ONLY = ['express-serve-static-core', 'qs', '@opentelemetry/api'];

/** The architecture of the engine, which all versions share. */
const engine: Architecture = {
  layers: [
    // This layer has only types. It declares the cycle application ↔ request ↔ response, so that no module above
    // needs one. It also contains the loading of modules after startup.
    ['types', 'deferred', 'node-process', 'realms', 'shown'],
    // Where files are: the engine's own, and modules of the application. Sizes and durations, for other packages too.
    ['modules', 'amount'],
    // These functions from strings to values work without a request, and can be tested without a server. The others
    // are data for tools and logs.
    ['protocol', 'report'],
    // Messages to the programmer, which production does not load.
    ['dev'],
    // Records what differs between the versions of the API.
    ['version'],
    // This code runs on every request before and after the user's code, and uses no member of req or res.
    ['router', 'serving'],
    // The members of requests and responses, the parsers, the file server, and the kinds of servers that receive requests
    // do not depend on each other. Members therefore import no kind of server, and these share only what is in serving/.
    ['message/request', 'message/response', 'body', 'static', 'view', 'dev/error-page'].concat(
      ['addons/middleware', 'addons/validation', 'addons/openapi', 'addons/telemetry'],
      ['serving/http1', 'serving/http2', 'serving/fetch'],
    ),
    // Stops servers of each kind.
    ['stop'],
    // Routes for WebSockets use the schemas, the stop and the servers below.
    ['addons/websocket'],
    // Builds an application from the directories below.
    ['application'],
    // The program `ristretto`, which no application loads.
    ['cli'],
  ],
  exceptions: [
    // Static, sendFile and download share one file-serving engine.
    ['message/response/file.ts', 'static/send-file.ts'],
  ],
  packages: [...dependenciesOf('engine'), ...TYPES_ONLY],
  lines: 500,
  // These are single files, and both sides import them.
  doors: doors.filter(
    name =>
      !words(`
        amount.ts deferred.ts modules.ts node-process.ts realms.ts shown.ts version.ts view.ts
      `).includes(name),
  ),
};

/** The architecture of the Express 4 package. */
const architecture4: Architecture = {
  layers: [
    ['version'],
    ['router', 'middleware'],
    ['request', 'response', 'view'],
    ['application'],
    ['express', 'utils'],
  ],
  exceptions: [],
  packages: dependenciesOf('ristretto'),
  lines: 500,
};

/** The architecture of the Express 3 package. */
const architecture3: Architecture = {
  layers: [
    ['types'],
    // Deprecation notices, and the locals of applications and responses.
    ['deprecate', 'locals'],
    ['view'],
    ['version'],
    ['router'],
    // The 3.x members of requests and responses, and the 3.x middleware.
    ['request', 'response', 'middleware'],
    ['application'],
    ['express', 'utils'],
  ],
  exceptions: [],
  packages: dependenciesOf('ristretto3'),
  lines: 500,
};

/** The architecture of the Express 5 package. */
const architecture5: Architecture = {
  layers: [
    ['types'],
    ['protocol', 'view'],
    // The record consists of functions of the router, and routers are created with it.
    ['version', 'routing'],
    // The 5.x members of requests and responses.
    ['request', 'response'],
    ['application'],
    ['express', 'utils'],
  ],
  exceptions: [
    ['version.ts', 'routing/debug.ts'],
    ['version.ts', 'routing/layer.ts'],
    ['version.ts', 'routing/walk.ts'],
    ['routing/router-members.ts', 'version.ts'],
    ['routing/route.ts', 'version.ts'],
  ],
  packages: dependenciesOf('ristretto5'),
  lines: 500,
};

/** Returns the names that a door passes on. */
function exportsOf(text: string): string[] {
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...lists].flatMap(([, list]) => list!.match(/\w+(?=\s*(?:,|$))/g) ?? []);
}

/** Returns the texts of all sources of packages other than the engine. */
function sourcesOfOthers(): string[] {
  const files = fs.readdirSync(packages, { recursive: true, encoding: 'utf8' });
  return files
    .filter(file => /^(?!engine|.*node_modules).*[\\/]src[\\/].*\.ts$/.test(file))
    .map(file => fs.readFileSync(path.join(packages, file), 'utf8'));
}

/** The architecture of a package of few files. */
const architectureOf = (name: string): Architecture => ({
  exceptions: [],
  packages: [...dependenciesOf(name), 'express', 'express-serve-static-core'],
  lines: 500,
});
const HEAD = '/** Job. */\n';

const bad = (files: Record<string, string>): string[] => {
  const sources: Sources = new Map(Object.entries(files).map(([name, text]) => [name, HEAD + text]));
  return violations(sources, engine);
};

describe('architecture', () => {
  for (const [name, architecture] of Object.entries({
    engine,
    ristretto: architecture4,
    ristretto3: architecture3,
    ristretto5: architecture5,
  })) {
    test(`source: every file of ${name} follows its rules`, () => {
      assert.deepEqual(violations(readSources(path.join(packages, name, 'src')), architecture), []);
    });
  }

  test('source: every file of the packages without layers follows the rules', () => {
    const names = smallPackages();
    assert.ok(names.includes('middleware/session') && names.includes('migrate'));
    for (const name of names)
      assert.deepEqual(
        violations(readSources(path.join(packages, name, 'src')), architectureOf(name)),
        [],
        name,
      );
  });

  test('servers: an application imports only their entry points', () => {
    const found = [...readSources(path.join(packages, 'engine/src'))]
      .filter(([file]) => file.startsWith('application/'))
      .flatMap(([, text]) => importsOf(text))
      .filter(specifier => /^\.\.\/serving\/(?:http1|http2|fetch)\//.test(specifier));
    assert.deepEqual(
      [...new Set(found)].sort(),
      words(`
        serving/fetch/handle-fetch serving/fetch/inject serving/http1/attach serving/http2/attach
        serving/http2/compat-api serving/http2/server
      `).map(name => `../${name}`),
    );
  });

  test('packages: the engine depends on no version, and no version depends on another', () => {
    for (const name of ['engine', 'ristretto', 'ristretto3', 'ristretto5']) {
      const files = [...readSources(path.join(packages, name, 'src'))];
      const foreign = files.filter(([, text]) => importsOf(text).some(each => each.startsWith('ristretto')));
      assert.deepEqual(foreign, [], name);
    }
  });

  test('dependencies: every package imports everything that it installs', () => {
    for (const name of ['engine', 'ristretto', 'ristretto3', 'ristretto5', ...smallPackages()]) {
      const specifiers = [...readSources(path.join(packages, name, 'src')).values()].flatMap(importsOf);
      const unused = dependenciesOf(name).filter(
        each =>
          !each.startsWith('@types/') &&
          !specifiers.some(specifier => `${specifier}/`.startsWith(`${each}/`)),
      );
      assert.deepEqual(unused, [], name);
    }
  });

  test('doors: every name of a door is used by another package', () => {
    const files = sourcesOfOthers();
    const unused = doors.flatMap(door => {
      const specifier = `'@ristretto/private-engine/lib/${door.replace(/\.ts$/, '')}'`;
      const users = files.filter(text => text.includes(specifier)).join('\n');
      const names = exportsOf(fs.readFileSync(path.join(packages, 'engine/src', door), 'utf8'));
      return names.filter(name => !new RegExp(`\\b${name}\\b`).test(users)).map(name => `${door}: ${name}`);
    });
    assert.deepEqual(unused, []);
  });

  test('comments: those of sources, and the pages on the architecture, name only files that exist', () => {
    const root = path.join(packages, '..');
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const names = new Set(files.map(file => path.posix.basename(file)));
    const found = files
      .filter(file => /^packages\/.*\/src\/.*\.(?:ts|md)$|^ARCHITECTURE\.md$/.test(file))
      .flatMap(file => {
        const text = fs.readFileSync(path.join(root, file), 'utf8');
        const prose = file.endsWith('.md') ? [text] : (text.match(/^\s*(?:\*|\/\/|\/\*\*).*$/gm) ?? []);
        return prose
          .flatMap(line => line.match(/(?<![\w./-])[\w/-]*\w\.(?:ts|mjs|cjs)\b/g) ?? [])
          .filter(name => !names.has(path.posix.basename(name)))
          .map(name => `${file}: ${name}`);
      });
    assert.deepEqual(found, []);
  });

  test('versions: no identifier of the engine names a version', () => {
    const found = [...readSources(path.join(packages, 'engine/src'))].flatMap(([file, text]) =>
      identifiersOf(text)
        .filter(name => /express_?[345]|[a-z][345]$/i.test(name) && name !== 'mp4')
        .map(name => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  test('imports: are detected in every form', () => {
    const text = [
      "import a from './a';",
      "import type { B } from './b';",
      "import c = require('./c');",
      "export { d } from './d';",
      "export type * from './e';",
      "function f() { return require('./f'); }",
      "const g = () => import('./g');",
      "let h: typeof import('./h');",
      "import './i';",
    ].join('\n');
    assert.deepEqual(
      importsOf(text).sort(),
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(name => `./${name}`),
    );
  });

  const broken: [title: string, files: Record<string, string>, found: string[]][] = [
    [
      'a server that a member, another server or what all share imports',
      {
        'message/response/send.ts': "import { x } from '../../serving/http1/write';",
        'serving/http2/attach.ts': "import { x } from '../http1/write';",
        'serving/write-content.ts': "import { x } from './http1/write';",
        'serving/http1/write.ts': 'export const x = 1;',
      },
      [
        'message/response/send.ts imports serving/http1/write.ts from a sibling directory of its layer',
        'serving/http2/attach.ts imports serving/http1/write.ts from a sibling directory of its layer',
        'serving/write-content.ts imports serving/http1/write.ts from a higher layer',
      ],
    ],
    [
      'a door that the engine itself imports',
      { 'router.ts': 'export const x = 1;', 'router/walk.ts': "import { x } from '../router';" },
      ['router/walk.ts imports router.ts, which is a door for other packages'],
    ],
    [
      'a cycle, of types too',
      {
        'router/a.ts': "import type { B } from './b'; export type A = B;",
        'router/b.ts': "import c = require('./c'); export type B = typeof c;",
        'router/c.ts': "export const c = () => import('./a');",
      },
      ['a cycle: router/a.ts -> router/b.ts -> router/c.ts -> router/a.ts'],
    ],
    [
      'a file that only re-exports, one with 501 lines, and an import of no file',
      {
        'serving/all.ts': "export * from './write';",
        'serving/write.ts': 'export const w = 1;',
        'view.ts': '1;\n'.repeat(500),
        'misc/junk.ts': "import './gone';",
      },
      [
        'serving/all.ts does nothing but re-export',
        'view.ts has 501 lines, more than 500',
        'misc/junk.ts: ./gone is not a file of the package',
      ],
    ],
    [
      'a package that is not declared, a builtin without node:, and a directory on no layer',
      {
        'view.ts': "import 'lodash/fp'; import fs from 'fs'; import 'node:fs';",
        'misc/a.ts': "import '../view';",
      },
      [
        'view.ts: the package lodash is not among the dependencies',
        'view.ts: fs is written without node:',
        'misc/a.ts: the directory misc is on no layer',
      ],
    ],
  ];
  for (const [what, files, found] of broken) {
    test(`rejects ${what}`, () => {
      assert.deepEqual(bad(files), found);
    });
  }

  test('rejects a file without an opening comment, and what is behind the doors of the engine', () => {
    const text = "import { x } from '@ristretto/private-engine/lib/router/walk';";
    assert.deepEqual(violations(new Map([['view.ts', text]]), architecture4), [
      'view.ts: @ristretto/private-engine/lib/router/walk is not a door of the engine',
      'view.ts does not begin with a comment that says its job',
    ]);
  });
});
