/**
 * Lint rules of the whole repository: the strict and the stylistic typed sets of typescript-eslint, plus what keeps
 * the code in small documented pieces. Every exception below says why it is one.
 */
import comments from '@eslint-community/eslint-plugin-eslint-comments';
import tseslint from 'typescript-eslint';

/** Programs around the published packages: they are type-checked by the tsconfig of their own folder. */
const PROOF = [
  'packages/*/test/**/*.ts',
  'packages/middleware/*/test/**/*.ts',
  'packages/middleware/test-support/**/*.ts',
  'examples/**/*.ts',
  'proofs/{conformance,differential,fuzz}/**/*.ts',
];
/** The repository's own tools: plain modules. */
const TOOLS = [
  'scripts/**/*.{mjs,cjs}',
  'proofs/bench/**/*.mjs',
  'proofs/{bundles,compat}/**/*.{js,mjs,cjs}',
  'proofs/{fuzz,migrate,runtimes,scale,soak,typescript}/**/*.mjs',
  'proofs/upstream/**/*.{mjs,cjs}',
  'docs/.vitepress/**/*.mjs',
  'deploy/**/*.mjs',
  '.ci/**/*.mjs',
];

/** The global names of Node, of CommonJS, and of functions that run in a page. */
const GLOBALS = Object.fromEntries(
  [
    ...Object.getOwnPropertyNames(globalThis),
    ...['require', 'module', 'exports', '__dirname', '__filename'],
    ...['window', 'document', 'location', 'axe'],
  ].map(name => [name, 'readonly']),
);

