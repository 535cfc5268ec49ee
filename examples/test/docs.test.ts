// runs: once
/** The documentation: its programs, links, figures and messages, and the site. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import esbuild from 'esbuild';
import web from 'ristretto';
import request from 'supertest';
import ts from 'typescript';
import { packageHomes } from '../../scripts/packages.cjs';
import { root } from './recipes';
import { writeReference } from './reference/examples.js';
import { words } from '../../packages/engine/test/support/random';

/** Finds the messages of warnings and errors in the sources of the packages, for docs/troubleshooting.md. */
interface Message {
  /** The text; `…` stands for what is inserted. */
  text: string;
  /** The code of a warning. */
  code?: string;
  file: string;
  line: number;
}

/** Functions that report or throw a message, with its position among their arguments. */
const REPORTS: Readonly<Record<string, number>> = {
  codedError: 1,
  createError: 1,
  deprecate: 0,
  fail: 0,
  httpError: 1,
  malformed: 0,
  refusal: 1,
  refuse: 1,
  warn: 1,
  warnOnce: 1,
  emitWarning: 0,
};
const GAP = '…';

/** Returns the sources of the packages that applications load, and of their commands. */
function sources(parent = 'packages'): string[] {
  const packages = path.join(root, parent);
  return fs.readdirSync(packages).flatMap(name => {
    const folder = path.join(packages, name, 'src');
    if (!fs.existsSync(folder)) return [];
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter(file => file.endsWith('.ts')).map(file => path.join(folder, file));
  });
}

