/** Handlers, requests and applications typed by either package fit the other. `theirs` is `@types/express`. */
import web from 'ristretto';
import theirs from 'theirs';

declare const app: web.Express;
declare const request: web.Request;
declare const response: web.Response;
declare const router: web.Router;
declare const handler: web.RequestHandler;
declare const onError: web.ErrorRequestHandler;
declare const theirHandler: theirs.RequestHandler;
declare const theirOnError: theirs.ErrorRequestHandler;
declare const theirRouter: theirs.Router;

const itsApplication: theirs.Application = app;
const itsExpress: theirs.Express = app;
const itsRequest: theirs.Request = request;
const itsResponse: theirs.Response = response;
const itsRouter: theirs.Router = router;
const itsHandler: theirs.RequestHandler = handler;
const itsOnError: theirs.ErrorRequestHandler = onError;
const itsFactory: () => theirs.Express = web;

app.use(theirHandler, theirOnError, theirRouter);
app.get('/:id', theirHandler, (req: theirs.Request, res: theirs.Response) => res.send(req.params.id));
app.use('/x', theirs.json(), theirs.static('x'));
theirs().use(handler, onError, router);
const ourHandler: web.RequestHandler = theirHandler;
const ourOnError: web.ErrorRequestHandler = theirOnError;
export { itsApplication, itsExpress, itsRequest, itsResponse, itsRouter, itsHandler, itsOnError, itsFactory };
export { ourHandler, ourOnError };
