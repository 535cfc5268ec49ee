/** A CommonJS program that uses the installed package under the name of Express. */
import express = require('express');
import { Router, json, type Request, type RequestHandler } from 'express';
import type { ParamsDictionary } from 'express-serve-static-core';
import type { AddressInfo } from 'node:net';

declare global {
  namespace Express {
    interface Request {
      user?: string;
    }
  }
}

const app: express.Application = express();
const authenticate: RequestHandler<ParamsDictionary> = (req, res, next) => {
  req.user = req.get('X-User');
  next();
};
const router = Router();
router.get('/hello/:name', (req: Request<{ name: string }>, res) => {
  res.json({ hello: req.params.name, user: req.user });
});
app.use(json(), authenticate, express.static(__dirname, { index: false }), router);

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  void fetch(`http://127.0.0.1:${port}/hello/ada`, { headers: { 'X-User': 'root', connection: 'close' } })
    .then(answer => answer.text())
    .then(text => {
      console.log(text);
      server.close();
    });
});
