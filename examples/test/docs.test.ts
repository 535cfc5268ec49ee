// runs: once
/**
 * Tests the documentation: its programs compile, those marked `run` respond as their comments say, and its links
 * resolve. A block starts with ```js run or ```ts run if it is a whole program; requests to it are comments such as
 *
 *     // POST /users (X-Key: a; X-More: b) {"name":"Ada"} -> 201 {"id":1}
 *
 * An expected response that ends in ` ...` is a prefix. Redirects show their target.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import type { RequestListener } from 'node:http';
import esbuild from 'esbuild';
import web from 'ristretto';
import request from 'supertest';
import ts from 'typescript';
import { writeReference } from './reference/examples.js';

const root = path.resolve(__dirname, '../..');
writeReference();
/** Its programs are run by tutorial.test.ts. */
const TUTORIAL = 'tutorial.md';
const documents = [
  'README.md',
  'packages/ristretto/Readme.md',
  'examples/README.md',
  'examples/showcase/README.md',
];
for (const folder of [
  'docs',
  'docs/guide',
  'docs/proofs',
  'docs/troubleshooting',
  'docs/reference',
  'docs/reference/3.x',
  'docs/reference/5.x',
]) {
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

interface Block {
  title: string;
  language: string;
  run: boolean;
  code: string;
}

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
    const { code } = esbuild.transformSync(block.code, { loader, format: 'cjs', logLevel: 'silent' });
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

describe('documentation', () => {
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
