/**
 * What the tests of members leave out over HTTP/2, with the reason: requests that HTTP/2 cannot express, which are sent over
 * HTTP/1.1 in every run, and tests that cannot pass. Both are checked (`http2.transport.test.ts`, `scripts/test-http2.mjs`).
 */
import type { Ask } from './http.js';

interface RequestRule {
  reason: string;
  holds: (asked: Ask) => boolean;
  /** Examples of these requests: if sent over HTTP/2, they are rejected, unless `isHttp2Wider`. */
  samples: Ask[];
  /** HTTP/2 accepts these requests, and HTTP/1.1 rejects them. */
  isHttp2Wider?: true;
}

/** The characters of an authority that HTTP/2 implementations accept; newer ones also reject user information. */
const AUTHORITY = /^[\w!$%&'()*+,.:;=[\]~-]+$/;

export const requests: RequestRule[] = [
  {
    reason: 'A path begins with a slash, except in OPTIONS * (RFC 9113, section 8.3.1).',
    holds: ({ path = '/', method }) => !path.startsWith('/') && !(path === '*' && method === 'OPTIONS'),
    samples: [{ path: 'http://example.com/' }, { path: '*' }, { path: '?a' }, { path: 'a' }],
  },
  {
    reason: 'A path contains no white space and no control characters.',
    holds: ({ path = '/' }) => /[\0-\x20\x7f]/.test(path),
    samples: [{ path: '/a b' }, { path: '/\t' }],
  },
  {
    reason: "Node's HTTP/1.1 parser rejects a path with non-ASCII bytes, so there is nothing to compare.",
    holds: ({ path = '/' }) => /[\x80-\xff]/.test(path),
    samples: [{ path: '/é' }],
    isHttp2Wider: true,
  },
  {
    reason: 'An authority is one host and port (RFC 9113, section 8.3.1), and clients do not omit it.',
    holds: ({ headers = {} }) => {
      const host = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host')?.[1];
      return host !== undefined && (Array.isArray(host) || !AUTHORITY.test(host));
    },
    samples: ['', 'a b', 'a/b', 'a?b', 'a#b', 'a\\b', 'a<b', 'é'].map(Host => ({ headers: { Host } })),
  },
  {
    reason: "Node's HTTP/2 client accepts only one If-None-Match value.",
    holds: ({ headers = {} }) => Array.isArray(headers['If-None-Match']),
    samples: [{ headers: { 'If-None-Match': ['"a"', '"b"'] } }],
  },
];

/** Whether HTTP/2 cannot express a request. */
export function isHttp1Only(asked: Ask): boolean {
  return requests.some(({ holds }) => holds(asked));
}

const SPELLING = 'HTTP/2 sends header names in lower case.';
const STATUS = "Node's HTTP/2 does not send a status above 599: it sends 500 instead.";
const TEXT = 'The test reads the header block as HTTP/1.1 text.';

/** Titles of tests that fail over HTTP/2, by file, with a prefix for `ristretto5`. Each must fail: remove one that passes. */
export const tests: Record<string, Record<string, string>> = {
  'final-handler.test.ts': {
    'error with headers that are objects: sends them as strings and reads each once': SPELLING,
    'trailers: a Trailer header does not stop the page, which is sent without it':
      'Over HTTP/2, a Trailer header is no mistake that Node reports.',
  },
  'internals.messages.test.ts': {
    'res._header: is null before the header block is created, then its text': TEXT,
  },
  'res.cookie.test.ts': { 'called several times: sends several headers': SPELLING },
  'res.app.test.ts': {
    'members: methods of the response use it, even if it is replaced':
      'Express sends a Content-Length for a body that it does not send. Over HTTP/2, Content-Length must match the body.',
  },
  'res.send.test.ts': {
    'body string: a type set as content-type is sent as Content-Type': SPELLING,
    'deprecated res.send(status): sends the reason phrase of the status': STATUS,
  },
  'res.headers.test.ts': {
    'array: sends the header several times': SPELLING,
    'res.set: replaces what was added before': SPELLING,
  },
  'res.status.test.ts': {
    'code: sets the status code and returns the response': STATUS,
    'CVE-2024-43796: the page has a policy that allows nothing, unless the application has set one': SPELLING,
  },
  'threats.test.ts': {
    'CVE-2025-7339: writeHead sends a list of headers as it is':
      'HTTP/2 sends fields of the same name one after another.',
    '__proto__: as a header name changes no object, in requests and responses':
      'The test compares the header names of the request, and HTTP/2 has no Connection.',
    'one response per request: is sent, whatever the handlers do': TEXT,
  },
  'web.static.test.ts': { 'files: are sent with headers in order, the body, and nothing else': SPELLING },
  'ristretto5/app.settings.test.ts': {
    'app.handle: adds the properties of Express 5 to a request, in their order':
      'Requests over HTTP/2 have properties of their own.',
  },
  'ristretto5/res.members.test.ts': {
    'res.status: throws for non-integers and outside 100 to 999': STATUS,
    'res.send: sends no Content-Length with Transfer-Encoding': 'HTTP/2 has no Transfer-Encoding.',
    'res.send: a second one throws, also behind Transfer-Encoding, where no length is set':
      'HTTP/2 has no Transfer-Encoding.',
  },
};