/** Returns the messages of a file, and how many consist only of a value. */
function messagesIn(file: string): { messages: Message[]; unknown: string[] } {
  const source = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const messages: Message[] = [];
  const unknown: string[] = [];
  const name = path.relative(root, file).replaceAll(path.sep, '/');

  /** Returns the possible texts of an expression. */
  function textsOf(node: ts.Expression | undefined, depth = 0): string[] {
    if (node === undefined || depth > 6) return [GAP];
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, depth);
    if (ts.isConditionalExpression(node))
      return [...textsOf(node.whenTrue, depth + 1), ...textsOf(node.whenFalse, depth + 1)];
    if (ts.isTemplateExpression(node))
      return [node.head.text + node.templateSpans.map(({ literal }) => GAP + literal.text).join('')];
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      const left = textsOf(node.left, depth + 1);
      return left.flatMap(text => textsOf(node.right, depth + 1).map(rest => text + rest));
    }
    // A list of lines: the first one identifies the message.
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const list = node.expression.expression;
      if (node.expression.name.text === 'join' && ts.isArrayLiteralExpression(list))
        return textsOf(list.elements[0], depth + 1).map(text => `${text} ${GAP}`);
    }
    if (ts.isIdentifier(node)) return textsOf(initializerOf(node), depth + 1);
    return [GAP];
  }

  /** Returns the initial value of a variable of the same file. */
  function initializerOf({ text, pos }: ts.Identifier): ts.Expression | undefined {
    let found: ts.Expression | undefined;
    const visit = (node: ts.Node): void => {
      const isDeclared =
        ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === text;
      if (isDeclared && node.pos < pos) found = node.initializer;
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  function add(node: ts.Node, expression: ts.Expression | undefined, code?: string): void {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    for (const raw of textsOf(expression)) {
      const text = raw
        .replace(/\s+/g, ' ')
        .replace(/(?:…\s?)+…/g, GAP)
        .trim();
      if (!/[a-z]{2}/i.test(text)) unknown.push(`${name}:${line + 1}`);
      else messages.push({ text, file: name, line: line + 1, ...(code === undefined ? {} : { code }) });
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error'))
      add(node, node.arguments?.[0]);
    if (ts.isCallExpression(node)) {
      const called = node.expression;
      const own = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
      const at = Object.hasOwn(REPORTS, own) ? REPORTS[own] : undefined;
      if (at !== undefined) {
        const [first] = node.arguments;
        const code =
          own.startsWith('warn') && first && ts.isStringLiteralLike(first) ? first.text : undefined;
        // Other functions of that name take a response.
        const isOther = own === 'refuse' && first !== undefined && !ts.isNumericLiteral(first);
        if (node.arguments.length > at && !isOther) add(node, node.arguments[at], code);
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return { messages, unknown };
}

/** Its programs are run by tutorial.test.ts. */
const TUTORIAL = 'tutorial.md';

const documents = [
  'README.md',
  'packages/ristretto/Readme.md',
  'examples/README.md',
  'examples/showcase/README.md',
];

interface Block {
  title: string;
  language: string;
  run: boolean;
  code: string;
}

/** Returns the requests in a program's comments, with their expected responses. */
function promises(code: string) {
  const form = /^\s*\/\/ ([A-Z]+) (\/\S*)(?: \((.*?)\))?(?: (\S.*?))? -> (\d{3})(?: (.*))?$/gm;
  return [...code.matchAll(form)].map(([line, method = '', target = '', fields, body, status, answer]) => ({
    line: line.trim(),
    method,
    target,
    fields: Object.fromEntries((fields ?? '').split('; ').map(field => field.split(': '))) as Record<
      string,
      string
    >,
    body,
    status: Number(status),
    answer,
  }));
}

async function keeps(app: RequestListener, promise: ReturnType<typeof promises>[number]): Promise<void> {
  let asked = request(app)[promise.method.toLowerCase() as 'get'](promise.target).redirects(0);
  for (const [name, value] of Object.entries(promise.fields)) if (name) asked = asked.set(name, value);
  if (promise.body !== undefined) {
    if (!('Content-Type' in promise.fields)) asked = asked.type('json');
    asked = asked.send(promise.body);
  }
  const res = await asked.buffer(true);
  assert.equal(res.status, promise.status, promise.line);
  if (promise.answer === undefined) return;
  const shown = res.redirect ? res.headers.location : res.text.trim();
  if (promise.answer.endsWith(' ...'))
    assert.ok(shown?.startsWith(promise.answer.slice(0, -4)), promise.line);
  else assert.equal(shown, promise.answer, promise.line);
}

/**
 * Tests the documentation: its programs compile, those marked `run` respond as their comments say, and its links
 * resolve. A block starts with ```js run or ```ts run if it is a whole program; requests to it are comments such as
 *
 *     // POST /users (X-Key: a; X-More: b) {"name":"Ada"} -> 201 {"id":1}
 *
 * An expected response that ends in ` ...` is a prefix. Redirects show their target.
 */
describe('documentation', () => {
  const root = path.resolve(__dirname, '../..');
  writeReference();
  for (const folder of words(`docs docs/guide docs/proofs docs/troubleshooting docs/reference docs/reference/3.x
    docs/reference/5.x`)) {
    for (const name of fs.readdirSync(path.join(root, folder))) {
      if (name.endsWith('.md') && name !== TUTORIAL) documents.push(`${folder}/${name}`);
    }
  }
  /** Their programs are run by separate tests: recipes.*.test.ts. */
  const linking = [
    ...documents,
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'packages/README.md',
    'packages/engine/src/serving/README.md',
    `docs/${TUTORIAL}`,
    ...fs.readdirSync(path.join(root, 'docs/recipes')).map(name => `docs/recipes/${name}`),
  ];
  /** Returns the fenced code blocks of a document. */
  function blocks(document: string): Block[] {
    const text = fs.readFileSync(path.join(root, document), 'utf8');
    return [...text.matchAll(/^```(\w+)( run)?\n(.*?)^```$/gms)].map(match => ({
      title: `${document}:${text.slice(0, match.index).split('\n').length}`,
      language: match[1] ?? '',
      run: match[2] !== undefined,
      code: match[3] ?? '',
    }));
  }
  const all = documents.flatMap(blocks);
  /** Runs a program without letting it listen, and returns the application that called listen. */
  function applicationOf(block: Block): RequestListener {
    const started: RequestListener[] = [];
    const listen = web.application.listen;
    web.application.listen = function (this: RequestListener) {
      started.push(this);
    } as unknown as typeof listen;
    try {
      const loader = block.language === 'ts' ? 'ts' : 'js';
      const { code } = esbuild.transformSync(block.code, {
        loader,
        format: 'cjs',
        logLevel: 'silent',
        define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
      });
      const load = vm.compileFunction(code, ['require', '__dirname', 'console', 'module'], {
        filename: block.title,
      });
      const silent = { ...console, log: () => undefined, error: () => undefined };
      load(
        createRequire(path.join(root, 'examples/documentation.js')),
        path.join(root, 'examples/views-ejs'),
        silent,
        { exports: {} },
      );
    } finally {
      web.application.listen = listen;
    }
    assert.equal(started.length, 1, 'the program starts one application');
    return started[0]!;
  }

  for (const block of all.filter(({ run }) => run)) {
    test(`runs: ${block.title}`, async () => {
      const app = applicationOf(block);
      (app as unknown as ReturnType<typeof web>).set('env', 'test');
      for (const promise of promises(block.code)) await keeps(app, promise);
    });
  }

  test('compiles: every JavaScript program', () => {
    const scripts = all.filter(({ language }) => language === 'js');
    assert.ok(scripts.length > 10);
    for (const { title, code } of scripts) {
      assert.doesNotThrow(
        () => esbuild.transformSync(code, { sourcefile: title, logLevel: 'silent' }),
        title,
      );
    }
  });

  test('compiles: every TypeScript program, types included', () => {
    const programs = new Map<string, string>();
    let last = { document: '', name: '' };
    for (const { title, language, code } of all) {
      if (language !== 'ts') continue;
      const document = title.replace(/:\d+$/, '');
      // A block without imports continues the one before it in its document.
      const continues = document === last.document && !/^import /m.test(code);
      const name = continues ? last.name : path.join(__dirname, `documented-${programs.size}.ts`);
      programs.set(name, `${programs.get(name) ?? 'export {};'}\n${code}`);
      last = { document, name };
    }
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'],
    };
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile } = host;
    host.fileExists = name => programs.has(path.normalize(name)) || fileExists(name);
    host.readFile = name => programs.get(path.normalize(name)) ?? readFile(name);
    // Compiles each separately, so that none sees the global declarations of another.
    const getSourceFile = host.getSourceFile.bind(host);
    const parsed = new Map<string, ts.SourceFile | undefined>();
    host.getSourceFile = (name, ...rest) => {
      if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
      return parsed.get(name);
    };
    const mistakes = [...programs.keys()].flatMap(name =>
      ts.getPreEmitDiagnostics(ts.createProgram([name], options, host)),
    );
    assert.equal(ts.formatDiagnostics(mistakes, { ...host, getNewLine: () => '\n' }), '');
    assert.ok(programs.size > 0);
  });

  test('is JSON: every JSON block', () => {
    for (const { title, language, code } of all) {
      if (language === 'json') assert.doesNotThrow(() => void JSON.parse(code), title);
    }
  });

  for (const document of linking) {
    test(`links: ${document}`, () => {
      const text = fs.readFileSync(path.join(root, document), 'utf8').replace(/^( *)```.*?^\1```$/gms, '');
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const linked = path.resolve(root, path.dirname(document), file || path.basename(document));
        assert.ok(fs.existsSync(linked), `${document} links to ${target}`);
        if (anchor !== undefined)
          assert.ok(anchors(linked).includes(anchor), `${document} links to ${target}`);
      }
    });
  }
});

/** Returns the anchors of a document: explicit ones, and those generated from its headings. */
function anchors(file: string): string[] {
  const text = fs.readFileSync(file, 'utf8');
  const written = [...text.matchAll(/^<a id="(.*?)">/gm)].map(([, id = '']) => id);
  const ofHeadings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  return [...written, ...ofHeadings];
}

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim());

/** Returns the rows of the first table whose head begins with the given words, as cells by column. */
function tableIn(text: string, ...first: string[]): Record<string, string>[] {
  const lines = text.split('\n');
  const start = lines.findIndex(line => first.every((word, i) => cellsOf(line)[i] === word));
  assert.ok(start >= 0, first.join(' | '));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  const head = cellsOf(lines[start] ?? '');
  return lines
    .slice(start + 2, end)
    .map(line => Object.fromEntries(cellsOf(line).map((cell, i) => [head[i] ?? '', cell])));
}

/** Returns what the front page and README say of the programs that were compared, and of the restarts that were measured. */
function claims(): string[] {
  const [, programs, packages] =
    /(\d+) programs with (\d+) packages/.exec(read('docs/COMPATIBILITY.md')) ?? [];
  const stops = /✔ (\d+) restarts: 0 of (\d+) GET and 0 of (\d+) POST/;
  const [, restarts, gets, posts] = stops.exec(read('proofs/bench/results/operations-2026-11-21.md')) ?? [];
  const requests = (Number(gets) + Number(posts)).toLocaleString('en');
  return [
    `${programs} programs with ${packages} packages`,
    `${restarts} restarts under load, 0 of ${requests} requests`,
  ];
}

/** Figures on pages come from proofs/bench/results, and packages from COMPATIBILITY. */
describe('figures', () => {
  test('speed: the front page and the comparison agree with the newest results', async () => {
    const { pages, withFigures } = await import('../../scripts/figures.mjs');
    assert.equal(pages.length, 2);
    for (const page of pages) {
      const written = await withFigures(page, read(page));
      assert.ok(/json hello.*\d\.\d\d/.test(written), page);
      assert.equal(read(page), written, `${page}: run node scripts/figures.mjs`);
    }
  });

  test('comparison: the figures of a page with a database agree with the scale results', () => {
    const scale = read('proofs/bench/results/scale-2026-11-22.md');
    assert.match(scale, /\| ristretto \| 1 \| 260 \|/);
    assert.match(scale, /\| express4 \| 1 \| 462 \|/);
    const [, programs, packages] =
      /(\d+ programs) with (\d+ packages)/.exec(read('docs/COMPATIBILITY.md')) ?? [];
    assert.ok(read('docs/comparison.md').includes(`${programs} with ${packages}`));
  });

  test('claims: README and the front page agree with the proofs', () => {
    for (const page of ['README.md', 'docs/index.md'])
      for (const claim of claims()) assert.ok(read(page).includes(claim), `${page}: ${claim}`);
  });

  test('packages: our own are listed', () => {
    const page = read('docs/packages.md');
    const home = path.join(root, 'packages/middleware');
    for (const name of fs.readdirSync(home))
      if (fs.existsSync(path.join(home, name, 'Readme.md')))
        assert.ok(page.includes(`(../packages/middleware/${name}/Readme.md)`), name);
  });

  test('packages: each has been run', () => {
    const tested = read('docs/COMPATIBILITY.md') + read('examples/package.json');
    const rows = tableIn(read('docs/packages.md'), 'purpose', 'package');
    assert.ok(rows.length > 20);
    for (const { package: named = '', notes = '' } of rows)
      for (const [, name = ''] of `${named} ${notes}`.matchAll(/`([@a-z][\w@/-]*)`/g))
        assert.ok(
          tested.includes(`\`${name}\``) || tested.includes(`"${name}"`) || /^(?:web|app|res)$/.test(name),
          name,
        );
  });
});

const docs = path.join(root, 'docs');

interface Item {
  text: string;
  link?: string;
  items?: Item[];
}

interface Config {
  themeConfig: { sidebar: Record<string, Item[]> };
}

const linksOf = (items: readonly Item[]): string[] =>
  items.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...linksOf(below)]);

