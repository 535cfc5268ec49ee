import serveStatic from 'serve-static';
import required = require('serve-static');
import express from 'express';
import http from 'node:http';

const app = express();
app.use(serveStatic('public'));
app.use(
  '/assets',
  required('public', {
    maxAge: '1 day',
    index: ['index.html'],
    extensions: ['html'],
    dotfiles: 'deny',
    fallthrough: false,
    immutable: true,
    redirect: false,
    setHeaders: (res, path, stat) => {
      res.setHeader('X-Size', String(stat.size));
      res.setHeader('X-Path', path);
    },
  }),
);
const options: serveStatic.ServeStaticOptions = {
  etag: false,
  lastModified: false,
  acceptRanges: false,
  cacheControl: false,
};
const serve: serveStatic.RequestHandler<http.ServerResponse> = serveStatic('public', options);
http.createServer((req, res) => serve(req, res, () => res.end()));

// @ts-expect-error -- not a directory
serveStatic(5);
// @ts-expect-error -- no such option
serveStatic('public', { unknown: true });
