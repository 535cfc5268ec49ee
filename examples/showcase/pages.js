// @ts-check
/** The guest book's pages: read, write, and be forgotten. */
import web, { Router } from 'ristretto';
import { LIMITS, readMessage } from './message.js';
import { forget, remember } from './visitor.js';

export const pages = Router();

pages.get('/', (req, res) => {
  render(res, { name: res.locals.visitor, text: '' });
});

pages.post('/', web.urlencoded({ extended: false, limit: '10kb' }), (req, res) => {
  const { message, mistakes } = readMessage(req.body);
  if (Object.keys(mistakes).length > 0) {
    // The same page again, with what was typed.
    render(res.status(422), message, mistakes);
    return;
  }
  req.app.locals.store.messages.add(message);
  remember(res, message.name);
  // 303: the browser gets the page, so that reloading it does not post again.
  res.redirect(303, '/');
});

pages.post('/forget-me', (req, res) => {
  forget(res);
  res.redirect(303, '/');
});

/**
 * @param {import('ristretto').Response} res
 * @param {{ name: string, text: string }} draft
 * @param {Record<string, string>} [mistakes]
 */
function render(res, draft, mistakes = {}) {
  const { messages } = res.app.locals.store;
  res.render('guest-book', { messages: messages.latest(50), total: messages.size, draft, mistakes, LIMITS });
}
