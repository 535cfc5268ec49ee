/** http-proxy-middleware 2 in front of another server, with an upgrade to WebSocket. */
'use strict';

const { proxyThrough } = require('../support/reverse-proxy.cjs');

module.exports = {
  packages: ['http-proxy-middleware2'],
  exercised:
    'target, changeOrigin, pathRewrite as map and function, pathFilter, router by host, headers, cookie rewriting, xfwd, responseInterceptor, fixRequestBody after a body parser, errors, WebSocket upgrades, mounted and in a router',
  quick: true,
  http2: true,
  knownOverHttp2: [
    { places: /^\.seen\.3\.headers/, reason: 'a body in chunks without any has a Content-Length of 0' },
  ],
  express: [4, 5],

  run(tools) {
    return proxyThrough('http-proxy-middleware2', 2, tools);
  },
};