/** The documentation site: its navigation, and its files for machines. */
describe('documentation site', () => {
  test('the navigation has every page', async () => {
    const file = pathToFileURL(path.join(docs, '.vitepress/config.mjs')).href;
    const { default: config } = (await import(file)) as { default: Config };
    const links = linksOf(config.themeConfig.sidebar['/'] ?? []);
    const pages = fs
      .readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .map(name => name.replaceAll(path.sep, '/'))
      .filter(name => name.endsWith('.md') && !/^(?:reference|\.vitepress|index\.md)/.test(name))
      .map(name => `/${name.slice(0, -3)}`);
    assert.ok(pages.length > 60);
    const known = new Set(links.map(link => link.replace(/\/$/, '')));
    assert.deepEqual(
      pages.filter(page => !known.has(page)),
      [],
    );
    assert.equal(new Set(links).size, links.length, 'no page is listed twice');
  });

  test('the Readme of every published package links to the documentation', () => {
    for (const home of packageHomes()) {
      const [readme = ''] = fs.readdirSync(path.join(root, home)).filter(name => /^readme\.md$/i.test(name));
      assert.match(fs.readFileSync(path.join(root, home, readme), 'utf8'), /docs\/[\w/-]+\.md/, home);
    }
  });
});

const folder = path.join(root, 'docs/troubleshooting');

