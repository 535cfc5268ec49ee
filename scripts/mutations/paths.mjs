/** Mutations: middleware that guards a path must read it as the routes do. */

const LIB = 'packages/ristretto/lib/';
const TEST = 'packages/ristretto/test/';
const USE = `${TEST}app.use.test.ts`;
const THREATS = `${TEST}threats.test.ts`;
const WALK = `${LIB}router/walk.js`;
const MANNER = `${LIB}router/walk-manner.js`;

/**
 * Makes routes read the path differently from the middleware mounted before them.
 *
 * @param {string} path the expression for the path that a route sees
 * @returns {[string, string, string][]}
 */
const routesSee = path => [
  [WALK, 'this.index = this.state.currentIndex();', ''],
  [MANNER, '(layer.match(path) ?', `(layer.match(layer.route ? ${path} : path) ?`],
];

/** @type {import('./index.mjs').Mutation[]} */
export const paths = [
  {
    id: 'CVE-2026-34785',
    without: "mounts that end at a segment's end",
    test: USE,
    edits: [
      [
        `${LIB}router/pattern/segments.js`,
        'if (this.tail === 0 || path.charCodeAt(position) !== SLASH)\n            return -1;',
        'if (this.tail === 0)\n            return -1;\n        if (path.charCodeAt(position) !== SLASH) return position;',
      ],
      [
        WALK,
        'if (!this.manner.mayFollowMount(path.charCodeAt(layerPath.length)))\n                return false;',
        '',
      ],
      [WALK, 'this.index = this.state.currentIndex();', ''],
    ],
  },
  {
    id: 'CVE-2026-14198',
    without: 'one path for guard and route: decoded for routes',
    test: USE,
    edits: routesSee('decodeURIComponent(path)'),
  },
  {
    id: 'CVE-2026-33804',
    without: 'one path for guard and route: single slashes for routes',
    test: THREATS,
    edits: routesSee("path.replace(/\\/+/g, '/')"),
  },
  {
    id: 'CVE-2026-33808',
    without: 'one path for guard and route: no semicolons for routes',
    test: THREATS,
    edits: routesSee("path.replace(/;[^/]*/g, '')"),
  },
  {
    id: 'CVE-2026-33808',
    without: 'one path for guard and route: decoded for routes',
    test: THREATS,
    edits: routesSee('decodeURIComponent(path)'),
  },
  {
    id: 'CVE-2026-85184',
    without: 'taking the authority off',
    test: USE,
    edits: [
      [
        `${LIB}protocol/url.js`,
        'return (_b = (_a = parseUnusual(target)) === null || _a === void 0 ? void 0 : _a.pathname) !== null && _b !== void 0 ? _b : undefined;',
        'return target;',
      ],
    ],
  },
  {
    id: 'CVE-2026-6556',
    without: 'stripping what an expression has matched',
    test: USE,
    edits: [
      [
        WALK,
        "if (route === undefined && layerPath !== '' && !this.strip(layerPath, path))",
        "if (route === undefined && layerPath !== '' && layer[require('./symbols').PATTERN].shape !== undefined && !this.strip(layerPath, path))",
      ],
    ],
  },
  {
    id: 'CVE-2026-112712',
    without: 'mounts with a slash at their end being those without',
    test: THREATS,
    edits: [
      [
        `${LIB}router/pattern/segments.js`,
        'const walked = trailingSlash && !options.strict ? withoutLastSlash(tokens) : tokens;',
        'const walked = tokens;',
      ],
      [WALK, 'this.index = this.state.currentIndex();', ''],
    ],
  },
  {
    id: 'HEAD: runs the whole chain of GET',
    without: 'handlers of GET for HEAD',
    test: `${TEST}app.METHOD.test.ts`,
    edits: [
      [`${LIB}router/route.js`, "if (method === 'head' && !this.methods.head)\n        method = 'get';", ''],
    ],
  },
];
