/** Programs that must not compile. */
import express, { type Request, type RequestHandler, type Response } from 'express';

const app = express();
// @ts-expect-error a handler is no text
app.get('/', 'text');
// @ts-expect-error a handler has three parameters, an error handler four
app.get('/', (a: any, b: any, c: any, d: any, e: any) => undefined);
// @ts-expect-error a number is no path
app.get(1, (req, res) => res.end());
app.get('/:id', (req, res) => {
  // @ts-expect-error no such parameter
  res.send(req.params.name);
  // @ts-expect-error no such member
  res.sned('x');
  // @ts-expect-error no such member
  req.bodyy;
  // @ts-expect-error the status is a number
  res.status('404');
  // @ts-expect-error it can't be set
  req.path = '/x';
});
app.get('/:id/:name?', (req, res) => {
  // @ts-expect-error the parameter may be missing
  const name: string = req.params.name;
  res.send(name);
});
// @ts-expect-error the body has another type
app.post<{}, { a: string }>('/', (req, res) => res.json({ b: 1 }));
// @ts-expect-error no such option
express.json({ limits: 1 });
// @ts-expect-error the root is missing
express.static();
// @ts-expect-error no such option
express.Router({ mergeParameters: true });
// @ts-expect-error the handler of another route
app.get('/', ((req, res) => res.send(req.params.x)) as RequestHandler<{ x: number }>, 1);
// @ts-expect-error the value is missing
app.set();
// @ts-expect-error no such value
const cookie: express.CookieOptions = { sameSite: 'loose' };
const handler: RequestHandler = (req, res) => {
  // @ts-expect-error text or lists, objects too
  const page: string = req.query.page;
  res.send(page);
};
function body(req: Request<{}, {}, { a: string }>, res: Response): void {
  // @ts-expect-error the body has another type
  const a: number = req.body.a;
  res.json(a);
}
export { cookie, handler, body };
