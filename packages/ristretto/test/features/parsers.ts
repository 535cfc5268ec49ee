/** The parsers of request bodies, with the options of each. */
import type { Chapter, Rows } from './chapter.js';

/** Behavior that all four share, and options of a single parser. */
const parser = (name: string, media: string, rows: Rows): Rows => ({
  function: `returns a middleware function named ${name}`,
  'body: is parsed': 'the body is parsed into req.body',
  'no body': 'req.body is {}',
  'req.body': 'keeps its value if the type does not match; a falsy value becomes {}',
  inflate: 'gzip and deflate are decompressed by default',
  'inflate: false': 'rejects compressed bodies with 415',
  limit: 'takes a number of bytes, or a string with a unit such as 100kb',
  'limit: 100 KiB': 'is the default',
  type: 'takes an extension, a media type, a wildcard, or an array of these',
  'type: null, false and empty': `select the default, ${media}`,
  'type: a function': 'is called with the request and decides whether to parse it',
  verify: 'is called with req, res, the bytes and the encoding',
  'verify: a thrown error': 'stops parsing; the status is 403 unless the error has one',
  'error entity.too.large': 'rejects a body over the limit with 413',
  'error headers.too.many': 'rejects with 431 if Node has dropped headers that may describe the body',
  ...rows,
});

export const parsers: Chapter = {
  title: 'Body parsers',
  members: {
    'web.json': parser('jsonParser', 'application/json', {
      reviver: 'is passed to JSON.parse() as the second argument',
      'strict: true': 'is the default: accepts objects and arrays only',
      'strict: false': 'accepts everything that JSON.parse() accepts',
      charset: 'every Unicode charset is accepted',
      'error entity.parse.failed': 'rejects invalid JSON with 400; the error has the body',
      'several parsers': 'the first parser that accepts the body parses it',
    }),
    'web.raw': parser('rawParser', 'application/octet-stream', {
      'body: every byte': 'req.body is a Buffer with every byte of the body',
    }),
    'web.text': parser('textParser', 'text/plain', {
      'body: is parsed': 'the body is decoded to a string in req.body',
      defaultCharset: 'applies if Content-Type has no charset; utf-8 by default',
      charset: 'the charset in Content-Type is used',
    }),
    'web.urlencoded': parser('urlencodedParser', 'application/x-www-form-urlencoded', {
      'extended: true': 'parses nested objects and arrays',
      'extended: false': 'parses strings and arrays of strings',
      'extended: omitted': 'is the same as true, with a deprecation warning',
      parameterLimit: 'is 1000 by default; more parameters are rejected with 413',
      depth: 'is 32 levels by default; deeper bodies are rejected with 400',
      charset: 'only UTF-8 is accepted',
    }),
    'body.inflate': {
      'error encoding.unsupported': 'rejects any other Content-Encoding with 415',
      br: 'is decompressed too',
      limit: 'applies to the decompressed bytes',
    },
    'body.read': {
      'error request.size.invalid': 'results in 400 if Content-Length differs from the length received',
      'error stream.not.readable': 'results in 500 if the request has already been read',
      'error stream.encoding.set': 'results in 500 if the request emits strings',
      'error request.aborted': 'is passed on once, with status 400',
    },
  },
};
