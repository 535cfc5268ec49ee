/** The request: properties and methods. */
import type { Chapter } from './chapter.js';

export const request: Chapter = {
  title: 'Request',
  members: {
    'req.app': {
      'middleware and handlers': 'is the application that runs the middleware',
      'sub-application': 'is the mounted application inside it',
    },
    'req.baseUrl': {
      root: 'is an empty string outside mounted routers',
      mounted: 'is the path that the router was reached by',
      pattern: 'is the path that was matched, not the pattern',
      nested: 'joins the paths of all levels',
    },
    'req.body': {
      'no parser': 'is undefined',
      'json, urlencoded, raw, text':
        'is the value that the parser sets: parsed JSON, key-value pairs, a Buffer or a string',
      'several parsers': 'is set by the parser that reads the body',
      assigned: 'can be set by a handler',
    },
    'req.cookies': {
      'no middleware': 'is undefined',
      'cookie-parser': 'contains the cookies of the request by name',
      none: 'is {} if the request has no cookies',
    },
    'req.signedCookies': {
      'no middleware': 'is undefined',
      'cookie-parser':
        'contains the values of signed cookies without the signature, or false if the signature is wrong',
      none: 'is {} if the request has no cookies',
    },
    'req.files': { 'no middleware': 'is undefined' },
    'req.fresh': {
      'If-None-Match': 'is true if the header lists the ETag of the response',
      'If-Modified-Since': 'is true if Last-Modified is not later than this date',
      'no condition': 'is false',
      'Cache-Control: no-cache': 'is always false',
      method: 'is false except for GET, HEAD and QUERY',
      status: 'is false unless the status is 2xx or 304',
    },
    'req.stale': { opposite: 'is the opposite of req.fresh' },
    'req.hostname': {
      Host: 'is the host in the Host header, without the port',
      'trust proxy off': 'X-Forwarded-Host is ignored',
      'trust proxy on': 'X-Forwarded-Host takes precedence',
      'several X-Forwarded-Host': 'the first value is used, whether in one header or in several',
    },
    'req.host': { value: 'is the same as req.hostname', deprecated: 'emits a deprecation warning' },
    'req.ip': {
      'trust proxy off': 'is the address of the socket',
      'trust proxy on': 'is the leftmost address in X-Forwarded-For if all proxies are trusted',
      'trust proxy addresses': 'is the first address from the right that is not trusted',
    },
    'req.ips': {
      'trust proxy off': 'is []',
      'trust proxy on': 'is the list of addresses in X-Forwarded-For, the client first',
    },
    'req.method': {
      value: 'is the method in the request line',
      native: 'is the property of http.IncomingMessage, which middleware may change',
      case: 'methods are case-sensitive over HTTP/1.1, HTTP/2 and app.fetch()',
    },
    'req.originalUrl': {
      whole: 'is the URL as received, including the query string',
      equals: 'is req.baseUrl followed by req.url',
      'changed url': 'does not change when req.url is changed',
    },
    'req.url': {
      mounted: 'does not include the mount path',
      rewritten: 'a new value applies to the layers that follow',
      'query string': 'is ignored when matching paths',
    },
    'req.params': {
      named: 'has a property for each named parameter in the path',
      default: 'is {}',
      'numbered: groups': 'capture groups of a regular expression are stored by index',
      'numbered: wildcards': 'wildcards and unnamed groups are stored by index',
      decoded: 'values are percent-decoded',
      malformed: 'malformed percent-encoding results in a 400 error',
      changes: 'are discarded before the next layer runs',
    },
    'req.path': {
      path: 'is the path of the URL, without the query string',
      mounting: 'does not include the mount path in mounted middleware',
    },
    'req.protocol': {
      'plain connection': 'is http',
      TLS: 'is https',
      'trust proxy off': 'X-Forwarded-Proto is ignored',
      'trust proxy on': 'is the first value of X-Forwarded-Proto',
    },
    'req.query': {
      'default parser': 'is an object of the parameters, as parsed by the query parser setting',
      'no query': 'is {}',
      field: 'can be assigned',
    },
    'req.res': { response: 'is the response to the request' },
    'req.next': { middleware: 'is the next function' },
    'req.route': {
      fields:
        'has path, methods, and stack, whose entries have handle, name, params, path, keys, regexp and method',
      methods: 'maps method names in lower case to true',
    },
    'req.secure': {
      'plain connection': 'is false',
      TLS: 'is true',
      'trust proxy on': 'is true if req.protocol is https',
    },
    'req.subdomains': {
      labels: 'lists the labels before the domain, the nearest to it first',
      'subdomain offset': 'sets the number of labels that form the domain',
    },
    'req.xhr': {
      'X-Requested-With is XMLHttpRequest': 'is true',
      'another value or no header': 'is false',
    },
    'req.accepts': {
      types: 'takes media types and extensions, one or several',
      'best match': 'is chosen by quality, then specificity, then order',
      'nothing acceptable': 'returns false; the application should respond with 406',
    },
    'req.acceptsCharsets': {
      'first accepted': 'returns the best of the given charsets',
      'none accepted': 'returns false',
    },
    'req.acceptsEncodings': {
      'first accepted': 'returns the best of the given encodings',
      'none accepted': 'returns false',
    },
    'req.acceptsLanguages': {
      'first accepted': 'returns the best of the given languages',
      'none accepted': 'returns false',
      'no argument': 'returns all languages in the header as an array',
    },
    'req.acceptsCharset': {
      alias: 'returns the same as req.acceptsCharsets()',
      deprecated: 'emits a deprecation warning',
    },
    'req.acceptsEncoding': {
      alias: 'returns the same as req.acceptsEncodings()',
      deprecated: 'emits a deprecation warning',
    },
    'req.acceptsLanguage': {
      alias: 'returns the same as req.acceptsLanguages()',
      deprecated: 'emits a deprecation warning',
    },
    'req.get': {
      field: 'returns the value of a header; the name is case-insensitive',
      absent: 'returns undefined',
      'Referer and Referrer': 'are interchangeable',
    },
    'req.header': { field: 'is the same function as req.get()' },
    'req.is': {
      'type: a media type': 'returns the type if it matches the body',
      'type: an extension': 'matches the media type of the extension',
      'type: a wildcard': 'matches any type that fits, and returns the type of the body',
      'no body': 'returns null',
      'no Content-Type': 'returns false',
    },
    'req.param': {
      name: 'looks up the name in req.params, then req.body, then req.query',
      defaultValue: 'is returned if nothing is found',
      deprecated: 'emits a deprecation warning',
    },
    'req.range': {
      size: 'returns the requested ranges of a resource of this size',
      type: 'is the unit in the header, for example bytes',
      combine: 'true merges ranges that overlap or touch',
      'combine: false': 'is the default',
      malformed: 'returns -2',
      unsatisfiable: 'returns -1',
    },
  },
};
