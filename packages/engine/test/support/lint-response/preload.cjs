/**
 * Preloaded into every process of a test run: from the first request of an HTTP server on, everything written to its
 * sockets is recorded and checked (`tap.ts`). In a process without a server, nothing is loaded or changed.
 */
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const path = require('node:path');

const mainFile = process.argv[1] ?? '';
// Programs that a test starts inherit its name: exemptions are by test file.
if (mainFile.endsWith('.test.ts')) process.env.RESPONSE_LINT_FILE = path.basename(mainFile);

subscribe('http.server.request.start', message => {
  require('../../../../../scripts/load-typescript.cjs');
  require('./tap.ts').requestStarted(message);
});
