/** The package for `import`: the same objects that `require` gives, under their names. */
import web from './index.js';

export default web;
export const {
  Route,
  Router,
  application,
  request,
  response,
  json,
  query,
  raw,
  text,
  urlencoded,
  stop,
  stopOnSignals,
} = web;
const staticFiles = web.static;
export { staticFiles as static };
