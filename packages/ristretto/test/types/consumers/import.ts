/** An ESM program that uses the installed package under the name of Express. */
import express, {
  Router,
  application,
  json,
  query,
  raw,
  request,
  response,
  static as files,
  text,
  urlencoded,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express';
import * as everything from 'express';
import type { AddressInfo } from 'node:net';

declare module 'express' {
  interface Request {
    tenant?: string;
  }
}
declare module 'express-serve-static-core' {
  interface Request {
    user?: string;
  }
}

const app: Express = express();
app.use(json(), raw(), text(), urlencoded({ extended: false }), query(), files('.', { index: false }));
app.use((req: Request, res: Response, next: NextFunction) => {
  req.user = req.tenant = req.get('X-User');
  next();
});
const router: express.Router = Router();
router.get('/hello/:name', async (req, res) => {
  await Promise.resolve();
  res.json({ hello: req.params.name, user: req.user });
});
app.use(router);
const same: boolean[] = [
  everything.default === express,
  application === express.application,
  request === express.request,
  response === express.response,
  files === express.static,
];
if (same.includes(false)) throw new Error('two copies');

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  void fetch(`http://127.0.0.1:${port}/hello/ada`, { headers: { 'X-User': 'root', connection: 'close' } })
    .then(answer => answer.text())
    .then(answer => {
      console.log(answer);
      server.close();
    });
});
