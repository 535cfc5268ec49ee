// @ts-check
/** The last resorts: what nobody has answered, and what went wrong, as a page or as JSON. */
import { STATUS_CODES } from 'node:http';

/** @type {import('ristretto').RequestHandler} */
export function notFound(req, res, next) {
  next(Object.assign(new Error(`There is nothing at ${req.path}.`), { status: 404 }));
}

/** @type {import('ristretto').ErrorRequestHandler} */
export function errorPage(err, req, res, next) {
  // Too late for a page: the framework cuts the connection, so that nobody takes half an answer for a whole one.
  if (res.headersSent) return next(err);

  const status = err.status >= 400 && err.status < 600 ? err.status : 500;
  if (status >= 500) console.error(err);
  const title = STATUS_CODES[status] ?? 'Error';
  // What the client did wrong may be told; what we did wrong stays in the log.
  let message = status < 500 ? err.message : 'Something went wrong on our side.';
  if (err.type === 'entity.too.large') message = `That is too large: at most ${err.limit} bytes, please.`;

  res.status(status).format({
    json: () => res.json({ error: message }),
    html: () => res.render('error', { status, title, message }),
    default: () => res.type('text').send(`${status} ${title}: ${message}\n`),
  });
}
