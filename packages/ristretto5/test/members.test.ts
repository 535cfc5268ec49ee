// runs: slow
/**
 * Members and settings that are the same in Express 5 as in Express 4, and additions: the tests of the engine, run with this
 * package beside Express 5. What differs has tests in the other files.
 */
import { loadSharedTests } from './support/shared-tests.js';

const MEMBERS =
  'app.METHOD app.listen app.param app.render app.settings app.use final-handler http.message-classes next req.accepts req.app req.headers ' +
  'req.host req.params req.url res.app res.cookie res.download res.headers res.json res.render res.send res.sendFile res.sendFile.callback ' +
  'res.status route-index router.use settings.requests settings.responses web.static.options web.static.safety';

/** `web.health` comes last, because it stops servers, and the process counts as stopping from then on. */
const ADDITIONS =
  'app.fetch app.inject diagnostics.requests http2.serve req.signal res.earlyHints res.onSend res.onSend.errors res.onSend.holding ' +
  'res.send.sources res.sse web.stop.protocols web.HttpError web.deadline web.overload web.metrics web.requestId web.validate web.health';

/** Titles of tests of what Express 5 has removed or changed. */
const DIFFERENT = [
  /deprecat/,
  /^(?:alias|back|bad callback|function form|page|pattern): /,
  /^CVE-2025-54420: back never leads to/,
  // Paths
  /^bad path: /,
  /^path: (?:accepts patterns|array may hold|pattern matches)/,
  /^(?:mounted|other forms|no handler|no callback): /,
  /^returned value: is the application/,
  /^(?:once: runs once per request|another value: runs|optional: runs no callback|queries: does not call)/,
  // Errors
  /^(?:error with .*: responds with \d+, logs it|error: a response status that is not a number|error: emits the event)/,
  /^(?:no reason: |tools that pass on rejections themselves|logging: logs the stack)/,
  // Settings
  /^(?:default: is extended|false: disables parsing)/,
  /^(?:function that throws: the error reaches|set after the first handler|after the first route)/,
  // Views, which call back later, and routers
  /^(?:view: is resolved relative|locals: merges|locals with __proto__|callback: receives the error|callback missing)/,
  /^(?:request: |bad argument: an object as path|random applications)/,
  // Requests
  /^(?:named: parameters may|optional: are undefined|numbered: wildcards|decoded: values|malformed: causes|the same name twice)/,
  /^(?:changes: made for one|field: is own|mounted application: gets|rewritten URL: keeps|name: |defaultValue: |default parser: )/,
  /^(?:over the wire: returns the same values|CVE-2025-15284: indexes of 1000)/,
  /^any header: /,
  /^(?:types: a comma-delimited list|quality: uses the last|none accepted: )/,
  /^(?:malformed Content-Type: returns false|size: ranges are cut|unsatisfiable: returns -1|both: requires both)/,
  /^value: equals req.hostname/,
  // Responses
  /^(?:body string: a malformed Content-Type|options: inherited ones|code out of range: .* header block)/,
  // Files
  /^(?:path: (?:is absolute|\.\. is 403|throws if)|root: relative paths|callback: comes after|type: follows the)/,
  /^(?:filename|headers: are set after|dotfiles|etag: is not affected)/,
];

/** The same for additions: what Express 5 sends for OPTIONS, accepts as status and body, and logs. */
const DIFFERENT_ADDITIONS = [
  /^(?:end: follows an error that a patched|route: is emitted before|start, end, asyncStart, asyncEnd: are emitted for app.render)/,
  /^OPTIONS: hooks run for the automatic response/,
  /^values that Node rejects: throw to the caller/,
  /^status and body: the deprecated form/,
  /^production: the page only says/,
  /^a request that matches: waits for asynchronous schemas/,
];

const BODIES = 'body.read web.json';

/** What is not the same in body-parser 2: `req.body` without a body, `req._body`, malformed types, flat forms, brotli. */
const DIFFERENT_BODIES = [
  /^(?:body: is parsed|no body: |req\._body: |req\.body: an existing|type: (?:a function|a malformed|may be))/,
  /^(?:charset: UTF-8 is accepted, others|defaultCharset: also applies|extended: (?:omitted|true))/,
  /^(?:prototypes: __proto__ is an|Content-Length: means no body|error stream\.not\.readable|br: is decompressed)/,
];

const others = (different: RegExp[]) => (title: string) => !different.some(each => each.test(title));
loadSharedTests(MEMBERS.split(' '), others(DIFFERENT));
loadSharedTests(ADDITIONS.split(' '), others(DIFFERENT_ADDITIONS));
loadSharedTests(BODIES.split(' '), others(DIFFERENT_BODIES));
