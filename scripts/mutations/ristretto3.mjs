/**
 * Mutations of what `ristretto3` adds: multipart bodies, basic authentication, csrf, compression, method override,
 * directories.
 */

const LIB = 'packages/ristretto3/lib/middleware/';
const TEST = 'packages/ristretto3/test/';
const THREATS = `${TEST}threats.test.ts`;
const FORM = `${LIB}multipart/form.js`;
const HEADER = `${LIB}multipart/part-header.js`;
const TREE = `${LIB}multipart/field-tree.js`;
const CSRF = `${LIB}csrf.js`;
const OVERRIDE = `${LIB}methodOverride.js`;

/** Reports parser errors as errors of the server. @type {[string, string, string]} */
const ERRORS_OF_OURS = [
  HEADER,
  "return (0, errors_1.httpError)(400, `multipart body has ${what}`, { type: 'multipart.malformed' });",
  'return new Error(what);',
];

/** Leaves the files of a failed form on disk. @type {[string, string, string]} */
const FILES_STAY = [FORM, 'await Promise.all(this.files.map(([, temporary]) => temporary.remove()));', ''];

/** A naive directory listing, without any protection. */
const NAIVE_LISTING = `root => (req, res) => {
    const directory = root + decodeURIComponent(req.url);
    const names = require('node:fs').existsSync(directory) ? require('node:fs').readdirSync(directory) : [];
    res.setHeader('Content-Type', 'text/html');
    res.end(names.map(name => '<a href="' + name + '">' + name + '</a>').join(''));
}`;

/** A naive compression, which never ends its encoder. */
const NAIVE_COMPRESSION = `() => (req, res, next) => {
    const encoder = require('node:zlib').createGzip();
    encoder.on('data', chunk => write.call(res, chunk));
    const { write } = res;
    res.setHeader('Content-Encoding', 'gzip');
    res.write = chunk => encoder.write(chunk);
    next();
}`;

