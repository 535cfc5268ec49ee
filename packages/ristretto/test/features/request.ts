/** The request: properties and methods. */
import type { Chapter } from './chapter.js';

export const request: Chapter = {
  title: 'Request',
  members: {
    'req.app': {
      'middleware and handlers': 'the application that runs the middleware',
      'sub-application': 'the mounted one inside it',
    },
    'req.baseUrl': {
      root: 'the empty string outside of mounted routers',
      mounted: 'the path on which the router was reached',
      pattern: 'what was matched, not the pattern',
      nested: 'all levels',
    },
    'req.body': {
      'no parser': 'undefined',
      'json, urlencoded, raw, text': 'a value, pairs, a Buffer or text, as the parser makes it',
      'several parsers': 'it comes from the one that took the body',
      assigned: 'a handler may set it',
    },
    'req.cookies': {
      'no middleware': 'undefined',
      'cookie-parser': 'the cookies of the request, by name',
      none: '{} where the request has none',
    },
    'req.signedCookies': {
      'no middleware': 'undefined',
      'cookie-parser': 'those with a right signature, without it; a wrong one is false',
      none: '{} where the request has none',
    },
    'req.files': { 'no middleware': 'undefined' },
    'req.fresh': {
      'If-None-Match': 'true where it lists the ETag of the response',
      'If-Modified-Since': 'true where Last-Modified is not later',
      'no condition': 'false',
      'Cache-Control: no-cache': 'false in any case',
      method: 'false for all but GET and HEAD',
      status: 'false unless the answer is a success or 304',
    },
    'req.stale': { opposite: 'of fresh' },
    'req.hostname': {
      Host: 'without the port',
      'trust proxy off': 'X-Forwarded-Host is ignored',
      'trust proxy on': 'X-Forwarded-Host comes first',
      'several X-Forwarded-Host': 'the first counts, of one field or of several',
    },
    'req.host': { value: 'the same', deprecated: 'and says so' },
    'req.ip': {
      'trust proxy off': 'the address of the socket',
      'trust proxy on': 'the left-most of X-Forwarded-For, where all are trusted',
      'trust proxy addresses': 'the nearest that is not trusted',
    },
    'req.ips': {
      'trust proxy off': '[]',
      'trust proxy on': 'the addresses of X-Forwarded-For, the client first',
    },
    'req.method': {
      value: 'the method as the request line has it',
      native: 'the property of the runtime, which middleware may change',
    },
    'req.originalUrl': {
      whole: 'the URL as it came, with the query',
      equals: 'baseUrl and url together',
      'changed url': 'changing url leaves it as it is',
    },
    'req.url': {
      mounted: 'without the mount path',
      rewritten: 'counts for what follows',
      'query string': 'plays no part in matching',
    },
    'req.params': {
      named: 'by the names in the path',
      default: '{}',
      'numbered: groups': 'groups of a regular expression by index',
      'numbered: wildcards': 'wildcards and groups without a name by index',
      decoded: 'percent-encoding is taken off',
      malformed: '400',
      changes: 'are undone for the next layer',
    },
    'req.path': {
      path: 'of the URL, without the query',
      mounting: 'without the mount path in mounted middleware',
    },
    'req.protocol': {
      'plain connection': 'http',
      TLS: 'https',
      'trust proxy off': 'X-Forwarded-Proto is ignored',
      'trust proxy on': 'X-Forwarded-Proto counts',
    },
    'req.query': {
      'default parser': 'an object of the parameters, by the parser that is set',
      'no query': '{}',
      field: 'can be assigned',
    },
    'req.res': { response: 'the response to the request' },
    'req.next': { middleware: 'the continuation' },
    'req.route': {
      fields:
        'path, methods, and stack, whose entries have handle, name, params, path, keys, regexp and method',
      methods: 'names in lower case, each true',
    },
    'req.secure': {
      'plain connection': 'false',
      TLS: 'true',
      'trust proxy on': 'whether protocol is https',
    },
    'req.subdomains': {
      labels: 'in front of the domain, the nearest first',
      'subdomain offset': 'says how long the domain is',
    },
    'req.xhr': {
      'X-Requested-With is XMLHttpRequest': 'true',
      'another value or no header': 'false',
    },
    'req.accepts': {
      types: 'a media type, an extension, a list',
      'best match': 'by quality, precision and order',
      'nothing acceptable': 'false; the answer should be 406',
    },
    'req.acceptsCharsets': { 'first accepted': 'of those given', 'none accepted': 'false' },
    'req.acceptsEncodings': { 'first accepted': 'of those given', 'none accepted': 'false' },
    'req.acceptsLanguages': {
      'first accepted': 'of those given',
      'none accepted': 'false',
      'no argument': 'all of the field, as a list',
    },
    'req.acceptsCharset': { alias: 'of acceptsCharsets', deprecated: 'and says so' },
    'req.acceptsEncoding': { alias: 'of acceptsEncodings', deprecated: 'and says so' },
    'req.acceptsLanguage': { alias: 'of acceptsLanguages', deprecated: 'and says so' },
    'req.get': {
      field: 'the value of a header field, in any case of its name',
      absent: 'undefined',
      'Referer and Referrer': 'are one',
    },
    'req.header': { field: 'the same function' },
    'req.is': {
      'type: a media type': 'the type of the body if it matches',
      'type: an extension': 'may be given for it',
      'type: a wildcard': 'too',
      'no body': 'null',
      'no Content-Type': 'false',
    },
    'req.param': {
      name: 'of params, then of body, then of query',
      defaultValue: 'where there is none',
      deprecated: 'says so',
    },
    'req.range': {
      size: 'ranges of a resource of this size',
      type: 'the unit of the field',
      combine: 'true merges ranges that overlap or touch',
      'combine: false': 'is the default',
      malformed: '-2',
      unsatisfiable: '-1',
    },
  },
};
