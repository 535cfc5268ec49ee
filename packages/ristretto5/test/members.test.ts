// runs: slow
/**
 * Members and settings that are the same in Express 5 as in Express 4: the tests of the engine, run with this package beside
 * Express 5. What differs has tests in the other files.
 */
import { loadSharedTests } from './support/shared-tests.js';

const FILES =
  'app.METHOD app.settings app.use req.accepts req.app req.headers req.host req.url res.app res.cookie ' +
  'res.download res.headers res.json res.render res.send res.sendFile res.sendFile.callback res.status settings.responses ' +
  'web.static.options web.static.safety';

/** Titles of tests of what Express 5 has removed or changed. */
const DIFFERENT = [
  /deprecat/,
  /^(?:alias|back|bad callback|function form|page|pattern): /,
  /^CVE-2025-54420: back never leads to/,
  // Paths
  /^bad path: /,
  /^path: (?:accepts patterns|array may hold|pattern matches)/,
  /^(?:mounted|other forms|no handler): /,
  /^returned value: is the application/,
  // Settings
  /^(?:bad value: throws an error that names it|defaults: match the table)/,
  // Requests
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

loadSharedTests(FILES.split(' '), title => !DIFFERENT.some(different => different.test(title)));
