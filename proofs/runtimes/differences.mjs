/**
 * Differences from Node.js. Each entry must be observed; otherwise the run fails.
 *
 * @typedef {object} Difference
 * @property {string[]} on names of ways (harness/runtimes.mjs)
 * @property {string} what a sentence for the table
 * @property {Record<string, unknown>} seen by `group: name` of a check, what is observed instead of the expected value; a
 *   regular expression is for values that vary, and is tested on their JSON
 */

const NOTHING = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };
/** The ways that serve the application with `app.fetch`. */
const FETCHED = ['srvx', 'Bun, fetch', 'Deno, fetch', 'workerd, fetch'];
const WORKERDS = ['workerd', 'workerd, fetch'];

/** @type {Difference[]} */
export const differences = [
  {
    on: ['Bun'],
    what: '`web.stop` does not see a connection that has sent nothing yet; its client notices with its first request.',
    seen: {
      'stop: closes connections that have sent nothing': {
        report: { ...NOTHING, idle: 1 },
        code: 0,
        isSoon: true,
        isClosed: false,
      },
    },
  },
  {
    on: ['Bun'],
    what: '`web.stop` closes idle connections immediately: `drain` has no effect on them.',
    seen: {
      'stop: serves a request that comes on an idle connection while it stops, with Connection: close': {
        report: { ...NOTHING, idle: 1 },
        code: 0,
        isSoon: true,
        responses: 1,
        saysSo: false,
      },
    },
  },
  {
    on: ['workerd'],
    what: 'Responses are sent in chunks, without `Content-Length`.',
    seen: {
      'routing: sends text with type, entity tag and length':
        /"content-type":"text\/html; charset=utf-8","etag"/,
      'files: serves a static file with type, length and age': /"status":200,"body":"0123456789"/,
      'ranges: sends 206 with Content-Range for one range': /"status":206,"body":"234"/,
    },
  },
  {
    on: ['workerd'],
    what: 'The reason phrase is `unknown` unless `res.statusMessage` is set.',
    seen: { 'routing: sends the reason phrase of the status': { reason: 'unknown' } },
  },
  {
    on: WORKERDS,
    what: 'Responses have no `Date`; the server in front of workerd adds one.',
    seen: { 'routing: sends a date': false },
  },
  {
    on: WORKERDS,
    what: 'Requests with methods that workerd does not know (`M-SEARCH`) get 501.',
    seen: { 'routing: routes M-SEARCH': { status: 501, body: 'ERROR: Unrecognized request method.' } },
  },
  {
    on: ['workerd'],
    what: '`req.rawHeaders` has lower-case names, and joins repeated headers.',
    seen: { 'routing: keeps repeated headers apart in rawHeaders': { body: '{"raw":["x-two"]}' } },
  },
  {
    on: ['workerd'],
    what: '`If-Modified-Since` and `If-Unmodified-Since` are cut off at the comma in the date: only entity tags give a 304.',
    seen: { 'files: responds 304 to the validators that it sent': [304, 200] },
  },
  {
    on: WORKERDS,
    what: '`res.writeEarlyHints` throws, `res.addTrailers` is missing.',
    seen: {
      'routing: sends early hints': /"status":500,.*The writeEarlyHints method is not implemented/,
      'bodies: sends trailers': /^"failed: /,
    },
  },
  {
    on: ['workerd'],
    what: 'A response with `Content-Encoding` is compressed a second time: do not use the middleware compression.',
    seen: {
      'bodies: compresses a response with the middleware compression':
        /^\{"encoding":"gzip","length":\d\d\}$/,
    },
  },
  {
    on: WORKERDS,
    what: 'The connection closes after a large body that was not read.',
    seen: { 'bodies: serves the next request behind a body that nobody read': [true, false] },
  },
  {
    on: WORKERDS,
    what: 'Template engines that compile to JavaScript (ejs, pug) throw `EvalError`; compile the templates when you build the worker.',
    seen: {
      'views: renders a template that its engine compiles, with an included one': /"status":500,.*EvalError/,
    },
  },
  {
    on: WORKERDS,
    what: 'Requests with both `Content-Length` and `Transfer-Encoding`, and header blocks of 100 KiB, are accepted: the server in front of workerd must reject them.',
    seen: {
      'errors: responds 400 to a request with a length and chunks': /HTTP\/1\.1 200/,
      'errors: responds 431 to a header block of 100 KiB': /HTTP\/1\.1 200/,
    },
  },
  {
    on: ['workerd'],
    what: 'A client that disconnects is detected only when something is written.',
    seen: {
      'aborts: closes a response that had begun': [],
      'aborts: closes a response that had not begun': [],
    },
  },
  {
    on: ['workerd'],
    what: 'The error of an aborted request has no code.',
    seen: {
      'aborts: emits aborted, an error and close on a request that was cut off': [
        'aborted',
        null,
        'request closed, complete: false',
      ],
    },
  },
  {
    on: WORKERDS,
    what: 'The host’s files are not available: files and templates are modules of the worker, under `/bundle`, last modified in 1970.',
    seen: { 'aborts: reports a download that was cut off': 'ENOENT' },
  },
  {
    on: FETCHED,
    what: 'Header names are in lower case, in responses and in `req.rawHeaders`, which joins repeated headers.',
    seen: {
      'routing: keeps the case of header names': false,
      'routing: keeps repeated headers apart in rawHeaders': { body: '{"raw":["x-two"]}' },
    },
  },
  {
    on: ['srvx', 'Bun, fetch', 'Deno, fetch'],
    what: 'Early hints and trailers are dropped.',
    seen: {
      'routing: sends early hints': { informational: [], status: 200, body: 'hinted' },
      'bodies: sends trailers': { body: 'body', trailers: { 'x-sum': undefined } },
    },
  },
  {
    on: ['Bun, fetch'],
    what: 'Pipelined requests: only the first is served.',
    seen: {
      'routing: serves several requests on one connection, in the order in which they came': ['"name":"a"'],
    },
  },
  {
    on: ['Bun, fetch'],
    what: 'A response written all at once has `Content-Length` instead of chunks.',
    seen: {
      'bodies: sends what is written in chunks': {
        body: 'one two three',
        headers: { 'transfer-encoding': undefined, 'content-length': '13' },
      },
    },
  },
  {
    on: ['Deno, fetch'],
    what: 'The request body stalls if the response begins before the whole body has been read: read it first.',
    seen: { 'bodies: pipes a request into its response': 'failed: no response to POST /bodies/echo' },
  },
  {
    on: ['Deno, fetch'],
    what: 'The connection closes after a large body that was not read.',
    seen: { 'bodies: serves the next request behind a body that nobody read': [true, false] },
  },
  {
    on: ['Deno, fetch'],
    what: 'A header block of 100 KiB gets 400 instead of 431.',
    seen: { 'errors: responds 431 to a header block of 100 KiB': 'HTTP/1.1 400 Bad Request' },
  },
  {
    on: ['workerd, fetch'],
    what: "`req.ip` is undefined. Behind Cloudflare: `fetch: request => app.fetch(request, { remoteAddress: request.headers.get('cf-connecting-ip') })`.",
    seen: {
      'routing: knows the address of the client': {
        ip: undefined,
        protocol: 'http',
        secure: false,
        hostname: 'example.com',
        httpVersion: '1.1',
      },
    },
  },
  {
    on: ['workerd, fetch'],
    what: 'A client that disconnects is not detected: the handler ends without an event.',
    seen: {
      'aborts: closes a response that had begun': [],
      'aborts: closes a response that had not begun': [],
    },
  },
  {
    on: ['Deno, fetch'],
    what: 'A WebSocket whose client violates the protocol ends without a close frame.',
    seen: {
      'websockets: closes with 1007 for invalid UTF-8': undefined,
      'websockets: closes with 1002 for a reserved opcode': undefined,
    },
  },
  {
    on: ['workerd, fetch'],
    what: 'Invalid UTF-8 in messages of WebSockets is replaced.',
    seen: { 'websockets: closes with 1007 for invalid UTF-8': 3001 },
  },
  {
    on: ['workerd, fetch'],
    what: '`maxConnectionsPerAddress` of `app.ws` has no effect unless `remoteAddress` is passed.',
    seen: { 'websockets: refuses a second socket of an address with 429 at a limit of one': [101, 101] },
  },
  {
    on: ['workerd, fetch'],
    what: '`maxBacklog` of `app.ws` has no effect.',
    seen: { 'websockets: ends a socket whose client does not read beyond maxBacklog': 'flood goes on' },
  },
];

const HOSTED = 'the server and its connections belong to the host (`web.stop` closes WebSockets)';

/** Groups that do not apply to a way, with the reason. @type {Record<string, Record<string, string>>} */
export const inapplicable = {
  srvx: {
    websockets: 'on Node.js, `app.ws` needs `app.listen` or a server of Node.js',
    stop: HOSTED,
    'patched functions': 'srvx also calls them, for the response that it writes itself',
  },
  'Bun, fetch': { stop: HOSTED },
  'Deno, fetch': { stop: HOSTED },
  'workerd, fetch': { stop: HOSTED },
  workerd: {
    websockets: 'servers of `node:http` get no upgrades there: use `app.fetch`',
    stop: 'workerd ends requests and connections itself; the application is not a process',
  },
};
