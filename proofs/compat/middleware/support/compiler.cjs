/** Compiles programs with some version of TypeScript and the types that a project would have. */
'use strict';

const path = require('node:path');

/**
 * Returns a function that compiles files as a strict program; parsed files are reused by later programs. `types` is the
 * folder of `@types/node`; files whose paths match `hidden` are not found.
 */
exports.compiler = (ts, types, more, hidden) => {
  const options = {
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    types: ['node'],
    typeRoots: [path.join(types, '..')],
    ...more,
  };
  const host = ts.createCompilerHost(options);
  // npm gives a project one copy of these; only the source folder of a side has a second copy next to the framework.
  const isSecondCopy = file => /\/node_modules\/express\/node_modules\/@types\//.test(file);
  const isThere = file => !isSecondCopy(file) && !hidden?.test(file);
  for (const test of ['fileExists', 'directoryExists']) {
    const original = host[test].bind(host);
    host[test] = file => isThere(file) && original(file);
  }
  const parsed = new Map();
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    if (!parsed.has(file)) parsed.set(file, parse(file, ...rest));
    return parsed.get(file);
  };
  return files => {
    const program = ts.createProgram(files, options, host);
    const { resolvedModule } = ts.resolveModuleName('express', files[0], options, host);
    return {
      mistakes: ts.getPreEmitDiagnostics(program).map(({ file, start, code, messageText }) => {
        const place = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
        return `${place}TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      }),
      declarations: resolvedModule.resolvedFileName,
    };
  };
};
