/**
 * Mutations of `ristretto5`: its own defences, and those of `ristretto` that it uses, checked by the same tests on this
 * package.
 */
import { bodies } from './bodies.mjs';
import { files } from './files.mjs';
import { messages } from './messages.mjs';
import { pages } from './pages.mjs';
import { paths } from './paths.mjs';
import { proxies } from './proxies.mjs';
import { queries } from './queries.mjs';

const LIB = 'packages/ristretto5/lib/';
const TEST = 'packages/ristretto5/test/';
const THREATS = `${TEST}threats.test.ts`;
const LINEAR = `${TEST}router.linear-time.test.ts`;
const DISPATCH = `${LIB}routing/dispatch.js`;
const REDIRECT = `${LIB}response/redirect.js`;
const WALK = 'packages/ristretto/lib/router/walk.js';

/** Files of `ristretto` whose attack tests also run on this package (test/threats.test.ts there). */
const SHARED =
  /^packages\/ristretto\/test\/(?:threats(?:\.bodies|\.messages|\.proxies|\.queries|\.static)?|app\.(?:METHOD|use)|body\.inflate|req\.(?:hostname|path|query)|res\.(?:cookie|jsonp|location|redirect)|setting\.trust-proxy|web\.(?:json|urlencoded|text|static\.\w+))\.test\.ts$/;

/** Files that this package implements itself, or that are attacked through features missing in Express 5. */
const OTHERWISE =
  /lib\/(?:router\/(?:layer|route|walk|index)|middleware\/init|response\/(?:headers|redirect|location|json|status)|request\/query)\.js/;

/** Tests in those files that are unrelated to attacks, and do not run on this package. */
const OTHER_TESTS = /^(?:spellings|wrapped write)/;

/** Makes routes read the path differently from the middleware mounted before them. */
const routesSee = (/** @type {string} */ path) =>
  /** @type {[string, string, string][]} */ ([
    [WALK, 'this.index = this.state.currentIndex();', ''],
    [
      DISPATCH,
      'return own.match(path) || undefined;',
      `return own.match(own.route ? ${path} : path) || undefined;`,
    ],
  ]);

const shared = [...pages, ...files, ...queries, ...paths, ...bodies, ...proxies, ...messages]
  .filter(({ id, test, edits }) => SHARED.test(test) && !OTHER_TESTS.test(id) && edits !== undefined)
  .filter(({ edits = [] }) => !edits.some(([file]) => OTHERWISE.test(file)))
  .map(mutation => ({ ...mutation, without: `${mutation.without}, in ristretto5`, test: THREATS }));

/** @type {import('./index.mjs').Mutation[]} */
export const ristretto5 = [
  ...['CVE-2024-45296', 'GHSA-rhx6-c78j-4q9w', 'CVE-2026-4867', 'CVE-2024-52798', 'CVE-2026-4923'].map(
    id => ({
      id,
      without: 'the program that never goes back the same way twice, in ristretto5',
      test: LINEAR,
      edits: /** @type {[string, string, string][]} */ ([
        [
          'packages/ristretto/lib/router/pattern/expression.js',
          'const tree = (0, syntax_1.parseExpression)(this.regexp.source);',
          'return null;\n        const tree = undefined;',
        ],
      ]),
    }),
  ),
  {
    id: 'CVE-2026-4926',
    without: 'a limit to the alternatives that groups make',
    test: LINEAR,
    edits: [
      [`${LIB}routing/pattern/variants.js`, 'const MOST_VARIANTS = 256;', 'const MOST_VARIANTS = 4096;'],
    ],
  },
  {
    id: 'CVE-2026-33804',
    without: 'one path for guard and route: single slashes for routes, in ristretto5',
    test: THREATS,
    edits: routesSee("path.replace(/\\/+/g, '/')"),
  },
  ...["path.replace(/;[^/]*/g, '')", 'decodeURIComponent(path)'].map(path => ({
    id: 'CVE-2026-33808',
    without: `one path for guard and route: ${path} for routes, in ristretto5`,
    test: THREATS,
    edits: routesSee(path),
  })),
  {
    id: 'CVE-2024-43796',
    without: 'escaping the URL on the page of a redirect, in ristretto5',
    test: THREATS,
    edits: [[REDIRECT, '${escapeHtml(target)}', '${target}']],
  },
  {
    id: 'CVE-2024-43796',
    without: 'the policy of the page of a redirect, in ristretto5',
    test: THREATS,
    edits: [[REDIRECT, "this.setHeader('Content-Security-Policy', page_policy_1.PAGE_POLICY);", ';']],
  },
  {
    id: 'CVE-2024-29041',
    without: 'leaving a host as it is, in ristretto5',
    test: THREATS,
    edits: [[REDIRECT, 'encodeUrl(String(target))', 'encodeURI(String(target))']],
  },
  {
    id: 'CVE-2022-41919',
    without: 'an end of the media type, in ristretto5',
    test: THREATS,
    edits: [
      [
        'packages/ristretto/lib/protocol/content-type.js',
        'const LENIENT_TYPE = /^[ \\t]*([a-z\\d][\\w!#$&^-]{0,126}\\/[a-z\\d][\\w!#$&^.+-]{0,126})[ \\t]*$/i;',
        'const LENIENT_TYPE = /^[ \\t]*([a-z\\d][\\w!#$&^-]{0,126}\\/[a-z\\d][\\w!#$&^.+-]{0,126})/i;',
      ],
    ],
  },
  {
    id: 'CVE-2025-15284',
    without: 'short lists in queries, in ristretto5',
    test: THREATS,
    edits: [
      [
        `${LIB}protocol/query-parser.js`,
        'extendedQueryParser)();',
        'extendedQueryParser)({ arrayLimit: 1e9 });',
      ],
    ],
  },
  ...shared,
];
