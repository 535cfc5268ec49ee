/** The examples of the reference compile against the declarations that they stand in. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

const folder = path.resolve(__dirname, '../../docs/reference');

/** What examples may use without making it. All other names of theirs are the reader's, and may be anything. */
const GIVEN = `import http from 'node:http';
import https from 'node:https';
import http2 from 'node:http2';
import fs from 'node:fs';
import { Readable } from 'node:stream';
import web from 'ristretto';
declare global { namespace Express { interface Request { user?: any } } }
declare const app: web.Express;
declare const router: web.Router;
declare const route: web.IRoute;
declare const req: web.Request;
declare const res: web.Response;
declare const next: web.NextFunction;
declare const server: http.Server;
void [http, https, http2, fs, Readable];
`;

/** "Cannot find name", "Did you mean …?", and of a shorthand property: one of the reader's. */
const READERS_OWN = new Set([2304, 2552, 18004]);

interface Example {
  title: string;
  code: string;
}

const examples: Example[] = fs.readdirSync(folder).flatMap(name => {
  const text = fs.readFileSync(path.join(folder, name), 'utf8');
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(({ 1: code = '', index }) => ({
    title: `${name}:${text.slice(0, index).split('\n').length}`,
    code,
  }));
});

/** Each in a function of its own, all in one program. */
function sourceOf(all: readonly Example[]): { text: string; starts: number[] } {
  let text = GIVEN;
  const starts: number[] = [];
  for (const { code } of all) {
    starts.push(text.length);
    text += `async () => {\n${code.replace('export default ', '')}};\n`;
  }
  return { text, starts };
}

function mistakesOf(all: readonly Example[]): string[] {
  const { text, starts } = sourceOf(all);
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
    types: ['node'],
    noImplicitAny: false,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .filter(({ code }) => !READERS_OWN.has(code))
    .map(({ start = 0, code, messageText }) => {
      const { title } = all[starts.findLastIndex(at => at <= start)]!;
      return `${title} TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
}

describe('reference', () => {
  test('compiles: every example, against the declarations', () => {
    assert.ok(examples.length > 80, String(examples.length));
    assert.deepEqual(mistakesOf(examples), []);
  });
  test('finds an example that does not compile', () => {
    const planted = { title: 'planted', code: "res.statsu(200);\nres.status('200');\n" };
    const codes = mistakesOf([...examples.slice(0, 3), planted]).map(mistake => mistake.slice(0, 14));
    assert.deepEqual(codes, ['planted TS2551', 'planted TS2345']);
  });
});
