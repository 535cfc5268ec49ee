/** Errors and limits, wherever they occur. */
import type { Chapter } from './chapter.js';

const limit = { 'limit: 100 KiB': 'is the default size limit of a body' };

export const errors: Chapter = {
  title: 'Errors',
  members: {
    next: { 'next(error)': 'skips to the error handlers, functions with four parameters' },
    'app.param': {
      'next(error)': 'a param callback that finds no value can pass an error to the error handlers',
    },
    'final handler': {
      404: 'an unhandled request gets a page with the method and path, escaped, with a CSP and nosniff',
      'error: no status': 'responds with 500',
      'error: status 400': 'uses err.status as the status',
      'error: statusCode 503': 'uses err.statusCode as the status',
      production: 'does not send the stack in production',
      'headers sent': 'destroys the socket',
    },
    'web.static': {
      'dotfiles: deny': 'dotfiles call next(), or result in 403 if fallthrough is false',
      'dotfiles: ignore': 'dotfiles call next(), or result in 404 if fallthrough is false',
      'dotfiles: undefined':
        'is the default: ignores dotfiles, but serves files in a directory whose name begins with a dot',
      'fallthrough: false': 'client errors, including 404, call next(err)',
    },
    'req.accepts': { 'nothing acceptable': 'returns false; the application should respond with 406' },
    'res.format': { 'no match and no default': 'results in a 406 error' },
    'web.json': {
      'inflate: false': 'rejects compressed bodies with 415',
      'verify: a thrown error': 'stops parsing; the status is 403 unless the error has one',
      'error entity.too.large': 'rejects a body over the limit with 413',
      'error: req.body': 'is {} after an error, without a body, and if the type does not match',
    },
    'web.urlencoded': { parameterLimit: 'more parameters are rejected with 413' },
    'req.range': { malformed: 'returns -2', unsatisfiable: 'returns -1' },
    'res.sendStatus': { 'unknown code': 'sends the number as the body' },
    'res.sendFile': { 'callback: gets errors': 'receives the error and must send a response or pass it on' },
    'res.download': { 'callback: gets errors': 'receives the error and must send a response or pass it on' },
  },
};

export const limits: Chapter = {
  title: 'Limits',
  members: {
    'web.json': limit,
    'web.raw': limit,
    'web.text': limit,
    'web.urlencoded': { ...limit, 'parameterLimit: 1000': 'is the default maximum number of parameters' },
    'setting subdomain offset': { default: 'is 2' },
    'web.static': { 'maxAge: default': 'is 0 ms' },
    'res.sendFile': { 'maxAge: default': 'is 0 ms' },
    'res.download': { 'maxAge: default': 'is 0 ms' },
    'res.status': { 'code out of range': 'throws a RangeError when the headers are written' },
    'res.sendStatus': { 'code out of range': 'throws a RangeError, as Node does' },
  },
};
