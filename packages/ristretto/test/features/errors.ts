/** Errors and limits, wherever they come up. */
import type { Chapter } from './chapter.js';

const limit = { 'limit: 100 KiB': 'the largest body, unless said otherwise' };

export const errors: Chapter = {
  title: 'Errors',
  members: {
    next: { 'next(error)': 'goes to functions of four parameters' },
    'app.param': { 'next(error)': 'a param callback that finds nothing passes an error on' },
    'final handler': {
      404: 'nothing handles the request: a page that names method and path, escaped, with CSP and nosniff',
      'error: no status': '500',
      'error: status 400': 'err.status is the status',
      'error: statusCode 503': 'err.statusCode is the status',
      production: 'the stack is shown outside of it only',
      'headers sent': 'the socket is destroyed',
    },
    'web.static': {
      'dotfiles: deny': '403, passed on',
      'dotfiles: ignore': '404, passed on',
      'dotfiles: undefined': '404, passed on',
      'fallthrough: false': 'every mistake of the client goes to next(err)',
    },
    'req.accepts': { 'nothing acceptable': 'false, for an answer 406' },
    'res.format': { 'no match and no default': '406' },
    'web.json': {
      'inflate: false': 'a deflated body is refused',
      'verify: a thrown error': 'ends the parsing with that error',
      'error entity.too.large': '413',
      'error: req.body': 'is {} after an error, without a body, and where the type does not match',
    },
    'web.urlencoded': { parameterLimit: 'more parameters are an error' },
    'req.range': { malformed: '-2', unsatisfiable: '-1' },
    'res.sendStatus': { 'unknown code': 'the body is the number' },
    'res.sendFile': { 'callback: gets errors': 'and must send the response or pass them on' },
    'res.download': { 'callback: gets errors': 'and must send the response or pass them on' },
  },
};

export const limits: Chapter = {
  title: 'Limits',
  members: {
    'web.json': limit,
    'web.raw': limit,
    'web.text': limit,
    'web.urlencoded': { ...limit, 'parameterLimit: 1000': 'parameters' },
    'setting subdomain offset': { default: '2' },
    'web.static': { 'maxAge: default': '0 ms' },
    'res.sendFile': { 'maxAge: default': '0 ms' },
    'res.download': { 'maxAge: default': '0 ms' },
    'res.status': { 'code out of range': 'of the runtime throws' },
    'res.sendStatus': { 'code out of range': 'of the runtime throws' },
  },
};
