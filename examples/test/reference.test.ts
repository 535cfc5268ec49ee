// runs: built, once
/** The examples and sections of the reference. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import ts from 'typescript';
import { examplesIn, examplesOf, folder, writeReference } from './reference/examples.js';
import type { Example } from './reference/examples.js';
import { enterProject } from './reference/run.js';
import type { Framework } from './reference/run.js';
import { isShown, mistakesOf } from './reference/run.js';

// Compiles the examples of the reference with the declarations of their package.

/**
 * Declares what examples may use without defining it. All other undeclared names are the reader's own, and may be
 * anything.
 */
const givenBy = (name: string): string => `import http from 'node:http';
import https from 'node:https';
import http2 from 'node:http2';
import fs from 'node:fs';
import { Readable } from 'node:stream';
import web from '${name}';
declare global { namespace Express { interface Request { user?: any; vhost?: any; csrfToken(): string } } }
declare const app: ReturnType<typeof web>;
declare const router: ${name === 'ristretto3' ? 'typeof app' : 'web.Router'};
declare const req: web.Request;
declare const res: web.Response;
declare const next: web.NextFunction;
declare const server: http.Server;
void [http, https, http2, fs, Readable];
`;

/** "Cannot find name", "Did you mean …?", and the same for a shorthand property: the name is the reader's own. */
const READERS_OWN = new Set([2304, 2552, 18004]);

/** Returns one program with each example in its own function. */
function sourceOf(name: string, all: readonly Example[]): { text: string; starts: number[] } {
  let text = givenBy(name);
  const starts: number[] = [];
  for (const { code } of all) {
    starts.push(text.length);
    text += `async () => {\n${code.replace('export default ', '')}};\n`;
  }
  return { text, starts };
}

