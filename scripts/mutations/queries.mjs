/** Mutations: queries, path patterns, headers, depth. */

const LIB = 'packages/ristretto/lib/';
const TEST = 'packages/ristretto/test/';
const QUERY = `${TEST}protocol.query-string.test.ts`;
const PARSER = `${LIB}protocol/query-string.js`;
const TREE = `${LIB}protocol/query-tree.js`;
const LINEAR = `${TEST}path-pattern.linear.test.ts`;
const FIELDS = `${TEST}linear-time.fields.test.ts`;
const THREATS = `${TEST}threats.test.ts`;

/** Removes the defence against all slow patterns: the matcher that never backtracks the same way twice. */
const WITHOUT_PROGRAM = /** @type {[string, string, string]} */ ([
  `${LIB}router/pattern/expression.js`,
  'const tree = (0, syntax_1.parseExpression)(this.regexp.source);',
  'return null;\n        const tree = undefined;',
]);

/** @type {import('./index.mjs').Mutation[]} */
export const queries = [
  {
    id: 'CVE-2014-7191',
    without: 'arrays that are never sparse',
    test: QUERY,
    edits: [[TREE, 'if (index <= container.length) {', 'if (index >= 0) {']],
  },
  {
    id: 'CVE-2014-7191',
    without: 'a limit to the index of an array',
    test: QUERY,
    edits: [
      [
        TREE,
        "const inArray = typeof step === 'number' && step < this.arrayLimit;",
        "const inArray = typeof step === 'number';",
      ],
      [TREE, "if (typeof step === 'number' && step < this.arrayLimit) {", "if (typeof step === 'number') {"],
    ],
  },
  {
    id: 'CVE-2025-15284',
    without: 'a limit to what [] and repeated keys collect',
    test: `${TEST}threats.queries.test.ts`,
    edits: [[TREE, 'if (length <= this.arrayLimit)\n            return array;', 'return array;']],
  },
  {
    id: 'CVE-2025-15284',
    without: 'a limit to repeated keys without brackets',
    test: `${TEST}threats.queries.test.ts`,
    edits: [[PARSER, 'if (Array.isArray(values) && values.length > arrayLimit)', 'if (false)']],
  },
  {
    id: 'CVE-2017-1000048',
    without: 'objects of their own: with inherited members as values',
    test: QUERY,
    edits: [
      [
        TREE,
        'return value !== undefined && Object.hasOwn(container, key) ? value : undefined;',
        'return value;',
      ],
    ],
  },
  {
    id: 'CVE-2022-24999',
    without: 'leaving __proto__ out of keys',
    test: QUERY,
    edits: [[TREE, "if (step === '__proto__')\n                return;", '']],
  },
  {
    id: 'CVE-2022-24999',
    without: 'leaving __proto__ out of new objects',
    test: QUERY,
    edits: [[TREE, "if (step !== '__proto__')\n            object[step] = value;", 'object[step] = value;']],
  },
  ...['CVE-2024-45296', 'GHSA-rhx6-c78j-4q9w', 'CVE-2026-4867'].map(id => ({
    id,
    without: 'the program that matches in linear time',
    test: LINEAR,
    edits: [WITHOUT_PROGRAM],
  })),
  ...['CVE-2024-45296', 'GHSA-rhx6-c78j-4q9w', 'CVE-2026-4867'].map(id => ({
    id,
    without: 'linear time, by a clock: the expression as it once was, and nothing but the expression',
    test: `${TEST}linear-time.patterns.test.ts`,
    edits: /** @type {[string, string, string][]} */ ([
      WITHOUT_PROGRAM,
      [`${LIB}router/pattern/source.js`, 'let group = `([^/${dot}]+?)`;', 'let group = `([^/]+?)`;'],
      [`${LIB}router/pattern/source.js`, 'else if (!token.slash && !dot && before)', 'else if (false)'],
    ]),
  })),
  {
    id: 'CVE-2016-10539',
    without: 'reading Accept from left to right',
    test: FIELDS,
    edits: [
      [
        `${LIB}protocol/accept-media.js`,
        "const texts = splitOutsideQuotes(header, ',');",
        "const texts = header.split(',').map(text => text.replace(/(\\s*;\\s*)*(\\s+)*$/, ''));\n    for (let i = 0; i < texts.length; i++) texts.slice(i).join(',').split('\"');",
      ],
    ],
  },
  {
    id: 'CVE-2025-25200',
    without: 'trimming X-Forwarded-For from both ends',
    test: FIELDS,
    edits: [
      [
        `${LIB}protocol/proxy.js`,
        'return text.slice(start, end);',
        "return text.slice(from, to).replace(/\\s+$/, '').trim();",
      ],
    ],
  },
  {
    id: 'CVE-2025-25200',
    without: 'cutting X-Forwarded-Host at its first comma',
    test: FIELDS,
    edits: [
      [
        `${LIB}request/network.js`,
        "const comma = list.indexOf(',');\n    return comma < 0 ? list : list.slice(0, comma);",
        'return list.split(/\\s*,\\s*/, 1)[0];',
      ],
    ],
  },
  {
    id: 'CVE-2026-35213',
    without: 'an expression for parameters that can be tried in one way only',
    test: FIELDS,
    edits: [
      [
        `${LIB}protocol/content-type.js`,
        'if (semicolon >= 0 && !readParameters(value, semicolon, STRICT_PARAMETER))',
        'if (semicolon >= 0 && !/^(?:;\\s*[^;=]+\\s*=?\\s*"?[^";]*"?\\s*)*$/.test(value.slice(semicolon)))',
      ],
    ],
  },
  {
    id: 'CVE-2016-10539',
    without: 'names of attachments in linear time',
    test: FIELDS,
    edits: [
      [
        `${LIB}protocol/content-disposition.js`,
        'const QUOTABLE = /^[\\x20-\\x7e\\x80-\\xff]+$/;',
        'const QUOTABLE = /^(?:[\\x20-\\x7e]*[\\x80-\\xff]*)*$/;',
      ],
    ],
  },
  {
    id: 'CVE-2024-51999',
    without: 'names that objects inherit',
    test: QUERY,
    edits: [
      [
        PARSER,
        'tree.insert((0, query_key_js_1.splitKey)(key, limits), leaf);',
        'if (!(key.split(/[[\\]]/)[0] in {})) tree.insert((0, query_key_js_1.splitKey)(key, limits), leaf);',
      ],
    ],
  },
  {
    id: 'deep recursion: JSON',
    without: 'a parser of JSON that does not call itself',
    test: THREATS,
    edits: [
      [
        `${LIB}body/json.js`,
        'return JSON.parse(text, reviver);',
        'return structuredClone(JSON.parse(text, (_key, value) => value));',
      ],
    ],
  },
  {
    id: 'deep recursion: query',
    without: 'a limit to the depth of queries',
    test: THREATS,
    edits: [[PARSER, 'const DEFAULTS = { depth: 5,', 'const DEFAULTS = { depth: Infinity,']],
  },
  {
    id: 'deep recursion: urlencoded',
    without: 'an error for a body that is too deep',
    test: THREATS,
    edits: [[`${LIB}body/urlencoded.js`, 'strictDepth: !isFlat', 'strictDepth: false']],
  },
];
