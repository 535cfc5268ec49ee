/** Compiles programs with the TypeScript API and reports what the compiler finds. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const require = createRequire(__filename);
const roots = [dirname(require.resolve('typescript')), dirname(require.resolve('@types/node/package.json'))];
/** Sources that are the same for every program: the compiler's libraries and Node's types. */
const parsed = new Map<string, ts.SourceFile | undefined>();
const isShared = (name: string): boolean => roots.some(root => name.startsWith(root));

/** Where the packages for tests are installed. */
export const modules = join(dirname(require.resolve('typescript/package.json')), '..');

/** Compiler options like those of most users, without output. */
export const programOptions: ts.CompilerOptions = {
  noEmit: true,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  typeRoots: [join(modules, '@types')],
  esModuleInterop: true,
  skipLibCheck: true,
};

export interface Compilation {
  /** One line for each error; empty if there are none. */
  mistakes: string[];
  /** Writes the JavaScript, to `outDir` if the options have one. */
  emit(): void;
}

/**
 * Compiles files as a separate program in strict mode. Declarations of libraries are checked as well unless
 * `skipLibCheck` is set; those of Node and of the compiler are not, which would take longer than all others
 * (package.composite.test.ts checks them).
 */
export function compile(files: string[], options: ts.CompilerOptions): Compilation {
  const all: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    ignoreDeprecations: '6.0',
    ...options,
  };
  const host = ts.createCompilerHost(all);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (!isShared(name)) return read(name, ...rest);
    if (!parsed.has(name)) parsed.set(name, read(name, ...rest));
    return parsed.get(name);
  };
  const program = ts.createProgram(files, all, host);
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program
      .getSourceFiles()
      .filter(({ fileName }) => !isShared(fileName))
      .flatMap(file => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ...(all.declaration === true ? program.getDeclarationDiagnostics() : []),
  ];
  return {
    mistakes: ts.sortAndDeduplicateDiagnostics(found).map(describe),
    emit: () => void program.emit(),
  };
}

function describe({ file, start, code, messageText }: ts.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n');
  if (!file) return `TS${code}: ${message}`;
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
  return `${join(file.fileName)}:${line + 1} TS${code}: ${message}`;
}

/**
 * Compiles programs that load the package `express`, in each way in which the compiler resolves modules; returns the mistakes.
 * @param project a directory that has the package in its `node_modules`
 */
export function mistakesOfLoading(project: string): string[] {
  const { CommonJS, ESNext, Node16, NodeNext } = ts.ModuleKind;
  const { Node10, Bundler } = ts.ModuleResolutionKind;
  const write = (name: string, load: string): string => {
    const file = join(project, name);
    writeFileSync(file, `${load} web().get('/:id', (req, res) => void res.send(req.params.id));`);
    return file;
  };
  const commonJs = write('load.cts', "import web = require('express');");
  const module = write('load.mts', "import web from 'express';");
  return [
    compile([commonJs], { ...programOptions, module: CommonJS, moduleResolution: Node10 }),
    compile([module], { ...programOptions, module: ESNext, moduleResolution: Bundler }),
    ...[Node16, NodeNext].map(kind =>
      compile([commonJs, module], { ...programOptions, module: kind, moduleResolution: undefined }),
    ),
  ].flatMap(({ mistakes }) => mistakes);
}
