/** Mutations: redirects, pages and JSONP. */

const LIB = 'packages/ristretto/lib/';
const TEST = 'packages/ristretto/test/';
const REDIRECT = `${LIB}response/redirect.js`;
const DIRECTORY = `${LIB}static/redirect.js`;
const FINAL = `${LIB}application/final-handler.js`;
const JSONP = `${LIB}response/json.js`;

/** A naive error page, without any protection. @type {[string, string, string]} */
const NAIVE_PAGE = [
  FINAL,
  'finalHandler(req, res, options);',
  `(error => {
        res.statusCode = error ? (error.status ?? 500) : 404;
        res.setHeader('Content-Type', 'text/html');
        res.end(error ? String(error.stack) : 'Cannot ' + req.method + ' ' + decodeURI(req.url));
    });`,
];

/** @type {import('./index.mjs').Mutation[]} */
export const pages = [
  {
    id: 'CVE-2024-43796',
    without: 'escaping of the URL on the page of a redirect',
    test: `${TEST}res.redirect.test.ts`,
    edits: [[REDIRECT, 'Redirecting to ${escapeHtml(target)}</p>', 'Redirecting to ${target}</p>']],
  },
  {
    id: 'CVE-2024-43796',
    without: 'a page that has no link',
    test: `${TEST}res.redirect.test.ts`,
    edits: [
      [
        REDIRECT,
        '${escapeHtml(target)}</p>',
        '<a href="${escapeHtml(target)}">${escapeHtml(target)}</a></p>',
      ],
    ],
  },
  {
    id: 'CVE-2024-43796',
    without: 'a policy on the page of a redirect',
    test: `${TEST}res.redirect.test.ts`,
    edits: [[REDIRECT, `this.setHeader('Content-Security-Policy', page_policy_1.PAGE_POLICY);`, ';']],
  },
  {
    id: 'CVE-2024-43796',
    without: 'a policy of the application on the page of a redirect',
    test: `${TEST}res.redirect.test.ts`,
    edits: [[REDIRECT, `if (!this.hasHeader('Content-Security-Policy'))`, '']],
  },
  {
    id: 'CVE-2024-43799',
    without: 'escaping of the URL on the page for a directory',
    test: `${TEST}web.static.safety.test.ts`,
    edits: [[DIRECTORY, 'redirectPage(escapeHtml(location))', 'redirectPage(location)']],
  },
  {
    id: 'CVE-2024-43800',
    without: 'a policy on the page for a directory',
    test: `${TEST}threats.test.ts`,
    edits: [[DIRECTORY, `res.setHeader('Content-Security-Policy', page_policy_1.PAGE_POLICY);`, '']],
  },
  {
    id: 'CVE-2024-43800',
    without: 'a page for a directory that has no link',
    test: `${TEST}threats.test.ts`,
    edits: [[DIRECTORY, '<pre>Redirecting to ${location}</pre>', '<a href="${location}">${location}</a>']],
  },
  {
    id: 'CVE-2024-29041',
    without: 'encoding that leaves backslashes alone',
    test: `${TEST}res.location.test.ts`,
    edits: [[REDIRECT, 'encodeUrl(String(target))', 'encodeURI(String(target))']],
  },
  {
    id: 'CVE-2015-1164',
    without: 'one slash for many at the start of a redirect',
    test: `${TEST}web.static.safety.test.ts`,
    edits: [
      [DIRECTORY, "while (path[start] === '/' || path[start] === '\\\\')", 'while (start < 1)'],
      [DIRECTORY, "return '/' + path.slice(start)", 'return path'],
    ],
  },
  {
    id: 'CVE-2021-22964',
    without: 'backslashes being slashes at the start of a redirect',
    test: `${TEST}web.static.safety.test.ts`,
    edits: [[DIRECTORY, " || path[start] === '\\\\')", ')']],
  },
  {
    id: 'CVE-2025-54420',
    without: 'a look at the referrer (res.location)',
    test: `${TEST}res.location.test.ts`,
    edits: [[REDIRECT, "!value || /^[\\\\/]{2}/.test(value) ? '/' : value", "value || '/'"]],
  },
  {
    id: 'CVE-2025-54420',
    without: 'backslashes being slashes in the referrer',
    test: `${TEST}res.redirect.test.ts`,
    edits: [[REDIRECT, '/^[\\\\/]{2}/.test(value)', "value.startsWith('//')"]],
  },
  {
    id: 'CVE-2014-6393',
    without: 'the care of error pages: charset, policy, nosniff',
    test: `${TEST}web.static.safety.test.ts`,
    edits: [NAIVE_PAGE],
  },
  {
    id: 'CVE-2015-8856',
    without: 'the care of error pages: escaping',
    test: `${TEST}threats.test.ts`,
    edits: [NAIVE_PAGE],
  },
  {
    id: 'CVE-2014-4671',
    without: 'a callback that is a name',
    test: `${TEST}res.jsonp.test.ts`,
    edits: [[JSONP, "callback.replace(/[^[\\]\\w$.]/g, '')", 'callback']],
  },
  {
    id: 'CVE-2014-4671',
    without: 'a comment in front of the call',
    test: `${TEST}res.jsonp.test.ts`,
    edits: [[JSONP, '`/**/ typeof', '`typeof']],
  },
  {
    id: 'CVE-2014-4671',
    without: 'nosniff on the script',
    test: `${TEST}res.jsonp.test.ts`,
    edits: [
      [
        JSONP,
        "res.setHeader('X-Content-Type-Options', 'nosniff');\n        res.setHeader('Content-Type', 'text/javascript",
        "res.setHeader('Content-Type', 'text/javascript",
      ],
    ],
  },
  {
    id: 'CVE-2014-4671',
    without: 'escapes for U+2028 and U+2029',
    test: `${TEST}res.jsonp.test.ts`,
    edits: [[JSONP, '(0, json_1.escapeLineSeparators)(text)', 'text']],
  },
];
