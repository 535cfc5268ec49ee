/**
 * Programs in strict TypeScript that use the framework with packages whose types refer to it. On Express 4 the types
 * come from @types/express; a package with its own types takes precedence, so nothing has to be configured here.
 */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { compiler } = require('../support/compiler.cjs');

const FIXTURES = path.join(__dirname, '../fixtures/types');
/** Their packages declare conflicting types for the same request members, so each is compiled separately. */
const ALONE = ['cookie-session.ts', 'csrf.ts', 'fileupload.ts'];
/** Where the types of a package come from, by its name; those of Express come from `@types/express`. */
const DECLARATIONS = {
  ristretto: /\/express\/lib\/express\.d\.ts$/,
  ristretto5: /\/express\/index\.d\.ts$/,
};
/** The other declarations, without those of Express and their core. */
const TYPINGS = Object.keys(require('../package.json').dependencies).filter(
  name => name.startsWith('@types/') && !/^@types\/express(?:-serve-static-core)?$/.test(name),
);

module.exports = {
  packages: ['typescript', '@types/express', ...TYPINGS],
  exercised:
    'Strict programs, declarations of all packages checked too, with passport, multer, express-session, cookie-parser, morgan, cors and the others of this list, and with the types that helmet, express-validator, express-rate-limit, http-proxy-middleware 3, celebrate, pino-http and others bring: members that they merge into requests, handlers typed by either side, mistakes that must be reported',
  timeout: 300,
  quick: [],

  async run({ note }) {
    const fs = require('node:fs');
    const { name } = require('express/package.json');
    const ts = require('typescript');
    const files = fs.readdirSync(FIXTURES).filter(file => file.endsWith('.ts'));
    const programs = [files.filter(file => !ALONE.includes(file)), ...ALONE.map(file => [file])];
    assert.ok(files.length > 12);
    const compile = compiler(ts, path.dirname(require.resolve('@types/node/package.json')), {
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    for (const names of programs) {
      const { mistakes, declarations } = compile(names.map(file => path.join(FIXTURES, file)));
      assert.deepEqual(mistakes, []);
      assert.match(declarations, DECLARATIONS[name] ?? /\/@types\/express\//);
      note(names, mistakes);
    }
    return files;
  },
};
