/**
 * An application that uses the library with other types than those it was compiled with: its exports must fit them, for
 * either version.
 */
import express from 'express';
import * as library from 'library';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export function same<A, B>(..._proof: Same<A, B> extends true ? [] : ['these types differ']): void {
  /* for the compiler */
}

export const app: express.Express = library.makeApp();
const router: express.Router = library.makeRouter(true);
app.use(router, library.app, library.router, library.default, library.makeJson(), ...library.parsers);
app.use('/files', library.files('files'), library.filesWith('more', { maxAge: '1d' }));
app.use(library.makeText({ type: 'text/*' }), library.json({ limit: 1, strict: true }), library.failed);
app.get('/:id', library.handler, ...library.handlers);
app.post('/:id', library.typed);
app.param('id', library.paramHandler);
new library.Controller().router.get('/', new library.Controller().show);
library.settle(app).get('env');
library.route.get((req, res) => res.send(req.params.id.length));
library.mounted.listen(0).close();

app.get('/', (req, res, next) => {
  same<ReturnType<typeof library.ids>, { id: string }>();
  same<ReturnType<typeof library.query>, typeof req.query>();
  same<ReturnType<typeof library.params>, express.Request['params']>();
  same<ReturnType<typeof library.environment>, string>();
  library.chained(res).json(library.negotiated(req));
  library.sender(res)('x').status(200);
  library.fileSender(res)('x', { maxAge: 1 }, error => next(error?.message));
  library.setCookie(res)('a', 'b', { sameSite: 'lax' }).end();
  library.locals(res).anything = library.next(next);
  // @ts-expect-error there is no such name in the path
  library.ids(req as express.Request<{ id: string }>).name;
  // @ts-expect-error the library has declared what it is
  library.json({ limit: true });
});
export const stack = library.stack.map(({ route }) => route?.path);
