/** The parsers of request bodies, with the options of each. */
import type { Chapter, Rows } from './chapter.js';

/** What all four have, and what the one adds. */
const parser = (name: string, media: string, rows: Rows): Rows => ({
  function: `middleware named ${name}`,
  'body: is parsed': 'into req.body',
  'no body': 'req.body is {}',
  'req.body': 'is left as it was, or {}, where the type does not match',
  inflate: 'gzip and deflate are inflated',
  'inflate: false': 'refuses them with 415',
  limit: 'bytes as a number, or as text with a unit',
  'limit: 100 KiB': 'is the default',
  type: 'an extension, a media type, a wildcard, or a list',
  'type: null, false and empty': `is ${media}, the default`,
  'type: a function': 'is asked with the request',
  verify: 'gets request, response, bytes and encoding',
  'verify: a thrown error': 'ends the parsing',
  'error entity.too.large': '413 for a body over the limit',
  'error headers.too.many': '431 for a body of which Node has left out headers',
  ...rows,
});

export const parsers: Chapter = {
  title: 'Body parsers',
  members: {
    'web.json': parser('jsonParser', 'application/json', {
      reviver: 'the second argument of JSON.parse',
      'strict: true': 'the default: objects and arrays only',
      'strict: false': 'whatever JSON.parse takes',
      charset: 'every one of Unicode',
      'error entity.parse.failed': '400 with the body',
      'several parsers': 'the first that takes the body has it',
    }),
    'web.raw': parser('rawParser', 'application/octet-stream', {
      'body: every byte': 'a Buffer',
    }),
    'web.text': parser('textParser', 'text/plain', {
      'body: is parsed': 'into a string',
      defaultCharset: 'utf-8 unless given; counts where Content-Type has none',
      charset: 'that of Content-Type',
    }),
    'web.urlencoded': parser('urlencodedParser', 'application/x-www-form-urlencoded', {
      'extended: true': 'nested objects and lists',
      'extended: false': 'texts and lists of texts',
      'extended: omitted': 'is true, with a warning',
      parameterLimit: '1000 by default; more are 413',
      depth: '32 by default; more is 400',
      charset: 'UTF-8 only',
    }),
    'body.inflate': {
      'error encoding.unsupported': '415 for other codings',
      br: 'is inflated too',
      limit: 'counts the bytes that come out',
    },
    'body.read': {
      'error request.size.invalid': '400',
      'error stream.not.readable': '500',
      'error stream.encoding.set': '500',
      'error request.aborted': '400',
    },
  },
};