/** @type {import('./index.mjs').Mutation[]} */
export const ristretto3 = [
  ...['CVE-2022-24434', 'CVE-2025-47944', 'CVE-2025-7338', 'CVE-2026-3520'].flatMap(id => [
    { id, without: 'a 400 for a malformed header of a part', test: THREATS, edits: [ERRORS_OF_OURS] },
    { id, without: 'removing the files of a form that is malformed', test: THREATS, edits: [FILES_STAY] },
  ]),
  {
    id: 'CVE-2025-48997',
    without: 'refusing empty names of fields',
    test: THREATS,
    edits: [[HEADER, 'if (!name)', 'if (name === undefined)']],
  },
  ...['CVE-2025-47935', 'CVE-2026-2359', 'CVE-2026-3304'].map(id => ({
    id,
    without: 'removing the files of a form that is cut off',
    test: `${TEST}web.multipart.safety.test.ts`,
    edits: [FILES_STAY],
  })),
  ...['CVE-2026-5079', 'CVE-2026-5038', 'CVE-2026-77037', 'CVE-2026-88932'].map(id => ({
    id,
    without: 'a limit to the depth of names',
    test: THREATS,
    edits: /** @type {[string, string, string][]} */ ([
      [TREE, 'const KEY_LIMITS = { depth: 5,', 'const KEY_LIMITS = { depth: Infinity,'],
    ]),
  })),
  {
    id: 'CVE-2026-8159',
    without: 'looking for the last separator of a file name from its end',
    test: THREATS,
    edits: [
      [
        HEADER,
        "name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\\\')) + 1)",
        "name.replace(/^.*[/\\\\]/, '').replace(/[/\\\\ a-z]+[.]$/, '')",
      ],
    ],
  },
  {
    id: 'CVE-2026-8161',
    without: 'leaving __proto__ out of the names of fields',
    test: THREATS,
    edits: [
      [
        'packages/ristretto/lib/protocol/query-tree.js',
        "if (step === '__proto__')\n                return;",
        '',
      ],
      [
        'packages/ristretto/lib/protocol/query-tree.js',
        'return value !== undefined && Object.hasOwn(container, key) ? value : undefined;',
        'return value;',
      ],
    ],
  },
  {
    id: 'CVE-2026-8162',
    without: 'taking the error of a bad %',
    test: THREATS,
    edits: [[HEADER, 'catch {\n    }', 'finally {\n    }']],
  },
  {
    id: 'CVE-2023-25576',
    without: 'a limit to the number of fields',
    test: THREATS,
    edits: [[FORM, 'if (++this.fieldCount > this.policy.maxFields)', 'if (false)']],
  },
  {
    id: 'CVE-2023-25576',
    without: 'a limit to the number of files',
    test: THREATS,
    edits: [[FORM, 'if (++this.fileCount > this.policy.maxFiles)', 'if (false)']],
  },
  {
    id: 'CVE-2014-3744',
    without: 'cutting a file name out of its path',
    test: THREATS,
    edits: [[HEADER, "name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\\\')) + 1)", 'name']],
  },
  {
    id: 'CVE-2026-12590',
    without: 'an error for a size that is none',
    test: THREATS,
    edits: [[`${LIB}byte-size.js`, "if (typeof number === 'number' && number >= 0)", 'if (true)']],
  },
  {
    id: 'CVE-2026-12590',
    without: 'an error for a number that is none',
    test: THREATS,
    edits: [[`${LIB}multipart/options.js`, "if (typeof value === 'number' && value >= 0)", 'if (true)']],
  },
  ...['CVE-2016-1000236', 'CVE-2024-47178'].map(id => ({
    id,
    without: 'comparing passwords in constant time',
    test: THREATS,
    edits: /** @type {[string, string, string][]} */ ([
      [
        `${LIB}basicAuth.js`,
        'const isUser = (0, node_crypto_1.timingSafeEqual)(digest(givenUser), rightUser);',
        'if (givenUser !== user) return false;\n        const isUser = true;',
      ],
    ]),
  })),
  {
    id: 'CVE-2016-1000236',
    without: 'comparing signatures in constant time',
    test: `${TEST}threats.messages.test.ts`,
    edits: [
      [
        'packages/ristretto3/lib/middleware/signed-value.js',
        'given.length === right.length && (0, node_crypto_1.timingSafeEqual)(given, right)',
        'value === sign(text, secret)',
      ],
    ],
  },
  {
    id: 'csurf',
    without: 'secrets of the session',
    test: THREATS,
    edits: [
      [
        CSRF,
        "if (typeof csrfSecret === 'string')\n        return csrfSecret;",
        "if (true)\n        return 'secret';",
      ],
    ],
  },
  {
    id: 'csurf',
    without: 'a look at the token',
    test: THREATS,
    edits: [
      [
        CSRF,
        "return typeof token === 'string' && tokens.verify(secret, token);",
        "return typeof token === 'string';",
      ],
    ],
  },
  {
    id: 'CVE-2026-15747',
    without: 'a new mask for each answer',
    test: THREATS,
    edits: [
      [
        CSRF,
        'req.csrfToken = () => tokens.create(secretOf(session(), tokens));',
        'req.csrfToken = () => (session().token ??= tokens.create(secretOf(session(), tokens)));',
      ],
    ],
  },
  {
    id: 'methodOverride',
    without: 'leaving GET alone',
    test: THREATS,
    edits: [[OVERRIDE, "if (req.method === 'POST') {", '{']],
  },
  {
    id: 'methodOverride',
    without: 'the method that was sent, for csrf',
    test: THREATS,
    edits: [
      [CSRF, ' && ignored.has((_a = req.originalMethod) !== null && _a !== void 0 ? _a : req.method)', ''],
    ],
  },
  {
    id: 'CVE-2026-87776',
    without: 'ending the encoder of an answer that is cut off',
    test: `${TEST}web.compress.test.ts`,
    edits: [[`${LIB}compress.js`, 'module.exports = compress;', `module.exports = ${NAIVE_COMPRESSION};`]],
  },
  {
    id: 'CVE-2025-7339',
    without: 'fields that stay when the header goes out',
    test: `${TEST}threats.messages.test.ts`,
    edits: [
      [
        `${LIB}responseTime.js`,
        'onHeaders(res, () => report(req, res, performance.now() - started));',
        'const { writeHead } = res;\n        res.writeHead = function (status, fields) { report(req, res, performance.now() - started); return writeHead.call(this, status, Object.assign({}, fields)); };',
      ],
    ],
  },
  ...['CVE-2014-6393', 'CVE-2014-6394', 'null byte'].map(id => ({
    id,
    without: 'the care of serve-index for names and paths of listings',
    test: THREATS,
    edits: /** @type {[string, string, string][]} */ ([
      [`${LIB}directory.js`, 'module.exports = directory;', `module.exports = ${NAIVE_LISTING};`],
    ]),
  })),
];
