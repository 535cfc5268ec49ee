/** Compiles the examples of the reference with the declarations of their package. */
import path from 'node:path';
import ts from 'typescript';
import type { Example } from './examples.js';

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
export function compileErrors(name: string, all: readonly Example[]): string[] {
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
    typeRoots: [path.resolve(__dirname, '../../../node_modules/@types')],
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
