/** The projects whose test suites are run on Express and on our packages. */

import path from 'node:path';

/** @typedef {{ tests: RegExp, reason: string }} Reason why tests that pass with Express do not pass here */

/**
 * @typedef {object} Project
 * @property {string} name
 * @property {string} [repository]  its URL; a mirror has a directory named like its last segment. Without one, the package
 * on npm is taken, which has to contain the tests
 * @property {string[]} versions  each is a tag, with or without a `v`, or the version on npm
 * @property {Record<string, string>} replaces  what is replaced (`.` is the project itself), and with which package, or which
 * member of it: `packages/ristretto#Router`
 * @property {string} run         a shell command that prints TAP, or the JSON of Jest
 * @property {'tap' | 'jest'} [format]
 * @property {string} [install]   a shell command, if it is not npm that installs
 * @property {Reason[]} [reasons]
 */

const MOCHA = `mocha --reporter ${JSON.stringify(path.join(import.meta.dirname, 'reporter.cjs'))} --check-leaks --exit`;
const WITH_ENV = `${MOCHA} --require test/support/env`;
const OF_EXPRESS = `${WITH_ENV} test/ test/acceptance/`;
const github = (/** @type {string} */ path) => `https://github.com/${path}.git`;

const DEEP = {
  tests: /extended option when true should parse deep object/,
  reason:
    'Since 4.20 and body-parser 1.20.3 such a body is a 400 (CVE-2024-45590); this version still expects 500 levels.',
};
const REDIRECT =
  'Since 4.20 the page of a redirect has no link (CVE-2024-43796); this version still expects one.';
const OF_4 = [
  {
    tests: /utils\.isAbsolute\(\) should support windows/,
    reason: 'A name like `C:\\a` is relative on other systems than Windows (DIFFERENCES).',
  },
  {
    tests: /express\.static\(\) basic operations should support \.\.\//,
    reason: 'A path with `..` is a 404, so that it bypasses no guard (THREATS).',
  },
];
const EXPRESS_4 = {
  name: 'express',
  repository: github('expressjs/express'),
  replaces: { '.': 'packages/ristretto' },
  run: OF_EXPRESS,
  reasons: OF_4,
};

/** @type {Project[]} */
export const projects = [
  { ...EXPRESS_4, versions: ['4.22.2'] },
  // The newest whose tests a machine without GitHub can get: from Debian's source package.
  {
    ...EXPRESS_4,
    versions: ['4.18.2'],
    reasons: [...OF_4, DEEP, { tests: /html link|properly encoded|accepting html/i, reason: REDIRECT }],
  },
  {
    name: 'express',
    repository: github('expressjs/express'),
    versions: ['5.3.0'],
    replaces: { '.': 'packages/ristretto5' },
    run: OF_EXPRESS,
  },
  {
    name: 'express',
    repository: github('expressjs/express'),
    versions: ['3.21.2'],
    replaces: { '.': 'packages/ristretto3' },
    run: OF_EXPRESS,
  },
  {
    name: 'body-parser',
    repository: github('expressjs/body-parser'),
    versions: ['1.20.4'],
    replaces: { '.': 'packages/middleware/body-parser1' },
    run: WITH_ENV,
  },
  {
    name: 'body-parser',
    repository: github('expressjs/body-parser'),
    versions: ['1.20.1'],
    replaces: { '.': 'packages/middleware/body-parser1' },
    run: WITH_ENV,
    reasons: [DEEP],
  },
  {
    name: 'body-parser',
    repository: github('expressjs/body-parser'),
    versions: ['2.2.0'],
    replaces: { '.': 'packages/middleware/body-parser' },
    run: WITH_ENV,
  },
  {
    name: 'serve-static',
    repository: github('expressjs/serve-static'),
    versions: ['1.16.2'],
    replaces: { '.': 'packages/middleware/serve-static1' },
    run: WITH_ENV,
  },
  {
    name: 'serve-static',
    repository: github('expressjs/serve-static'),
    versions: ['2.2.0'],
    replaces: { '.': 'packages/middleware/serve-static' },
    run: WITH_ENV,
  },
  {
    name: 'express-session',
    repository: github('expressjs/session'),
    versions: ['1.18.1'],
    replaces: { '.': 'packages/middleware/session' },
    run: WITH_ENV,
  },
  {
    name: 'compression',
    repository: github('expressjs/compression'),
    versions: ['1.8.1', '1.7.4'],
    replaces: { '.': 'packages/middleware/compression' },
    run: MOCHA,
    reasons: [
      {
        tests:
          /compression\(\) should (?:transfer chunked|remove Content-Length for chunked|transfer large bodies)$/,
        reason: 'A complete body is sent with its compressed length, not in chunks (Readme).',
      },
    ],
  },
  {
    name: 'morgan',
    repository: github('expressjs/morgan'),
    versions: ['1.10.0'],
    replaces: { '.': 'packages/middleware/morgan' },
    run: MOCHA,
  },
  {
    name: 'cookie-parser',
    repository: github('expressjs/cookie-parser'),
    versions: ['1.4.7', '1.4.6'],
    replaces: { '.': 'packages/middleware/cookie-parser' },
    run: MOCHA,
  },
  {
    name: 'cors',
    repository: github('expressjs/cors'),
    versions: ['2.8.5'],
    replaces: { '.': 'packages/middleware/cors', 'express@4': 'packages/ristretto' },
    run: WITH_ENV,
  },
  {
    name: 'multer',
    repository: github('expressjs/multer'),
    versions: ['2.0.2'],
    replaces: { '.': 'packages/middleware/multer', 'express@4': 'packages/ristretto' },
    run: MOCHA,
  },
  {
    name: 'router',
    repository: github('pillarjs/router'),
    versions: ['1.3.8'],
    replaces: { '.': 'packages/ristretto#Router' },
    run: MOCHA,
  },
  {
    name: 'router',
    repository: github('pillarjs/router'),
    versions: ['2.2.0'],
    replaces: { '.': 'packages/ristretto5#Router' },
    run: MOCHA,
  },
  {
    name: 'supertest',
    repository: github('forwardemail/supertest'),
    versions: ['7.1.4'],
    replaces: { express: 'packages/ristretto' },
    run: MOCHA,
  },
  {
    name: 'superagent',
    repository: github('forwardemail/superagent'),
    versions: ['10.2.3'],
    replaces: { express: 'packages/ristretto' },
    run: `npm run build && ${MOCHA} --require should --timeout 30000 --recursive test/node`,
  },
  // Their packages contain their tests.
  {
    name: 'express-http-proxy',
    versions: ['2.1.1'],
    replaces: { express: 'packages/ristretto' },
    run: `${MOCHA} test --recursive`,
  },
  {
    name: 'express-fileupload',
    versions: ['1.5.1'],
    replaces: { express: 'packages/ristretto' },
    run: `node test/pretests.js && ${MOCHA}`,
  },
  {
    name: 'express-promise-router',
    versions: ['4.1.1'],
    replaces: { express: 'packages/ristretto' },
    run: `${MOCHA} test/*.test.js`,
  },
  {
    name: 'express-mung',
    versions: ['0.5.1'],
    replaces: { express: 'packages/ristretto' },
    run: MOCHA,
  },
];
