/** Differences of Express 5 that are listed for a person to check, because no rewriting of them is certain. */
import type { Search } from './sources';

export type Rest =
  | 'numbered-parameter'
  | 'param-function'
  | 'path'
  | 'query'
  | 'req-param'
  | 'sendfile'
  | 'status-argument'
  | 'urlencoded';

export interface Change extends Search {
  id: string;
  title: string;
  advice: string;
}

/** Found while rewriting: places that could not be rewritten. */
export const rests: Readonly<Record<Rest, Omit<Change, 'id'>>> = {
  path: {
    title: 'Paths in the syntax of Express 4',
    advice:
      'Groups such as `:id(\\d+)` and characters such as `+` have no equivalent. Check the parameter in the handler, write a regular expression, or list several paths.',
  },
  'numbered-parameter': {
    title: '`req.params[0]`',
    advice: 'A wildcard has a name, and its value is an array of segments: `req.params.splat.join("/")`.',
  },
  query: {
    title: '`req.query` that is assigned or changed',
    advice:
      "It is parsed at each read, so changes are lost. Keep the values in a variable, or write `app.set('query writable', true)` after `const app = express()`.",
  },
  'req-param': {
    title: '`req.param(name)`',
    advice: 'Read the parameter where it is: in `req.params`, `req.body` or `req.query`.',
  },
  sendfile: {
    title: '`res.sendfile(path)`',
    advice: 'Use `res.sendFile`, with an absolute path or the option `root`.',
  },
  'status-argument': {
    title: '`res.send`, `res.json` and `res.redirect` with a status after or before the body',
    advice: 'Write `res.status(code).send(body)`, and `res.redirect(status, url)`.',
  },
  'param-function': {
    title: '`app.param(fn)`',
    advice: 'It is gone. Register a callback for each name: `app.param(name, callback)`.',
  },
  urlencoded: {
    title: '`express.urlencoded` whose options are not written in the call',
    advice:
      'The default of `extended` is false, so `a[b]=1` is no longer an object. Add `extended: true` if the options lack it.',
  },
};

/** Found line by line. */
export const changes: readonly (Change & { find: RegExp })[] = [
  {
    id: 'static-mime',
    title: '`express.static.mime`',
    find: /\.static\.mime\b/,
    advice: 'It is gone. Use the package `mime-types`.',
  },
  {
    id: 'router-internals',
    title: '`app._router`, `layer.regexp`, `layer.keys`',
    find: /\bapp\._router\b|\blayer\.(?:regexp|keys|handle_request|handle_error)\b/i,
    advice:
      'The router is `app.router`, and its layers have other members. `app.routes()` lists routes as data.',
  },
  {
    id: 'files-of-express',
    title: 'Files of Express, and `express.query`',
    find: /['"]express\/lib\/(?:router|middleware)\b|\bexpress\.query\(/,
    advice: 'There is no `lib/router`, `lib/middleware` and `express.query`.',
  },
  {
    id: 'nested-query',
    title: 'Nested query strings, such as `?filter[name]=a`',
    find: /\breq(?:uest)?\.query\.\w+(?:\.(?!length\b|split\b|to\w+\(|trim|replace|slice|match|map|includes|forEach|join)\w+|\[['"\w])/,
    advice: "The default parser is flat. Write `app.set('query parser', 'extended')` for nested objects.",
  },
  {
    id: 'dotfiles',
    title: 'Files in directories that begin with a dot',
    find: /['"`/]\.well-known\b/,
    advice: "`express.static` and `res.sendFile` don't send them without `dotfiles: 'allow'`.",
  },
  {
    id: 'empty-body',
    title: '`req.body` without a body',
    find: /\b(?:Object\.keys\(\s*req\.body|in\s+req\.body\b|\}\s*=\s*req\.body\s*;?\s*$)/,
    advice: '`req.body` is undefined, not `{}`, if no parser has read a body: `req.body ?? {}`.',
  },
  {
    id: 'text-status',
    title: '`res.status` with a string',
    find: /\.(?:status|sendStatus)\(\s*['"]/,
    advice: 'It throws for anything but an integer from 100 to 999.',
  },
];

/** Middleware that changes `req.query` in place or assigns it. */
export const queryWriters = [
  'express-mongo-sanitize',
  'express-validator',
  'express-xss-sanitizer',
  'hpp',
  'perfect-express-sanitizer',
  'xss-clean',
];
