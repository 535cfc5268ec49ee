/** Known attacks, by their ids. */
import type { Chapter } from './chapter.js';

const each = (names: string, rule: string) => Object.fromEntries(names.split(' ').map(name => [name, rule]));

export const threats: Chapter = {
  title: 'Threats',
  ids: {
    // redirects, pages, JSONP
    ...each(
      'CVE-2024-43796 CVE-2024-43799 CVE-2024-43800',
      'no live link and no markup on the page of a redirect, and a policy',
    ),
    'CVE-2024-29041': 'encoding does not change the host',
    ...each('CVE-2015-1164 CVE-2021-22964', 'redirects to directories stay on the site'),
    'CVE-2025-54420': 'back never leads to //host',
    ...each('CVE-2014-6393 CVE-2015-8856', 'error pages are escaped, with charset, policy and nosniff'),
    'CVE-2014-4671': 'a callback is a name',
    // files and ranges
    'CVE-2014-6394': 'a root ends at its separator',
    ...each('CVE-2014-3744 GHSA-wr4h-v87w-p3r7', 'no way upwards'),
    'CVE-2015-8859': 'no page tells where the root is',
    ...each('CVE-2026-6414 CVE-2026-15074 GHSA-8pvw-jcv7-9cmj', 'guard and file server see one path'),
    'CVE-2026-34785': 'a mount ends with a segment',
    'null byte': '400',
    'ecstatic, hapi': 'odd conditions and ranges are ignored, or 416',
    'CVE-2026-34826': 'thousands of ranges are one plain 200',
    'CVE-2014-3742': 'an abort leaves no descriptor open',
    // query, parameters, regular expressions, hashing
    ...each(
      'CVE-2014-7191 CVE-2017-1000048 CVE-2022-24999 CVE-2025-15284',
      'queries are bounded and touch no prototype',
    ),
    ...each('CVE-2024-45296 GHSA-rhx6-c78j-4q9w CVE-2026-4867', 'patterns take linear time'),
    ...each('CVE-2016-10539 CVE-2025-25200 CVE-2026-35213', 'header fields take linear time'),
    'CVE-2024-51999': 'names that objects inherit stay in queries',
    'deep recursion: JSON': 'is parsed or 400',
    'deep recursion: query': 'is capped',
    'deep recursion: urlencoded': '400',
    // bodies
    'CVE-2024-45590': '32 levels, then 400',
    'CVE-2025-13466': 'thousands of parameters take linear time',
    'CVE-2026-12590': 'an unreadable limit throws',
    'CVE-2026-111181': 'a decoder that is given up is destroyed',
    'zip bomb': 'is given up at the limit',
    'CVE-2026-22036': 'one coding, else 415',
    ...each(
      'CVE-2022-41919 CVE-2026-25223 CVE-2026-3419 CVE-2026-33806',
      'parser and type check agree on the media type',
    ),
    // cookies
    'CVE-2024-47764': 'a name, path or domain with attributes throws',
    'CVE-2025-7339': 'writeHead with a list of fields sends them as they are',
    // proxies and agreement on paths
    'CVE-2026-90711': 'too wide a subnet of mapped addresses throws',
    ...each(
      'fastify CVE-2026-27700 CVE-2026-18174',
      'forged forwarding fields are not believed, blanks and tabs trimmed',
    ),
    'CVE-2026-27959': 'what is no host is undefined',
    ...each('CVE-2026-14198 CVE-2026-33804 CVE-2026-33808', 'guard and route see one path'),
    'CVE-2026-85184': 'the authority of a target is stripped',
    ...each('CVE-2026-6556 CVE-2026-112712', 'all forms of mount paths strip alike'),
    'HEAD: runs the whole chain of GET': 'guards included',
    // HTTP
    smuggling: 'framing is the runtime’s, never made up from fields',
    'CR LF: header values': 'throw',
    'CR LF: reason phrases': 'throw',
    'CR LF: cookies': 'throw',
    '__proto__: as a header name': 'does no harm',
    'bodiless responses': 'have no body, pipelined too',
    'one response per request': 'whatever the handlers do',
    // HTTP/2
    ...each(
      'CVE-2019-9512 CVE-2019-9515 CVE-2019-9517 CVE-2019-9518 CVE-2023-44487 CVE-2024-27983 CVE-2025-8671',
      'a flood of HTTP/2 frames ends the session',
    ),
    ...each(
      'CVE-2025-59465 CVE-2026-21714 CVE-2026-48937',
      'malformed HTTP/2 frames end the session, not the process',
    ),
    'CVE-2026-56846': 'headers of open HTTP/2 streams take a limited amount of memory',
  },
};
