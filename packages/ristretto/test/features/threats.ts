/** Known attacks, by their ids. */
import type { Chapter } from './chapter.js';

const each = (names: string, rule: string) => Object.fromEntries(names.split(' ').map(name => [name, rule]));

export const threats: Chapter = {
  title: 'Threats',
  ids: {
    // Redirects, pages, JSONP
    ...each(
      'CVE-2024-43796 CVE-2024-43799 CVE-2024-43800',
      'redirect pages contain no live link and no markup from the URL, and have a CSP',
    ),
    'CVE-2024-29041': 'encoding does not change the host',
    ...each('CVE-2015-1164 CVE-2021-22964', 'directory redirects stay on the site'),
    'CVE-2025-54420': 'back never redirects to //host',
    ...each('CVE-2014-6393 CVE-2015-8856', 'error pages are escaped, and have a charset, a CSP and nosniff'),
    'CVE-2014-4671': 'characters that are invalid in a callback name are removed',
    // Files and ranges
    'CVE-2014-6394': 'a directory whose name begins like the root is not reachable',
    ...each('CVE-2014-3744 GHSA-wr4h-v87w-p3r7', 'no encoding of .. leaves the root'),
    'CVE-2015-8859': 'error pages in production do not contain the path of the root',
    ...each(
      'CVE-2026-6414 CVE-2026-15074 GHSA-8pvw-jcv7-9cmj',
      'a guard and the file server see the same path',
    ),
    'CVE-2026-34785': 'a mount path matches up to a segment boundary',
    'null byte': 'results in a 400 response',
    'ecstatic, hapi': 'invalid conditional and Range headers are ignored, or result in 416',
    'CVE-2026-34826': 'a request for thousands of ranges gets the whole file with 200',
    'CVE-2014-3742': 'an aborted download leaves no descriptor open',
    // Query, parameters, regular expressions, hashing
    ...each(
      'CVE-2014-7191 CVE-2017-1000048 CVE-2022-24999 CVE-2025-15284',
      'parsed queries are bounded and cannot modify a prototype',
    ),
    ...each('CVE-2024-45296 GHSA-rhx6-c78j-4q9w CVE-2026-4867', 'path patterns are matched in linear time'),
    ...each('CVE-2016-10539 CVE-2025-25200 CVE-2026-35213', 'headers are parsed in linear time'),
    'CVE-2024-51999': 'query parameters may have names that objects inherit',
    'deep recursion: JSON': 'deeply nested JSON is parsed or results in 400, and the process keeps running',
    'deep recursion: query': 'the nesting of query strings is limited',
    'deep recursion: urlencoded': 'deeply nested bodies are rejected with 400',
    // Bodies
    'CVE-2024-45590': 'bodies nested deeper than 32 levels are rejected with 400',
    'CVE-2025-13466': 'thousands of parameters are parsed in linear time',
    'CVE-2026-12590': 'a limit that cannot be parsed throws',
    'CVE-2026-111181': 'a decoder that is no longer needed is destroyed',
    'zip bomb': 'decompression stops at the limit',
    'CVE-2026-22036': 'more than one Content-Encoding is rejected with 415',
    ...each(
      'CVE-2022-41919 CVE-2026-25223 CVE-2026-3419 CVE-2026-33806',
      'the parser and the type check agree on the media type',
    ),
    // Cookies
    'CVE-2024-47764': 'a name, path or domain that would add attributes throws',
    'CVE-2025-7339': 'writeHead() sends an array of headers unchanged',
    // Proxies, and different readings of the same path
    'CVE-2026-90711': 'a range of IPv4-mapped addresses that is too wide throws',
    ...each(
      'fastify CVE-2026-27700 CVE-2026-18174',
      'forged forwarding headers are not trusted; spaces and tabs are trimmed',
    ),
    'CVE-2026-27959': 'the hostname is undefined if the Host header is not a host',
    ...each('CVE-2026-14198 CVE-2026-33804 CVE-2026-33808', 'a guard and a route see the same path'),
    'CVE-2026-85184': 'the authority of an absolute-form target is stripped before matching',
    ...each('CVE-2026-6556 CVE-2026-112712', 'all forms of mount paths are stripped in the same way'),
    'HEAD: runs the whole chain of GET': 'including guards',
    // HTTP
    smuggling: 'Node frames the messages; framing is never derived from headers',
    'CR LF: header values': 'throw',
    'CR LF: reason phrases': 'throw',
    'CR LF: cookies': 'throw',
    '__proto__: as a header name': 'changes no prototype',
    'bodiless responses': 'have no body, even if pipelined',
    'one response per request': 'is sent, whatever the handlers do',
    // HTTP/2
    ...each(
      'CVE-2019-9512 CVE-2019-9515 CVE-2019-9517 CVE-2019-9518 CVE-2023-44487 CVE-2024-27983 CVE-2025-8671',
      'a flood of HTTP/2 frames ends the session',
    ),
    ...each(
      'CVE-2025-59465 CVE-2026-21714 CVE-2026-48937',
      'malformed HTTP/2 frames end the session, not the process',
    ),
    'CVE-2026-56846': 'the headers of open HTTP/2 streams use a limited amount of memory',
  },
};