/** Returns the compiler's errors in the examples, each with the title of its example. */
function compileErrors(name: string, all: readonly Example[]): string[] {
  const { text, starts } = sourceOf(name, all);
  const file = path.join(__dirname, 'reference.examples.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    ignoreDeprecations: '6.0',
    esModuleInterop: true,
    target: ts.ScriptTarget.ES2022,
    // The examples run in another directory, so the default roots do not apply.
    typeRoots: [path.resolve(__dirname, '../../node_modules/@types')],
    types: ['node'],
    noImplicitAny: false,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (asked, ...rest) =>
    asked === file
      ? ts.createSourceFile(asked, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, asked, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .filter(({ code }) => !READERS_OWN.has(code))
    .map(({ start = 0, code, messageText }) => {
      const example = all[starts.findLastIndex(at => at <= start)];
      return `${example?.title ?? 'what is given'} TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
}

const VERSIONS = [
  { folder: '', name: 'ristretto', express: 'express' },
  { folder: '3.x', name: 'ristretto3', express: 'express3' },
  { folder: '5.x', name: 'ristretto5', express: 'express5' },
];

/** In the examples, `express` is Ristretto. */
const fromRoot = createRequire(path.resolve(__dirname, '../../package.json'));

/** Pages whose examples make requests. */
const ROUTING = new Set(['application', 'request', 'response', 'router', 'route']);

/** Members that can only be shown with a server. */
const UNSEEN = new Set(['app.listen']);
const examples = new Map(VERSIONS.map(({ folder, name }) => [name, examplesOf(folder)]));

/** Returns whether Express does the same, according to the entry. */
const sameInExpress = ({ entry }: Example): boolean => /^\*\*Express \d\*\*: the same\.$/m.test(entry);

async function faultsOf(list: readonly Example[], web: Framework): Promise<string[]> {
  const faults: string[] = [];
  for (const example of list)
    faults.push(
      ...(await mistakesOf(example, web)).map(mistake => `${example.title} ${example.member}: ${mistake}`),
    );
  return faults;
}

/**
 * The examples of the reference compile, and have the values and responses in their comments, on this package and on
 * Express.
 */
describe('reference', () => {
  writeReference();

  let home = '';
  const start = process.cwd();
  const { NODE_ENV } = process.env;
  before(() => {
    home = enterProject();
    delete process.env.NODE_ENV;
  });
  after(() => {
    process.chdir(start);
    fs.rmSync(home, { recursive: true });
    if (NODE_ENV !== undefined) process.env.NODE_ENV = NODE_ENV;
  });

  for (const { name, express } of VERSIONS) {
    const all = examples.get(name) ?? [];
    test(`runs: every example of ${name} has the documented output`, async () => {
      assert.deepEqual(await faultsOf(all, fromRoot(name)), []);
    });
    // Middleware of Express 3 reads `res._headers`, which newer versions of Node do not have.
    const skip = express === 'express3' && !('_headers' in http.ServerResponse.prototype);
    test(
      `runs: the examples of ${name} on ${express}, except those marked as different`,
      { skip },
      async () => {
        const same = all.filter(example => sameInExpress(example) && isShown(example.code));
        assert.deepEqual(await faultsOf(same, fromRoot(express)), []);
      },
    );
    test(`compiles: every example of ${name} compiles with the declarations`, () => {
      assert.deepEqual(compileErrors(name, all), []);
    });
  }

  test('every example of requests, responses and routing shows a response or a value', () => {
    const silent = [...examples.values()]
      .flat()
      .filter(({ page, member, code }) => ROUTING.has(page) && !UNSEEN.has(member) && !isShown(code))
      .map(({ title, member }) => `${title} ${member}`);
    assert.deepEqual(silent, []);
  });

  test('detects a wrong status, header, body or value', async () => {
    const planted = (code: string) =>
      mistakesOf(
        examplesIn('planted', `## res.x()\n\n\`\`\`js\n${code}\n\`\`\`\n`)[0]!,
        require('ristretto'),
      );
    assert.deepEqual(await planted("res.send('a');\n// GET / -> 201 a"), [
      'GET /: the status is 200, not 201',
    ]);
    assert.deepEqual(await planted("res.send('a');\n// GET / -> 200 b"), ['GET /: the body is a, not b']);
    assert.deepEqual(await planted("res.send('a');\n// GET / -> 200 (X-A: 1)"), [
      'GET /: X-A is absent, not 1',
    ]);
    assert.deepEqual(await planted("res.set('X-A', '1');\n// GET / -> 200 (no X-A)"), [
      'GET /: X-A is 1, not absent',
    ]);
    assert.deepEqual(await planted("req.path; // '/b'\n// GET /a"), ['"/a" is not "/b"']);
    assert.deepEqual(await planted('missing();'), ['ReferenceError: missing is not defined']);
    assert.deepEqual(await planted("app.get('env'); // 'x'"), ['"development" is not "x"']);
  });

  test('detects an example that does not compile', () => {
    const code = "res.statsu(200);\nres.status('200');\n";
    const planted = { ...examples.get('ristretto')![0]!, title: 'planted', code };
    const codes = compileErrors('ristretto', [planted]).map(mistake => mistake.slice(0, 14));
    assert.deepEqual(codes, ['planted TS2551', 'planted TS2345']);
  });
});

interface Entry {
  page: string;
  member: string;
  text: string;
}

/** Return types that readers expect, which need no description. */
const USUAL = /: (?:this|void|Application|\w*Handler(?:<.*>)?|Router|BodyParser|NextHandleFunction)$/;

const entries: Entry[] = ['', '3.x', '5.x'].flatMap(version =>
  fs
    .readdirSync(path.join(folder, version))
    .filter(name => name.endsWith('.md'))
    .flatMap(name =>
      entriesOf(path.join(version, name), fs.readFileSync(path.join(folder, version, name), 'utf8')),
    ),
);