const page = fs
  .readdirSync(folder)
  .map(name => fs.readFileSync(path.join(folder, name), 'utf8'))
  .join('\n');
const code = '(`+)(?!`)(.+?)(?<!`)\\1(?!`)';

/** The messages on the page: a separate line below a code, or the first cell of a row. */
const entries = [...page.matchAll(new RegExp(`^(?:\\| |- )?${code}(?: *\\|.*)?$`, 'gm'))].map(
  ([, , text = '']) => text.trim().replaceAll('\\|', '|'),
);
const messages = sources().flatMap(file => messagesIn(file).messages);

/** A line about the other warnings. */
const reported = 'more of these … not shown';

/** Whether an entry is the message, or the beginning of it, followed by `…`. */
function describes(entry: string, text: string): boolean {
  if (entry === text) return true;
  const beginning = entry.replace(/ ?…$/, '');
  return entry.endsWith('…') && beginning.length > 25 && text.startsWith(beginning);
}

/** docs/troubleshooting.md and the pages below it: every message of the sources has an entry, and every entry has a message. */
describe('troubleshooting', () => {
  test('every message of the sources has an entry', () => {
    const missing = messages
      .filter(({ text }) => !text.includes(reported) && !entries.some(entry => describes(entry, text)))
      .map(({ text, file, line }) => `${text} (${file}:${line})`);
    assert.deepEqual([...new Set(missing)], []);
    assert.ok(messages.length > 250);
  });

  test('every entry is a message of the sources', () => {
    // The Readmes of the middleware have its messages; a few are in this page, too
    const all = [...messages, ...sources('packages/middleware').flatMap(file => messagesIn(file).messages)];
    const stale = entries.filter(entry => !all.some(({ text }) => describes(entry, text)));
    assert.deepEqual(stale, []);
  });

  test('every code of a warning has a heading, with its message below', () => {
    const used = new Set<string>();
    const variables = words(
      `RISTRETTO_LIGHT_MESSAGES RISTRETTO_WARNINGS RISTRETTO_PLACES RISTRETTO_ERROR_PAGE RISTRETTO_X`,
    );
    for (const file of sources())
      for (const [name] of fs.readFileSync(file, 'utf8').matchAll(/\bRISTRETTO_[A-Z0-9_]+\b/g))
        if (!variables.includes(name)) used.add(name);
    const headings = [...page.matchAll(/^### (RISTRETTO_\w+)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(headings.sort(), [...used].sort());
    for (const { code: name, text } of messages) {
      if (name === undefined) continue;
      const section = page.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
      const shown = [...section.matchAll(new RegExp(`^${code}$`, 'gm'))].map(([, , entry = '']) =>
        entry.trim(),
      );
      assert.ok(
        shown.some(entry => describes(entry, text)),
        `${name}: ${text}`,
      );
    }
  });

  test('the type of each error is on the page', () => {
    const types = new Set<string>();
    for (const file of sources())
      for (const [, type = ''] of fs.readFileSync(file, 'utf8').matchAll(/\btype: '(\w+(?:\.\w+)+)'/g))
        types.add(type);
    assert.ok(types.size > 10);
    for (const type of types) assert.ok(page.includes(`\`${type}\``), type);
  });
});
