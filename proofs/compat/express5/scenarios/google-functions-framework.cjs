/** Google's functions framework 5 from its command line: runs the program for version 3. */
'use strict';

module.exports = {
  packages: ['@google-cloud/functions-framework'],
  exercised:
    'the command with HTTP, CloudEvent (structured and binary) and background event functions: parsed and raw bodies, errors, robots.txt, stop by signal; getTestServer',
  express: [5],

  run(tools) {
    return require('../frameworks/scenarios/google-functions-framework.cjs').run(tools);
  },
};