/** One form of comments: line comments begin with a capital, and `@param` has no dash after the name. */
const comment = {
  create(/** @type {import('eslint').Rule.RuleContext} */ context) {
    return {
      Program() {
        const all = context.sourceCode.getAllComments();
        for (const [at, { type, value, loc }] of all.entries()) {
          const before = all[at - 1];
          const isContinued = before?.type === 'Line' && before.loc.end.line === loc.start.line - 1;
          // Some words are written in lower case: names of programs, and code.
          const isFirst = /^\s*$/.test(
            context.sourceCode.lines[loc.start.line - 1].slice(0, loc.start.column),
          );
          if (
            type === 'Line' &&
            isFirst &&
            !isContinued &&
            /^ [a-z]+(?:['’,;:]|\.(?:\s|$)|\s|$)/.test(value) &&
            !NAMES.test(value)
          )
            context.report({ loc, message: 'A line comment begins with a capital.' });
          if (type === 'Block' && /@param (?:\{[^}]*\} )?[\w.]+ - /.test(value))
            context.report({ loc, message: 'Write `@param name text`, without a dash.' });
        }
      },
    };
  },
};
/** Words that begin a comment in lower case: names. */
const NAMES = /^ (?:npm|node|npx|nginx|finalhandler|workerd|busboy|runs)\b/;
/** Classes whose objects `instanceof` does not recognize. */
const REPLACEABLE =
  'Promise|Array|ArrayBuffer|Buffer|DataView|Date|Error|EvalError|Map|RangeError|ReferenceError|RegExp|Set|SyntaxError|TypeError|URIError|URL|Uint8Array';
/** Rules of this repository. */
const house = { rules: { comment } };

export default tseslint.config(
  {
    // Built, generated, installed, or wrong on purpose.
    ignores: [
      '**/node_modules/',
      'packages/*/lib/',
      'packages/middleware/*/lib/',
      '**/coverage/',
      'proofs/bench/results/',
      'docs/.vitepress/{cache,dist}/',
      'proofs/compat/sides/',
      'proofs/runtimes/.generated/',
      'examples/showcase/dist/',
      'packages/engine/test/**/.own-*/',
      // Its types are generated; a test compiles it.
      'examples/api-typescript/client/',
      'proofs/compat/frameworks/fixtures/PageController.js',
      'proofs/compat/old-tools/fixtures/typescript/',
      'packages/*/test/fixtures/',
      'packages/middleware/*/test/types/',
      // Linted as their users lint them, by `npm run create`.
      'packages/create-ristretto/templates/',
      'packages/*/test/types/{programs,ours,identity,consumers,library}/',
    ],
  },
  {
    files: ['packages/*/src/**/*.ts', 'packages/middleware/*/src/**/*.ts', ...PROOF],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    plugins: { comments, house },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'house/comment': 'error',
      // A rule is switched off for a line only with its name and the reason.
      'comments/require-description': ['error', { ignore: ['eslint-enable'] }],
      'comments/no-unlimited-disable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { minimumDescriptionLength: 8 }],
      // The number of parameters selects the handler type, so some are never used.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],

      // `x => side(x)` reads well as a handler and loses nothing.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // It has found nothing, and takes a fifth of the time of all rules.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A number in a template has one form only.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Headers, settings and query objects are maps by name: deleting a computed key is their operation.
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Users merge their members into interfaces of the namespace `Express`: this cannot be a module.
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      // Interfaces are what users merge into and extend; an empty one is a place to do so.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
      // Values come from JavaScript programs: a check that the types call needless protects at run time.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Indexing is checked by noUncheckedIndexedAccess; `!` after a length test costs nothing on the hot path.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Members are plain functions with `this`; taking one from a prototype to wrap or alias it is the design.
      '@typescript-eslint/unbound-method': 'off',
      // CommonJS is the module system here: `import x = require('x')`, and `require` on first use of what is rare.
      '@typescript-eslint/no-require-imports': 'off',
      // Overloads with parameters of different meaning keep a signature each: that is what editors show.
      '@typescript-eslint/unified-signatures': ['error', { ignoreDifferentlyNamedParameters: true }],
      // A loop by index is the fastest form on the hot path.
      '@typescript-eslint/prefer-for-of': 'off',
      // A type parameter used once is how handlers name the shape of params, bodies and locals.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // `||` is intended where an empty string, 0 or false counts as absent, as Express does in many places.
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      // Handlers may return a promise: passing one where void is expected is part of the interface.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      // `next(value)` takes whatever was thrown, an Error or not, and so does a rejected promise passed on.
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
    },
  },
  {
    files: TOOLS,
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    plugins: { comments, house },
    languageOptions: { globals: GLOBALS },
    rules: {
      // The compiler does not check these files.
      'no-undef': 'error',
      'house/comment': 'error',
      'comments/require-description': 'error',
      '@typescript-eslint/no-require-imports': 'off',
    },
  },
  {
    // Applications as their users write them: handlers that do nothing, classes that only carry decorators.
    files: [
      'proofs/compat/*/{scenarios,fixtures}/**',
      'proofs/bundles/applications/**',
      'proofs/runtimes/application/**',
    ],
    rules: {
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      // They have the globals of test runners and other runtimes.
      'no-undef': 'off',
      // The number of parameters selects the handler type, so some are never used.
      '@typescript-eslint/no-unused-vars': ['error', { args: 'none' }],
    },
  },
  {
    files: ['packages/*/src/**/*.ts', 'packages/middleware/*/src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'no-console': 'error',
      'no-restricted-globals': [
        'error',
        {
          name: 'performance',
          message: 'Jest before 28 gives tests none: import it from node:perf_hooks.',
        },
        {
          name: 'queueMicrotask',
          message: "Jest's fake timers replace it in tests: use nodeMicrotask (node-process.ts).",
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: `BinaryExpression[operator='instanceof'][right.name=/^(?:${REPLACEABLE})$/]`,
          message:
            'Tools replace this global, and other realms have their own: use util.types, or realms.ts.',
        },
      ],
    },
  },
  {
    files: ['packages/engine/src/**/*.ts'],
    ignores: ['packages/engine/src/serving/{keep-tick,probe}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'nextTick',
          message: "Jest's fake timers replace it in tests: use nodeProcess.nextTick (node-process.ts).",
        },
      ],
    },
  },
  {
    files: PROOF,
    rules: {
      // node:test collects the promises of its own functions.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['describe', 'suite', 'test', 'it', 'before', 'after'],
            },
          ],
        },
      ],
      // req.body, res.locals, err and JSON.parse are `any` to users of the interface, and tests are its users.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // They declare no enums, and assign members of those of TypeScript: a quarter of the time of all rules.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Tests throw strings, null and undefined to see what becomes of them.
      '@typescript-eslint/only-throw-error': 'off',
      // An async handler with no await is a case to be tested.
      '@typescript-eslint/require-await': 'off',
      // A handler that does nothing is a case too.
      '@typescript-eslint/no-empty-function': 'off',
      // One application is written against the types of two frameworks: an assertion that the checker finds needless
      // for the one is needed for the other.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // Observed values of any type are turned into text.
      '@typescript-eslint/no-base-to-string': 'off',
      // `void res.send()` says that the handler returns nothing, whatever the types of the framework under test say.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Deprecated members of the interface are tested as long as they exist.
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
);
