/**
 * The differences from Express 4 that a search of an application's sources can find: the machine-readable part of
 * docs/DIFFERENCES.md. A test fails if a row there is neither here nor in the list of those that no search can find.
 */
import type { Search } from './sources';

export interface Difference extends Search {
  id: string;
  /** The first cell of its row in docs/DIFFERENCES.md. */
  title: string;
  find: RegExp;
  /** How the difference affects the application, and what to do. */
  advice: string;
}

/** The packages that Express 4 installs and Ristretto does not. */
const OF_EXPRESS =
  'accepts|array-flatten|body-parser|content-disposition|content-type|etag|fresh|ipaddr\\.js|merge-descriptors|methods|negotiator|parseurl|path-to-regexp|proxy-addr|qs|range-parser|raw-body|safe-buffer|send|serve-static|setprototypeof|type-is|utils-merge|vary';

const VIEW = '(?:Int|Uint)(?:8|16|32)(?:Clamped)?Array|Float(?:32|64)Array|DataView|ArrayBuffer';
const STREAM = 'Blob|File|Response|ReadableStream|Readable';

export const differences: readonly Difference[] = [
  {
    id: 'undeclared-packages',
    title:
      'Packages that Express installs (`body-parser`, `qs`, `send`, …), required by an application that does not list them',
    find: new RegExp(`(?:\\brequire\\(|\\bfrom\\s|\\bimport\\s*\\(?)\\s*['"](${OF_EXPRESS})(?:/[^'"]*)?['"]`),
    isUndeclared: true,
    advice: 'The package is installed because Express 4 depends on it. Add it to the dependencies.',
  },
  {
    id: 'x-powered-by',
    title: '`X-Powered-By`',
    find: /^(?!.*\b(?:disable|disabled|set|removeHeader)\(\s*['"`]x-powered-by).*['"`.]x-powered-by\b/i,
    advice: 'Its value is `Ristretto`. Change code that compares it with `Express`.',
  },
  {
    id: 'replaced-setters',
    title: 'A replaced `res.set`, `res.get` or `res.type`',
    find: /\b(?:res|response)\.(?:set|get|type)\s*=(?!=)/,
    advice:
      'res.send, res.json, res.jsonp and res.render do not call it. Replace setHeader or getHeader instead, which they call.',
  },
  {
    id: 'rejected-promises',
    title: 'A promise rejected by a handler, error handler, parameter callback or function of `res.format`',
    find: /\.on(?:ce)?\(\s*['"]unhandledRejection['"]/,
    packages: ['express-async-errors', 'express-async-handler', 'express-async-router', 'express-asyncify'],
    advice:
      'A promise that a handler rejects goes to the error handlers and is not an unhandled rejection. Wrappers still work, but are no longer needed.',
  },
  {
    id: 'layer-regexp',
    title: '`layer.regexp`',
    find: /\blayer\.regexp\b/i,
    advice: 'Reading and assigning it works. It is an accessor, not a data property.',
  },
  {
    id: 'router-stack',
    title: '`router.stack`',
    find: /(?:\b|_)router\.stack\b/i,
    advice:
      'Reading and changing the array works. The property is an accessor; `app.routes()` lists routes as data.',
  },
  {
    id: 'first-layers',
    title: 'Layers inserted before the first two of `app._router.stack`',
    find: /(?:\b|_)router\.stack\.(?:unshift|splice)\(/i,
    advice: "Layers in front of the first two see requests that already have the framework's members.",
  },
  {
    id: 'parsed-url',
    title: '`req._parsedUrl`',
    find: /\._parsedUrl\b/,
    advice:
      'It is parsed from the current `req.url` when read. In a mounted router, use `req.originalUrl` for the whole URL.',
  },
  {
    id: 'for-in',
    title: '`for (name in res)`, `for (name in req)`',
    find: /\bfor\s*\(\s*(?:(?:const|let|var)\s+)?\w+\s+in\s+(?:req|res|request|response)\s*\)/,
    advice: 'The loop does not list `end`, `setHeader`, `removeHeader` and a few other functions of Node.',
  },
  {
    id: 'send-file-callback',
    title: 'Callback of `res.sendFile` and `res.download`',
    find: /\.(?:sendFile|sendfile|download)\(.*(?:=>|\bfunction\b|,\s*(?:cb|callback|done|next)\s*\))/,
    advice:
      'The callback is called when the response has finished or the client has disconnected, not when the file has been read.',
  },
  {
    id: 'pipe-events',
    title: '`pipe` and `unpipe` events of a response that sends a file',
    find: /\bres(?:ponse)?\.on(?:ce)?\(\s*['"](?:un)?pipe['"]/,
    advice:
      'Files are sent without a stream, so these events are not emitted for them. Listen for `finish` and `close`.',
  },
  {
    id: 'patched-functions',
    title: 'Node functions patched by a tool',
    find: /\b(?:res|response|ServerResponse\.prototype|IncomingMessage\.prototype)\.(?:end|write|writeHead|setHeader|flushHeaders|push|read|resume)\s*=[^=]/,
    advice:
      'The patch is called with the same result, but possibly at a different time or a different number of times when a file is sent.',
  },
  {
    id: 'patched-sub-application',
    title: "A sub-application's `app.response` or `app.request` patched by its own handler",
    find: /\b\w*app\w*\.(?:response|request)\.\w+\s*=[^=]/i,
    advice:
      'A patch made before requests arrive works as in Express 4. A patch first made by a handler of a mounted application after 1000 requests takes effect from the next request on.',
  },
  {
    id: 'prototypes',
    title: "`setHeader('X-Powered-By')` in a class that `app.response` inherits from",
    find: /\bsetPrototypeOf\(\s*[\w.]+\.(?:response|request)\b/,
    advice: 'A class that `app.response` inherits from also sees `setHeader` called for `X-Powered-By`.',
  },
  {
    id: 'http2',
    title: '`http2.createServer(app)`',
    find: /\bhttp2\.create(?:Secure)?Server\(/,
    advice:
      'Works, where Express 4 ends the process. `spdy` and `http2-express-bridge` are no longer needed.',
    packages: ['http2-express-bridge', 'spdy'],
  },
  {
    id: 'new-application-members',
    title: '`app.fetch`, `app.inject`',
    find: /\bapp\.(?:fetch|inject)\s*=[^=]/,
    advice: 'The application assigns a member that Ristretto also has. The assignment works and hides it.',
  },
  {
    id: 'remove',
    title: '`app.remove`, `router.remove`, `route.remove`',
    find: /\b(?:app|router|route)\.remove\s*=[^=]/,
    advice: 'The application assigns a member that Ristretto also has. The assignment works and hides it.',
  },
  {
    id: 'sse',
    title: '`res.sse`',
    find: /\bres(?:ponse)?\.sse\s*=[^=]/,
    advice: 'The application assigns a member that Ristretto also has. The assignment works and hides it.',
  },
  {
    id: 'send-streams',
    title:
      '`res.send` of a `ReadableStream`, `Readable`, `Blob`, `ArrayBuffer`, `Response`, iterator or async iterable',
    find: new RegExp(`\\.send\\(\\s*(?:new (?:${STREAM})\\b|[\\w.]*createReadStream\\()`),
    advice: 'Its content is sent, not its properties as JSON. Use `res.json` if you want that JSON.',
  },
  {
    id: 'send-views',
    title: '`res.send` of a `Uint8Array` or another view',
    find: new RegExp(`\\.send\\(\\s*new (?:${VIEW})\\b`),
    advice: 'Its bytes are sent. Use `res.json` if you want JSON such as `{"0":1}`.',
  },
  {
    id: 'redirect-back',
    title: "`redirect('back')`, `location('back')` with a `Referer` that begins with `//` or `/\\`",
    find: /\.(?:redirect|location)\((?:\s*\d+\s*,)?\s*['"]back['"]/,
    advice:
      'A `Referer` that begins with `//` or `/\\` redirects to `/`, not to another host. Others work as before.',
  },
  {
    id: 'trust-proxy',
    title: '`trust proxy` with an IPv4-mapped range whose prefix is below 97, except `::ffff:0:0/96`',
    find: /::ffff:(?!0\.0\.0\.0\/96)[\d.]+\/(?:\d|[1-8]\d|9[0-6])\b/i,
    advice:
      'Throws at startup, because it would trust every IPv4 address. Write the IPv4 range, or a prefix of 97 or more.',
  },
  {
    id: 'redirect-false',
    title:
      '`web.static` and a path in a non-canonical form: empty or `.` segments, escaped unreserved characters',
    find: /\bredirect\s*:\s*false\b/,
    advice:
      'With `redirect: false`, `web.static` responds with 404 to `//a.js` or `/./a.js`, which Express 4 serves.',
  },
  {
    id: 'static-options',
    title: 'Invalid `dotfiles`, `index`, `extensions`, `start` or `end` in `web.static`',
    find: /\bdotfiles\s*:\s*(?:true|false|null|\d|(['"`])(?!(?:allow|deny|ignore)\1))/,
    advice:
      "`web.static` throws at startup, where Express 4 responds with 500 to each request. `dotfiles` is 'allow', 'deny' or 'ignore'.",
  },
  {
    id: 'limit',
    title: "A `limit` that is not a size, such as `'abc'` or NaN",
    find: /\blimit\s*:\s*(?:NaN|true|false|['"`](?![\s+-]*\d|\$\{))/,
    advice:
      "The parser throws at startup. Before body-parser 1.20.6, such a value meant no limit. Write bytes, or a size such as '1mb'.",
  },
  {
    id: 'limit-text',
    title: "A `limit` that is only partly a size, such as `'10 megs'`, or negative",
    find: /\blimit\s*:\s*(?:-\s*\d|(['"`])\s*[+-]?\d(?![\d.]* *(?:[kmgtp]?b)?\s*\1|[^'"`]*\$\{))/i,
    advice:
      "The parser throws at startup. Express 4 reads `'10 megs'` as 10 bytes. Write bytes, or a size such as '10mb'.",
  },
  {
    id: 'max-age',
    title: "A `maxAge` of `web.static` that is not a duration, such as `'1 dayz'`",
    find: /\bmax[Aa]ge\s*:\s*(?:NaN|true|(['"`])(?![-+]?[\d.]+ *(?:ms|[smhdwy]|milliseconds?|msecs?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|years?|yrs?)?\1|[^'"`]*\$\{))/,
    advice:
      "`web.static` throws, where Express 4 sends `max-age=0`. Write milliseconds, or a duration such as '1d'.",
  },
  {
    id: 'verify',
    title: '`verify` that returns a promise',
    find: /\bverify\s*:\s*async\b|\basync\s+verify\s*\(/,
    advice:
      'The promise is awaited, and its rejection is a 403. Express 4 accepts the body before the promise settles.',
  },
  {
    id: 'query',
    title: '`web.query(options)`',
    find: /\b(?:express|web)\.query\(\s*[^)\s]/,
    advice:
      'Accepts `depth`, `strictDepth`, `arrayLimit`, `parameterLimit`, or a function such as `qs.parse`. Other options throw.',
  },
];
