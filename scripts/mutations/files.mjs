/** Mutations: static files and ranges. */

const LIB = 'packages/ristretto/lib/static/';
const TEST = 'packages/ristretto/test/';
const SAFETY = `${TEST}web.static.safety.test.ts`;
const RESOLVE = `${LIB}resolve.js`;
const STATIC = `${LIB}static-answer.js`;
const SPELLINGS = `${TEST}web.static.spellings.test.ts`;
const PART = `${LIB}part.js`;
const RANGE = 'packages/ristretto/lib/protocol/range.js';

const ONLY_UPWARDS = 'if (UPWARDS.test(relative))\n        return 403;';

/** @type {import('./index.mjs').Mutation[]} */
export const files = [
  {
    id: 'CVE-2014-6394',
    without: 'a separator behind the root',
    test: SAFETY,
    edits: [
      [RESOLVE, ONLY_UPWARDS, 'if (!(0, node_path_1.join)(root, relative).startsWith(root)) return 403;'],
    ],
  },
  {
    id: 'CVE-2014-3744',
    without: 'refusing steps upwards',
    test: SAFETY,
    edits: [[RESOLVE, ONLY_UPWARDS, '']],
  },
  {
    id: 'CVE-2014-3744',
    without: 'decoding once only',
    test: SAFETY,
    edits: [
      [RESOLVE, 'return decodeURIComponent(path);', 'return decodeURIComponent(decodeURIComponent(path));'],
    ],
  },
  {
    id: 'GHSA-wr4h-v87w-p3r7',
    without: 'backslashes being separators',
    test: `${TEST}threats.test.ts`,
    edits: [[RESOLVE, '/(?:^|[\\\\/])\\.\\.(?:[\\\\/]|$)/', '/(?:^|[/])\\.\\.(?:[/]|$)/']],
  },
  {
    id: 'GHSA-wr4h-v87w-p3r7',
    without: 'names of devices, short way: backslash or not',
    test: `${TEST}threats.static.test.ts`,
    edits: [[RESOLVE, 'return DEVICE.test(path);', 'return false;']],
  },
  {
    id: 'GHSA-wr4h-v87w-p3r7',
    without: 'streams of a file, which a colon names',
    test: `${TEST}threats.static.test.ts`,
    edits: [[RESOLVE, '(?:[\\\\/]|$)|:/i;', '(?:[\\\\/]|$)/i;']],
  },
  {
    id: 'GHSA-wr4h-v87w-p3r7',
    without: 'second names of files on Windows',
    test: `${TEST}threats.static.test.ts`,
    edits: [[RESOLVE, 'return DROPPED.test(path) || SHORT.test(path);', 'return false;']],
  },
  {
    id: 'CVE-2015-8859',
    without: 'pages of production that tell nothing',
    test: SAFETY,
    edits: [
      ['packages/ristretto/lib/application/final-handler.js', "env: app.get('env')", "env: 'development'"],
    ],
  },
  {
    id: 'CVE-2026-6414',
    without: 'encoded slashes being another path',
    test: SAFETY,
    edits: [
      [
        RESOLVE,
        "if (code === SLASH || (code === BACKSLASH && separator === '\\\\'))\n        return true;",
        '',
      ],
    ],
  },
  {
    id: 'CVE-2026-15074',
    without: 'steps being another path',
    test: SAFETY,
    edits: [[RESOLVE, 'if (at === segment || isDotSegment(path, segment, at))', 'if (at === segment)']],
  },
  {
    id: 'CVE-2026-15074',
    without: 'doubled slashes being another path',
    test: SAFETY,
    edits: [
      [
        RESOLVE,
        'if (at === segment || isDotSegment(path, segment, at))',
        'if (isDotSegment(path, segment, at))',
      ],
    ],
  },
  {
    id: 'CVE-2026-15074',
    without: 'needless escapes being another path',
    test: SAFETY,
    edits: [[RESOLVE, 'return code < 0x80 && /[\\w.-]/.test(String.fromCharCode(code));', 'return false;']],
  },
  {
    id: 'GHSA-8pvw-jcv7-9cmj',
    without: 'one canonical path',
    test: SAFETY,
    edits: [
      [
        STATIC,
        'this.refusesFiles = !(0, resolve_1.isCanonical)(path) || (original !== path && !(0, resolve_1.isCanonical)(original));',
        '',
      ],
    ],
  },
  {
    id: 'CVE-2026-15074',
    without: 'redirects that lead to the path a guard sees',
    test: SAFETY,
    edits: [[STATIC, 'else\n            this.redirect(path);', 'else\n            this.redirect(pathname);']],
  },
  {
    id: 'spellings: a rewritten URL',
    without: 'a look whether the redirect would lead to itself',
    test: SPELLINGS,
    edits: [[STATIC, 'if (!path || path === pathname)', 'if (!path)']],
  },
  {
    id: 'spellings: a rewritten URL',
    without: 'a look whether the URL was rewritten',
    test: SPELLINGS,
    edits: [
      [
        STATIC,
        '(canonical === null || canonical === void 0 ? void 0 : canonical.endsWith(below))',
        'canonical',
      ],
    ],
  },
  {
    id: 'spellings: steps upwards',
    without: 'refusing separators in disguise in a redirect',
    test: SPELLINGS,
    edits: [[RESOLVE, 'if (REFUSED.test(segment))\n            return undefined;', '']],
  },
  {
    id: 'spellings: steps upwards',
    without: 'refusing steps and hidden names in a redirect',
    test: SPELLINGS,
    edits: [[RESOLVE, "if (name.startsWith('.'))\n            return undefined;", '']],
  },
  {
    id: 'spellings: generated ones',
    without: 'leaving out empty segments, which begin another host',
    test: SPELLINGS,
    edits: [[RESOLVE, "if (name === '' || name === '.')", "if (name === '.')"]],
  },
  {
    id: 'CVE-2026-34785',
    without: "mounts of files that end at a segment's end",
    test: SAFETY,
    edits: [
      [
        'packages/ristretto/lib/router/pattern/segments.js',
        'if (this.tail === 0 || path.charCodeAt(position) !== SLASH)\n            return -1;',
        'if (this.tail === 0)\n            return -1;\n        if (path.charCodeAt(position) !== SLASH) return position;',
      ],
      [
        'packages/ristretto/lib/router/walk.js',
        'if (!this.manner.mayFollowMount(path.charCodeAt(layerPath.length)))\n                return false;',
        '',
      ],
      ['packages/ristretto/lib/router/walk.js', 'this.index = this.state.currentIndex();', ''],
    ],
  },
  {
    id: 'null byte',
    without: 'refusing a null byte',
    test: SAFETY,
    edits: [[RESOLVE, "if (path.includes('\\0'))\n        return 400;", '']],
  },
  {
    id: 'null byte',
    without: 'a look for null bytes on the short way',
    test: SAFETY,
    edits: [[RESOLVE, 'if (code === BACKSLASH || code === 0)', 'if (code === BACKSLASH)']],
  },
  {
    id: 'ecstatic, hapi',
    without: 'refusing numbers that are none in ranges',
    test: `${TEST}web.static.ranges.test.ts`,
    edits: [
      [RANGE, 'return start >= 0 && start <= end ? { start, end } : undefined;', 'return { start, end };'],
    ],
  },
  {
    id: 'ecstatic, hapi',
    without: 'comparing dates so that those that are none never hold',
    test: `${TEST}web.static.ranges.test.ts`,
    edits: [
      [
        'packages/ristretto/lib/protocol/fresh.js',
        "return Date.parse((_a = validators['last-modified']) !== null && _a !== void 0 ? _a : '') <= Date.parse(modifiedSince);",
        "return new Date(validators['last-modified']).toISOString() <= new Date(modifiedSince).toISOString();",
      ],
    ],
  },
  {
    id: 'CVE-2026-34826',
    without: 'one plain answer to many ranges',
    test: `${TEST}web.static.ranges.test.ts`,
    edits: [[PART, 'limit: RANGE_LIMIT,', '']],
  },
  {
    id: 'CVE-2026-34826',
    without: 'a limit to ranges',
    test: `${TEST}protocol.range.test.ts`,
    edits: [[RANGE, 'if (count === limit)\n            return MALFORMED;', '']],
  },
  {
    id: 'CVE-2014-3742',
    without: 'closing the file when the client goes away',
    test: `${TEST}threats.static.test.ts`,
    edits: [['packages/ristretto/lib/http/closing.js', "res.on('close', listener);", '']],
  },
  {
    id: 'CVE-2014-3742',
    without: 'closing the file of an answer whose turn never comes',
    test: `${TEST}web.static.descriptors.test.ts`,
    edits: [
      [
        'packages/ristretto/lib/http/closing.js',
        'const isQueued = res.socket === null && Boolean(req.socket);',
        'const isQueued = false;',
      ],
    ],
  },
  {
    id: 'wrapped write',
    without: 'going on where a wrapper of write returns nothing',
    test: `${TEST}web.static.transfer.test.ts`,
    edits: [
      [
        `${LIB}stream.js`,
        'this.isWaiting = this.res.write(piece) === false;',
        'this.isWaiting = !this.res.write(piece);',
      ],
    ],
  },
  {
    id: 'wrapped write',
    without: 'a look whether the descriptor was closed during a write',
    test: `${TEST}web.static.transfer.test.ts`,
    edits: [[`${LIB}stream.js`, 'if (!this.isWaiting && !this.isStopped)', 'if (!this.isWaiting)']],
  },
];
