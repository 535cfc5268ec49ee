/** Types: parameters from the path, custom members of the request, typed bodies and locals. Run at the root: `npx tsx examples/typescript/index.ts` */
import web from 'ristretto';
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'ristretto';

interface User {
  name: string;
  admin: boolean;
}

// What middleware adds to every request is declared once, as for every Express plugin.
declare global {
  namespace Express {
    interface Request {
      user?: User;
    }
  }
}

const users: Partial<Record<string, User>> = {
  ada: { name: 'Ada', admin: true },
  bob: { name: 'Bob', admin: false },
};

function authenticate(req: Request, res: Response, next: NextFunction): void {
  const user = users[req.get('X-User') ?? ''];
  if (user) req.user = user;
  next();
}

const app = web();
app.use(web.json(), authenticate);

// `req.params` has exactly the names in the path: a misspelt one does not compile.
app.get('/books/:isbn/pages/:page?', (req, res) => {
  const isbn: string = req.params.isbn;
  const page: string | undefined = req.params.page;
  res.json({ isbn, page: page ?? '1' });
});

// The types of a handler's parameters, response, body and query, in this order.
interface NewBook {
  title: string;
  pages?: number;
}
app.post('/books', (req: Request<object, NewBook | { error: string }, Partial<NewBook>>, res) => {
  const { title, pages } = req.body;
  if (typeof title !== 'string') {
    res.status(400).json({ error: 'title' });
    return;
  }
  res.status(201).json({ title, pages });
});

app.get('/me', (req, res) => {
  if (!req.user) throw web.HttpError.unauthorized('log in first');
  res.send(req.user.admin ? `${req.user.name} (admin)` : req.user.name);
});

const report: ErrorRequestHandler = (err: { status?: number; message: string }, req, res, next) => {
  if (res.headersSent) {
    next(err);
    return;
  }
  res.status(err.status ?? 500).send(err.message);
};
app.use(report);

export default app;

if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}/books/0-13-110362-8/pages/1`));
}
