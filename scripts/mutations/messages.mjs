/** Mutations: cookies, headers, framing. */

const LIB = 'packages/ristretto/lib/';
const TEST = 'packages/ristretto/test/';
const THREATS = `${TEST}threats.test.ts`;
const KEPT = `${TEST}threats.messages.test.ts`;
const WRITE = `${LIB}http1/write.js`;
const FIELDS = `${LIB}http/fields.js`;
const SET_HEADER = `${LIB}http/set-header.js`;
const SEND = `${LIB}response/send.js`;

/** Sets headers without validation. @type {[string, string, string][]} */
const UNCHECKED = [
  [
    `${LIB}response/headers.js`,
    'res.setHeader(name, value);',
    "require('../http/fields').setField(res, name.toLowerCase(), name, value);",
  ],
];

/** @type {import('./index.mjs').Mutation[]} */
export const messages = [
  {
    id: 'CVE-2024-47764',
    without: 'a look at name, path and domain',
    test: `${TEST}res.cookie.test.ts`,
    edits: [
      [
        `${LIB}response/cookie.js`,
        'cookies().serialize(name, text, attributes)',
        '`${name}=${encodeURIComponent(text)}; Path=${attributes.path}; Domain=${attributes.domain}`',
      ],
    ],
  },
  { id: 'CVE-2025-7339', without: 'nothing: writeHead is the runtime’s', test: THREATS },
  { id: 'smuggling', without: 'nothing: framing is the runtime’s', test: THREATS },
  {
    id: 'smuggling',
    without: 'framing of the runtime: read from what the fields say now',
    test: THREATS,
    edits: [
      [
        `${LIB}middleware/init.js`,
        'req.next = next;',
        "req.next = next;\n        { const push = req.push; req.push = function (chunk) { return push.call(this, chunk && chunk.subarray(0, Number(req.headers['content-length']))); }; }",
      ],
    ],
  },
  {
    id: 'CR LF: header values',
    without: "the runtime's look at values",
    test: THREATS,
    edits: UNCHECKED,
  },
  {
    id: 'CR LF: reason phrases',
    without: "the runtime's look at reasons",
    test: KEPT,
    edits: [[WRITE, 'res.statusMessage === undefined &&', '']],
  },
  {
    id: 'CR LF: header values',
    without: "the runtime's look at values, on kept connections",
    test: KEPT,
    edits: UNCHECKED,
  },
  {
    id: 'CR LF: header values',
    without: 'a look at values of a field that was set before',
    test: `${TEST}http.set-header.test.ts`,
    edits: [[SET_HEADER, 'isSettable && value === field.value', 'isSettable']],
  },
  {
    id: 'CR LF: cookies',
    without: 'a look at what cookies are made of',
    test: THREATS,
    edits: [
      ...UNCHECKED,
      [
        `${LIB}response/cookie.js`,
        'cookies().serialize(name, text, attributes)',
        '`${name}=${text}; Path=${attributes.path}; Domain=${attributes.domain}`',
      ],
    ],
  },
  {
    id: '__proto__: as a header name',
    without: 'sets of fields without a prototype',
    test: THREATS,
    edits: [[SET_HEADER, 'FieldSet.prototype = Object.create(null);', 'FieldSet.prototype = {};']],
  },
  {
    id: 'bodiless responses',
    without: 'leaving the body out for HEAD, 204 and 304',
    test: KEPT,
    edits: [
      [WRITE, 'return !_hasBody || statusCode === 204 || statusCode === 304;', 'return false;'],
      [SEND, "req.method === 'HEAD'", 'false'],
    ],
  },
  {
    id: 'bodiless responses',
    without: 'leaving the body out for HEAD',
    test: THREATS,
    edits: [
      [WRITE, 'return !_hasBody || statusCode === 204 || statusCode === 304;', 'return false;'],
      [SEND, "req.method === 'HEAD'", 'false'],
    ],
  },
  {
    id: 'bodiless responses',
    without: 'leaving the body out for 205',
    test: THREATS,
    edits: [[SEND, 'else if (statusCode === 205) {', 'else if (false) {']],
  },
  {
    id: 'one response per request',
    without: 'noticing that an answer is out',
    test: KEPT,
    edits: [
      [
        WRITE,
        'return (res._header === null &&\n        isUnpatched(res) &&\n        (0, one_write_1.isReady)(res) &&',
        'return (isUnpatched(res) &&',
      ],
      [WRITE, 'res.statusMessage === undefined &&', ''],
      [
        FIELDS,
        '!(0, set_header_1.hasNativeSetter)(res) || res._header !== null) {',
        '!(0, set_header_1.hasNativeSetter)(res)) {',
      ],
    ],
  },
  {
    id: 'headers: more than Node passes on',
    without: 'a look whether headers were left out (strict http)',
    test: `${TEST}http.conformance.strict.test.ts`,
    edits: [[`${LIB}application/strict-http.js`, '(_a = lacksHeaders(req))', '(_a = undefined)']],
  },
];
