// @ts-check
/** The JSON interface: `/api/messages` and `/api/messages/:id`. */
import web, { Router } from 'ristretto';
import { readMessage } from './message.js';

export const api = Router();
api.use(web.json({ limit: '10kb' }));

// Whatever needs a message finds it in `res.locals`, or is not reached at all.
api.param('id', (req, res, next, id) => {
  res.locals.message = req.app.locals.store.messages.get(Number(id));
  if (!res.locals.message)
    return next(Object.assign(new Error('There is no such message.'), { status: 404 }));
  next();
});

api
  .route('/messages')
  .get((req, res) => {
    const limit = req.query.limit === undefined ? 20 : Number(req.query.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
      res.status(400).json({ error: 'limit must be a whole number from 1 to 100' });
      return;
    }
    const { messages } = req.app.locals.store;
    res.json({ total: messages.size, messages: messages.latest(limit) });
  })
  .post((req, res) => {
    if (!req.is('json')) {
      res.status(415).json({ error: 'Content-Type must be application/json' });
      return;
    }
    const { message, mistakes } = readMessage(req.body);
    if (Object.keys(mistakes).length > 0) {
      res.status(422).json({ error: 'not a message', fields: mistakes });
      return;
    }
    const added = req.app.locals.store.messages.add(message);
    res.status(201).location(`${req.baseUrl}/messages/${added.id}`).json(added);
  })
  .all((req, res) => {
    res.set('Allow', 'GET, HEAD, POST').status(405).json({ error: 'GET or POST, please' });
  });

api.get('/messages/:id(\\d+)', (req, res) => {
  res.json(res.locals.message);
});
