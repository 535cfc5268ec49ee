/** TypeScript 4.3 to 4.6 compile an application against the declarations, which they must be able to parse. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { compiler } = require('../../middleware/support/compiler.cjs');

const VERSIONS = ['typescript43', 'typescript44', 'typescript45', 'typescript46'];
const fixture = name => path.join(__dirname, '../fixtures/typescript', name);

module.exports = {
  packages: [...VERSIONS, '@types/express', '@types/node'],
  exercised:
    'A strict program, declarations checked too: parameters inferred from paths, bodies and queries of generic handlers, routers, error handlers, members merged into requests and responses, mistakes that must be reported',
  timeout: 300,

  async run({ note }) {
    const { name } = require('express/package.json');
    const isOurs = name === 'ristretto';
    // No project has both, but here these types are closer to the program than the framework's.
    const hidden = isOurs ? /\/@types\/express(-serve-static-core)?(\/|$)/ : undefined;
    for (const version of VERSIONS) {
      const ts = require(version);
      const options = {
        target: ts.ScriptTarget.ES2019,
        module: ts.ModuleKind.CommonJS,
        moduleResolution: ts.ModuleResolutionKind.NodeJs,
      };
      const compile = compiler(
        ts,
        path.dirname(require.resolve('@types/node/package.json')),
        options,
        hidden,
      );
      const { mistakes, declarations } = compile([fixture('application.ts')]);
      assert.deepEqual(mistakes, [], version);
      assert.match(declarations, isOurs ? /\/express\/lib\/express\.d\.ts$/ : /\/@types\/express\//);
      if (isOurs) assert.deepEqual(compile([fixture('parameters.ts')]).mistakes, [], version);
      note(ts.version, mistakes);
    }
    return VERSIONS;
  },
};
