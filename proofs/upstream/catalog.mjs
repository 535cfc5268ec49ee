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
const COMPRESSED = {
  tests:
    /compression\(\) should (?:transfer chunked|remove Content-Length for chunked|transfer large bodies)$/,
  reason: 'A complete body is sent with its compressed length, not in chunks (Readme).',
};

/**
 * Returns the project of a repository on GitHub, whose tests run on what takes its place.
 *
 * @returns {Project}
 */
const at = (
  /** @type {string} */ repository,
  /** @type {string[]} */ versions,
  /** @type {string} */ replacement,
  run = MOCHA,
  /** @type {Partial<Project>} */ more = {},
) => ({
  name: path.basename(repository),
  repository: github(repository),
  versions,
  run,
  ...more,
  replaces: { '.': `packages/${replacement}`, ...more.replaces },
});

/**
 * Returns a project that uses Express, whose tests run on ours; its package contains them unless it has a repository.
 *
 * @returns {Project}
 */
const using = (/** @type {string} */ name, /** @type {string} */ version, run = MOCHA, repository = '') => ({
  name,
  ...(repository && { repository: github(repository) }),
  versions: [version],
  replaces: { express: 'packages/ristretto' },
  run,
});

/** Their tests use Express, too. */
const ON_OURS = { replaces: { 'express@4': 'packages/ristretto' } };

/** @type {Project[]} */
export const projects = [
  at('expressjs/express', ['4.22.2'], 'ristretto', OF_EXPRESS, { reasons: OF_4 }),
  // The newest whose tests a machine without GitHub can get: from Debian's source package.
  at('expressjs/express', ['4.18.2'], 'ristretto', OF_EXPRESS, {
    reasons: [...OF_4, DEEP, { tests: /html link|properly encoded|accepting html/i, reason: REDIRECT }],
  }),
  at('expressjs/express', ['5.3.0'], 'ristretto5', OF_EXPRESS),
  at('expressjs/express', ['3.21.2'], 'ristretto3', OF_EXPRESS),
  at('expressjs/body-parser', ['1.20.4'], 'middleware/body-parser1', WITH_ENV),
  at('expressjs/body-parser', ['1.20.1'], 'middleware/body-parser1', WITH_ENV, { reasons: [DEEP] }),
  at('expressjs/body-parser', ['2.2.0'], 'middleware/body-parser', WITH_ENV),
  at('expressjs/serve-static', ['1.16.2'], 'middleware/serve-static1', WITH_ENV),
  at('expressjs/serve-static', ['2.2.0'], 'middleware/serve-static', WITH_ENV),
  at('expressjs/session', ['1.18.1'], 'middleware/session', WITH_ENV, { name: 'express-session' }),
  at('expressjs/compression', ['1.8.1', '1.7.4'], 'middleware/compression', MOCHA, { reasons: [COMPRESSED] }),
  at('expressjs/morgan', ['1.10.0'], 'middleware/morgan'),
  at('expressjs/cookie-parser', ['1.4.7', '1.4.6'], 'middleware/cookie-parser'),
  at('expressjs/cors', ['2.8.5'], 'middleware/cors', WITH_ENV, ON_OURS),
  at('expressjs/multer', ['2.0.2'], 'middleware/multer', MOCHA, ON_OURS),
  at('pillarjs/router', ['1.3.8'], 'ristretto#Router'),
  at('pillarjs/router', ['2.2.0'], 'ristretto5#Router'),
  using('supertest', '7.1.4', MOCHA, 'forwardemail/supertest'),
  using(
    'superagent',
    '10.2.3',
    `npm run build && ${MOCHA} --require should --timeout 30000 --recursive test/node`,
    'forwardemail/superagent',
  ),
  using('express-http-proxy', '2.1.1', `${MOCHA} test --recursive`),
  using('express-fileupload', '1.5.1', `node test/pretests.js && ${MOCHA}`),
  using('express-promise-router', '4.1.1', `${MOCHA} test/*.test.js`),
  using('express-mung', '0.5.1'),
];
