/** Mutations: request bodies and their compression. */

const LIB = 'packages/ristretto/lib/';
const TEST = 'packages/ristretto/test/';
const READ = `${LIB}body/read.js`;
const ACCEPT = `${LIB}body/accept-body.js`;
const EXCESS = `${LIB}http/excess-headers.js`;
const HEADERS = `${TEST}body.headers.test.ts`;
const INFLATE = `${TEST}body.inflate.test.ts`;
const TYPE = `${LIB}protocol/content-type.js`;
const TYPE_TEST = `${TEST}protocol.content-type.test.ts`;

/** @type {import('./index.mjs').Mutation[]} */
export const bodies = [
  {
    id: 'CVE-2024-45590',
    without: 'a limit to the depth of forms',
    test: `${TEST}web.urlencoded.test.ts`,
    edits: [[`${LIB}body/urlencoded.js`, 'const DEFAULT_DEPTH = 32;', 'const DEFAULT_DEPTH = Infinity;']],
  },
  {
    id: 'CVE-2025-13466',
    without: 'looking at each character once only',
    test: `${TEST}threats.queries.test.ts`,
    edits: [
      [
        `${LIB}protocol/query-string.js`,
        'if (split < 0)\n                split = i;',
        "if (split < 0 && text.indexOf('=', start) !== 0)\n                split = i;",
      ],
    ],
  },
  {
    id: 'CVE-2025-13466',
    without: 'a limit to the number of parameters',
    test: `${TEST}threats.queries.test.ts`,
    edits: [[`${LIB}protocol/query-string.js`, 'return count > limit ? undefined : count;', 'return count;']],
  },
  ...['json', 'raw', 'text', 'urlencoded'].map(name => ({
    id: 'CVE-2026-12590',
    without: `an error for a limit that is none (${name})`,
    test: `${TEST}web.${name}.test.ts`,
    edits: /** @type {[string, string, string][]} */ ([
      [`${LIB}body/options.js`, "if (typeof size !== 'number' || Number.isNaN(size)) {", 'if (false) {'],
    ]),
  })),
  {
    id: 'CVE-2026-111181',
    without: 'ending a decoder that is given up',
    test: `${TEST}threats.bodies.test.ts`,
    edits: [[READ, 'inflater.destroy();', '']],
  },
  {
    id: 'CVE-2026-111181',
    without: 'keeping the rest of the body from a decoder that is given up',
    test: `${TEST}threats.bodies.test.ts`,
    edits: [[READ, 'req.unpipe(inflater);', '']],
  },
  {
    id: 'zip bomb',
    without: 'counting what comes out',
    test: INFLATE,
    edits: [[READ, 'if (pieces.received > limit)', 'if (!this.inflater && pieces.received > limit)']],
  },
  {
    id: 'zip bomb',
    without: 'looking at the limit before the end',
    test: INFLATE,
    edits: [[READ, 'if (pieces.received > limit)', 'if (pieces.received > limit + 1e6)']],
  },
  {
    id: 'CVE-2026-22036',
    without: 'one coding only',
    test: INFLATE,
    edits: [
      [
        `${LIB}body/inflate.js`,
        "if (encoding === 'gzip' || encoding === 'deflate' || encoding === 'br')\n        return encoding;",
        "if (/^(gzip|deflate|br)\\b/.test(encoding))\n        return encoding.split(',')[0];",
      ],
    ],
  },
  {
    id: 'CVE-2022-41919',
    without: 'looking at all of a type',
    test: TYPE_TEST,
    edits: [
      [TYPE, '(\\+(?:[a-z\\d][\\w!#$&^-]{0,126})?)? *$/i;', '(\\+(?:[a-z\\d][\\w!#$&^-]{0,126})?)?/i;'],
    ],
  },
  {
    id: 'CVE-2026-25223',
    without: 'tabs being no spaces in a type',
    test: TYPE_TEST,
    edits: [
      [
        TYPE,
        '(\\+(?:[a-z\\d][\\w!#$&^-]{0,126})?)? *$/i;',
        '(\\+(?:[a-z\\d][\\w!#$&^-]{0,126})?)?(?:\\s.*)?$/i;',
      ],
    ],
  },
  {
    id: 'CVE-2026-3419',
    without: 'looking at the parameters of a type',
    test: TYPE_TEST,
    edits: [
      [
        TYPE,
        'if (semicolon >= 0 && !readParameters(value, semicolon, STRICT_PARAMETER))\n        return undefined;',
        '',
      ],
    ],
  },
  {
    id: 'CVE-2026-33806',
    without: 'agreement of check and parser on spaces in front',
    test: TYPE_TEST,
    edits: [
      [
        TYPE,
        '(semicolon < 0 ? header : header.slice(0, semicolon)).trim()',
        '(semicolon < 0 ? header : header.slice(0, semicolon))',
      ],
    ],
  },
  {
    id: 'error headers.too.many',
    without: 'a look whether headers were left out',
    test: HEADERS,
    edits: [[EXCESS, 'req.rawHeaders.length / 2 - limit', '-1']],
  },
  {
    id: 'error headers.too.many',
    without: 'a look whether the length was left out',
    test: HEADERS,
    edits: [[ACCEPT, 'if (req.complete && req.readableLength === 0)', 'if (true)']],
  },
  {
    id: 'error headers.too.many',
    without: 'a look whether the type was left out',
    test: HEADERS,
    edits: [[ACCEPT, "if (excess > 0 && req.headers['content-type'] === undefined)", 'if (false)']],
  },
  {
    id: 'error headers.too.many',
    without: 'a look whether the coding was left out',
    test: HEADERS,
    edits: [[READ, 'if ((0, excess_headers_1.excessHeaders)(req) > 0)', 'if (false)']],
  },
  {
    id: 'error headers.too.many',
    without: 'a look at requests with exactly as many headers as Node passes on',
    test: HEADERS,
    edits: [[ACCEPT, 'if (excess < 0 || req._body)', 'if (excess <= 0 || req._body)']],
  },
];
