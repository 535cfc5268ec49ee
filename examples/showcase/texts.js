// @ts-check
/** Texts of visitors: posted as a form, or as a plain body (`web.text`), up to a limit; shown or saved as they are. */
import web, { Router } from 'ristretto';
import { field } from './message.js';

export const LIMIT = 64 * 1024; // bytes

export const texts = Router();

texts.get('/', (req, res) => {
  res.render('texts', { texts: req.app.locals.store.texts.latest(), limit: LIMIT });
});

texts.post(
  '/',
  // Each parser takes the bodies of its own media type, and leaves the others alone.
  web.text({ type: 'text/plain', limit: LIMIT }),
  web.urlencoded({ extended: false, limit: 3 * LIMIT, parameterLimit: 10 }), // three bytes for an escaped one
  (req, res, next) => {
    const plain = typeof req.body === 'string';
    const content = plain ? req.body : field(req.body, 'content');
    const title = field(plain ? req.query : req.body, 'title').slice(0, 80) || 'Untitled';
    if (!plain && !req.is('urlencoded')) return next(failure(415, 'Plain text or a form, please.'));
    if (content === '') return next(failure(422, 'There is nothing in it.'));
    if (Buffer.byteLength(content) > LIMIT) return next(failure(413, `At most ${LIMIT} bytes, please.`));

    const { id } = req.app.locals.store.texts.add({ title, content });
    const address = `${req.baseUrl}/${id}`;
    if (plain) res.status(201).location(address).json({ id, title, address });
    else res.redirect(303, address);
  },
);

texts.param('id', (req, res, next, id) => {
  res.locals.text = req.app.locals.store.texts.get(Number(id));
  if (!res.locals.text) return next(failure(404, 'There is no such text.'));
  next();
});

// As plain text and nothing else: with `nosniff` set, no browser runs what a visitor has uploaded.
texts.get('/:id(\\d+)', (req, res) => {
  res.type('text/plain').send(res.locals.text.content);
});

texts.get('/:id(\\d+)/download', (req, res) => {
  const { title, content } = res.locals.text;
  res.attachment(`${title}.txt`).type('text/plain').send(content);
});

/**
 * @param {number} status
 * @param {string} message
 */
function failure(status, message) {
  return Object.assign(new Error(message), { status });
}