function entriesOf(page: string, text: string): Entry[] {
  return text
    .split(/^(?=<a id=)/m)
    .slice(1)
    .map(part => ({ page, member: /^## (.*)$/m.exec(part)?.[1] ?? '', text: part }));
}

/** Returns the entries that lack a section, among those described in their own version. */
const lacking = (list: readonly Entry[], lacks: (entry: Entry) => boolean): string[] =>
  list
    .filter(({ text }) => !/^As in 4\.x: /m.test(text))
    .filter(lacks)
    .map(({ page, member }) => `${page} ${member}`);
const isDeprecated = ({ text }: Entry): boolean => text.includes('**Deprecated.**');

const signature = ({ text }: Entry): string[] =>
  (/^```typescript\n([^]*?)\n```/m.exec(text)?.[1] ?? '').split('\n');

const described = (list: readonly Entry[]) =>
  lacking(list, ({ text }) => !/^## .*\n\n(?!```|\*\*(?!Deprecated))[A-Z*`'"\d]/m.test(text));

const returning = (list: readonly Entry[]) =>
  lacking(
    list,
    entry =>
      entry.member.endsWith('()') &&
      !isDeprecated(entry) &&
      signature(entry).some(line => !USUAL.test(line)) &&
      !entry.text.includes('**Returns**'),
  );

const throwing = (list: readonly Entry[]) =>
  lacking(
    list,
    ({ text }) =>
      /^- (?!next|promise)[^:]*: (?:throws|.* throws$)/m.test(text) && !text.includes('**Throws**'),
  );

const defaulting = (list: readonly Entry[]) =>
  lacking(list, ({ text }) => /^\| `[^|]*\| (?:[^|\\]|\\\|)*\| +\|/m.test(text));

const compared = (list: readonly Entry[]) =>
  lacking(
    list,
    ({ page, text }) => page !== 'settings.md' && !/^\*\*Express \d\*\*: (?:the same|absent)/m.test(text),
  );

/** The number of the first release without the major version, which is that of the API. */
const FIRST_VERSION = [
  ...fs.readFileSync(path.resolve(folder, '../../CHANGELOG.md'), 'utf8').matchAll(/^## \d+\.(\d+\.\d+)/gm),
].at(-1)?.[1];

/** Returns the entries that are dated to the first release, which needs no date. */
const datedFirst = (list: readonly Entry[]): string[] =>
  list
    .filter(({ text }) => /^\*\*Since\*\*: \d+\.(.*)$/m.exec(text)?.[1] === FIRST_VERSION)
    .map(({ page, member }) => `${page} ${member}`);

/**
 * Each entry of the reference has all sections that apply to it: description, options, returns, throws, version,
 * Express.
 */
describe('reference, section by section', () => {
  writeReference();

  test('has entries from every page', () => {
    assert.ok(entries.length > 250, String(entries.length));
    assert.ok(new Set(entries.map(({ page }) => page)).size >= 16);
  });
  const all = { described, returning, throwing, defaulting, compared };
  for (const [what, check] of Object.entries(all))
    test(`every entry is complete: ${what}`, () => assert.deepEqual(check(entries), []));

  test('dates only members that are newer than the first release', () => {
    assert.match(FIRST_VERSION ?? '', /^\d+\.\d+$/);
    assert.deepEqual(datedFirst(entries), []);
    const said = (member: string, since: string) =>
      entriesOf('web.md', `# x\n\n<a id="x"></a>\n\n## ${member}\n\n**Since**: ${since}\n`);
    const planted = [...said('web.first()', '4.50.0'), ...said('web.later()', '5.51.0')];
    assert.deepEqual(datedFirst(planted), ['web.md web.first()']);
  });

  test('detects an entry that lacks a section', () => {
    const text = `# x

<a id="x-y"></a>

## x.y()

\`\`\`typescript
x.y(options?: Options): number
\`\`\`

| option | type | default | meaning |
| --- | --- | --- | --- |
| \`a\` | \`boolean \\| string\` | | Something. |

- bad argument: throws
`;
    const planted = entriesOf('planted.md', text);
    const found = Object.entries(all).filter(([, check]) => check(planted).length === 1);
    assert.deepEqual(
      found.map(([what]) => what),
      Object.keys(all),
    );
  });
});
