/** Packages of middleware that Ristretto has a replacement for, with what differs in each. */

import type { Search } from './sources';

/** A way in which a package differs from its original. */
export interface MiddlewareDifference extends Search {
  /** The item in the section "Differences" of the package's Readme; a test compares them. */
  text: string;
}

export interface MiddlewarePackage {
  /** The original; the package replaces the major version that `version` begins with. */
  name: string;
  alias: string;
  /** The version of the replacement. */
  version: string;
  differences: readonly MiddlewareDifference[];
}

const ofBodyParser = (decompressed: string): readonly MiddlewareDifference[] => [
  {
    text: 'A `type` that is neither a string, an array nor a function throws when the parser is created.',
    find: /\b(?:json|urlencoded|raw|text)\(.*\btype\s*:\s*(?:true|false|null|\d)/,
  },
  {
    text: '`verify` may return a promise, for which the request waits.',
    find: /\bverify\s*:\s*async\b|\basync\s+verify\s*\(/,
  },
  { text: '`raw` is an addition.' },
  { text: decompressed },
  { text: 'There is no output for `DEBUG=body-parser*`.', find: /\bDEBUG\b.*\bbody-parser/ },
];

const ofServeStatic: readonly MiddlewareDifference[] = [
  {
    text: 'A path in another spelling (`//a`, `/./a`, `/%61`) is redirected to the plain one, and `..` or an encoded slash is not served: guards in front see the path that is served.',
    find: /\bredirect\s*:\s*false\b/,
  },
  {
    text: 'Invalid `dotfiles`, `index` and `extensions` throw when the middleware is created. With serve-static, each request fails.',
    find: /\bdotfiles\s*:\s*(?:true|false|null|\d|(['"`])(?!(?:allow|deny|ignore)\1))/,
  },
];

export const middlewarePackages: readonly MiddlewarePackage[] = [
  {
    name: 'body-parser',
    alias: '@ristretto/body-parser1',
    version: '1.50.0',
    differences: ofBodyParser('Brotli and Zstandard are decompressed too, where Node.js supports it.'),
  },
  {
    name: 'body-parser',
    alias: '@ristretto/body-parser',
    version: '2.50.0',
    differences: ofBodyParser('Zstandard is decompressed too, where Node.js supports it.'),
  },
  {
    name: 'compression',
    alias: '@ristretto/compression',
    version: '1.50.0',
    differences: [
      {
        text: 'A body that is passed to `res.send`, `res.json` or `res.end` as a whole is compressed in one call (above 64 KiB on the thread pool), and has a `Content-Length`, where the original sends chunks.',
      },
      { text: 'Zstandard and the option `zstd` are new.' },
      { text: 'Events (`text/event-stream`) are sent without `res.flush()`.' },
      {
        text: 'Partial content (206) is not compressed.',
      },
      {
        text: 'A 304 without a `Content-Type` has `Vary: Accept-Encoding` (RFC 9110, section 15.4.5).',
      },
      {
        text: 'Options that `node:zlib` rejects, and a `threshold` that is not a size, throw when the middleware is created.',
      },
      {
        text: 'Callbacks of `res.write` and `res.end` are called.',
        find: /\bres(?:ponse)?\.(?:write|end)\(.*(?:=>|\bfunction\b)/,
      },
    ],
  },
  {
    name: 'cookie-parser',
    alias: '@ristretto/cookie-parser',
    version: '1.50.0',
    differences: [
      {
        text: '`req.cookies` and `req.signedCookies` are accessors until they are written: a property descriptor has no `value`.',
        find: /\bgetOwnPropertyDescriptors?\(\s*req(?:uest)?\b/,
      },
      {
        text: '`decode` is called when cookies are read for the first time.',
        find: /\bcookieParser\(.*\bdecode\b/i,
      },
      { text: 'A secret of a wrong type throws when the middleware is created, not with each request.' },
    ],
  },
  {
    name: 'cookie-session',
    alias: '@ristretto/cookie-session',
    version: '2.50.0',
    differences: [
      {
        text: 'A signature that is forged or of an older key, and found after the headers have been sent, changes no cookie. cookie-session throws from `req.session`.',
      },
      { text: '`regenerate` is an addition.' },
      {
        text: 'Options with which no session could be saved (a key that is undefined, text as `maxAge`) throw when the middleware is created. cookie-session loses the sessions.',
      },
      { text: 'Keys are checked in constant time without the two additional hashes of tsscmp.' },
    ],
  },
  {
    name: 'cors',
    alias: '@ristretto/cors',
    version: '2.50.0',
    differences: [
      {
        text: 'Options are read when the middleware is created, not on every request. Arrays in `origin` may change later.',
        find: /\bcors\w*(?:opt|conf)\w*\.\w+\s*=[^=]/i,
      },
      {
        text: '`methods: null` or `undefined` leaves out `Access-Control-Allow-Methods`. With cors, preflight requests fail with a `TypeError`.',
        find: /\bmethods\s*:\s*(?:null|undefined)\b/,
      },
      {
        text: 'Where a function chooses, each response has `Vary: Origin`. cors sends it only with an allowed origin.',
      },
      {
        text: 'A pattern in `origin` is not tested for requests without an `Origin`; cors tests it against the text `undefined`.',
      },
    ],
  },
  {
    name: 'express-rate-limit',
    alias: '@ristretto/rate-limit',
    version: '8.50.0',
    differences: [
      {
        text: '`next` is called at once if nothing returns a promise; with express-rate-limit, it is called later.',
      },
      {
        text: 'A limit that is not a number (`Number(undefined)`) is an error. With express-rate-limit, there is then no limit.',
        find: /\b(?:limit|max)\s*:\s*(?:Number|parseInt|\+)\s*\(?\s*process\.env\b/,
      },
      {
        text: '`skip`, `keyGenerator`, `handler` and `requestWasSuccessful` must be functions when the limiter is created. With express-rate-limit, every request fails.',
        find: /\b(?:skip|keyGenerator|handler|requestWasSuccessful)\s*:\s*(?:true|false|null|['"\d])/,
      },
      {
        text: 'If a store fails to start or to undo a count, the error is logged. With express-rate-limit, it ends the process.',
      },
      {
        text: 'A store that does not respond within `storeTimeout` is a store that fails: an error with status 503 and code `ESTORETIMEOUT`. With express-rate-limit, the request waits forever.',
      },
      {
        text: 'A store or an option that throws or rejects without a reason, such as `Promise.reject()`, fails the request. With express-rate-limit, the request passes.',
      },
      {
        text: "With `app.set('error format', 'problem')` and without the options `message` and `handler`, a request beyond the limit is an error with status 429 and type `rate.exceeded`.",
      },
      { text: 'A request is only subtracted from its own window, never from a later one.' },
      { text: 'Without a framework, the key is the address of the connection.' },
      { text: 'Validations have the same codes, but different messages.', find: /\bERR_ERL_\w+/ },
    ],
  },
  {
    name: 'express-session',
    alias: '@ristretto/session',
    version: '1.50.0',
    differences: [
      {
        text: 'The response is sent when the session has been stored. With express-session, a client that follows a redirect at once may find the old session.',
      },
      { text: '`res.end(body)` is sent with its `Content-Length`, where express-session sends chunks.' },
      { text: 'Responses do not wait for `touch`. Its errors go to `next` after the response.' },
      {
        text: '`save` and `destroy` without a callback return a promise, not the session.',
        find: /\bsession\.(?:save|destroy)\(\s*\)\s*\.(?!then|catch|finally)/,
      },
      {
        text: '`storeTimeout`: a store that stalls is an error, also in `save`, `reload`, `regenerate` and `destroy`. With express-session, the request waits forever.',
      },
      {
        text: 'Methods of a store that declare no callback, as `async get(id)`, may return a promise. With express-session, the request waits forever.',
      },
      {
        text: "A session that can't be stored (with a circular reference) is an error in `next` after the response. With express-session, the response never ends.",
      },
      {
        text: 'Errors that end the process with express-session go to the callback, such as a `genid` that throws in `regenerate`.',
      },
      {
        text: 'If a cookie is invalid and the store fails in the same response, the error handlers get the error of the cookie.',
      },
      { text: "`secure: 'auto'` and `sameSite: 'auto'` work in a function of `cookie` too." },
      {
        text: 'A secret of a wrong type, and a `name` and `cookie` with which no cookie can be set, throw when the middleware is created, not with each response.',
      },
      {
        text: '`req.session` is an accessor until it is deleted. Stored data under the name of a method (`save`) does not count as a change.',
        find: /\bgetOwnPropertyDescriptors?\(\s*req(?:uest)?\b/,
      },
    ],
  },
  {
    name: 'helmet',
    alias: '@ristretto/helmet',
    version: '8.50.0',
    differences: [
      {
        text: "A policy with a character that headers can't contain throws when the middleware is created. With helmet, every response fails.",
      },
      {
        text: 'Options of a wrong type (`hsts: null`) give errors that name the header and the value.',
        find: /\b(?:hsts|strictTransportSecurity|contentSecurityPolicy|referrerPolicy|frameguard|xFrameOptions|crossOrigin\w+Policy)\s*:\s*(?:null|['"\d])/,
      },
      {
        text: 'A function of a directive that does not return a string causes an error in `next`. helmet throws a `TypeError` from the middleware.',
      },
    ],
  },
  {
    name: 'morgan',
    alias: '@ristretto/morgan',
    version: '1.50.0',
    differences: [
      {
        text: '`res._startAt` and `res._startTime` are recorded only if the format has `:response-time`, `:total-time`, `:res` or a token of the application, or if there is a function for the format or `skip`.',
        find: /\b_start(?:At|Time)\b/,
      },
      {
        text: 'What a format, a token or `skip` throws after the response becomes a process warning. With morgan, it ends the process.',
      },
      { text: 'A token that is not defined is an error that names it.' },
      {
        text: 'Formats are compiled without generating code, so they work with `--disallow-code-generation-from-strings`.',
      },
      { text: 'There is no output for `DEBUG=morgan`.', find: /\bDEBUG\b.*\bmorgan/ },
    ],
  },
  {
    name: 'multer',
    alias: '@ristretto/multer',
    version: '2.50.0',
    differences: [
      {
        text: 'After the first error nothing more of the form is processed, and `req.files` keeps only files that were complete. multer continues with the bytes that have arrived together.',
        find: /\bMulterError\b/,
      },
      {
        text: 'If a filter, a storage, `destination`, `filename`, `streamHandler` or `_removeFile` throws or rejects, the request fails. With multer, most of these errors end the process.',
      },
      {
        text: 'A storage that calls back without reading `file.stream` does not stop the request, nor does one that calls back twice.',
        find: /\b_handleFile\b/,
      },
      {
        text: 'A part beyond `limits.parts` is rejected by its header.',
        find: /\bparts\s*:\s*\d/,
      },
      {
        text: '`a[20000]` creates an object with that key: only indexes up to 10,000 create arrays.',
      },
      {
        text: 'Boundaries are parsed as RFC 2046 asks: white space after a boundary is accepted, and so is a boundary right after the header of a part without content. Parts after the last boundary are ignored, and a boundary within the header of a part is an error.',
      },
      { text: 'Two boundaries in the Content-Type, or one longer than 70 characters, cause an error.' },
      {
        text: 'Values in a charset that Node supports and busboy does not are decoded; an unknown charset is read as `defCharset`. multer passes on `undefined`.',
        find: /\bdefCharset\b/,
      },
      {
        text: 'Options that could never work are rejected when they are passed.',
      },
      { text: "`streamHandler` gets a writable stream without busboy's events.", find: /\bstreamHandler\b/ },
      {
        text: 'HTTP/2 requests without Content-Length are received; multer leaves them to the next handler.',
      },
      {
        text: 'Failed requests leave no partial files behind.',
      },
    ],
  },
  {
    name: 'serve-static',
    alias: '@ristretto/serve-static1',
    version: '1.50.0',
    differences: ofServeStatic,
  },
  {
    name: 'serve-static',
    alias: '@ristretto/serve-static',
    version: '2.50.0',
    differences: ofServeStatic,
  },
];

/** Packages that one of ours replaces with another interface, so that an alias cannot. */
export const rewritten: Readonly<Record<string, { alias: string; advice: string }>> = {
  csurf: {
    alias: '@ristretto/same-origin',
    advice: 'is no longer maintained. @ristretto/same-origin has its purpose, without tokens',
  },
};
