/** A chat: rooms, who is present, sessions, and a client that reconnects without losing or repeating a message. */
'use strict';
const path = require('node:path');
const session = require('express-session');
const web = require('ristretto');
const { makeMemoryBus } = require('./bus');
const { makeRooms } = require('./rooms');

const NAME = /^[\p{L}\p{N} _.-]{1,24}$/u;
const ROOM = /^[a-z\d-]{1,24}$/;

/** What a client sends, as a Standard Schema: zod, valibot and ArkType have the same property. */
const message = {
  '~standard': {
    version: 1,
    vendor: 'chat',
    validate: value =>
      typeof value?.id === 'string' &&
      value.id.length <= 64 &&
      typeof value.text === 'string' &&
      value.text.trim() !== '' &&
      value.text.length <= 2000
        ? { value: { id: value.id, text: value.text } }
        : { issues: [{ message: 'Expected { id, text }, with a text of at most 2000 characters' }] },
  },
};

function createChat({ bus = makeMemoryBus(), secret, store, limits } = {}) {
  const app = web();
  const rooms = makeRooms(bus);
  app.set('trust proxy', 'loopback');
  app.use(web.health());
  app.use(web.static(path.join(__dirname, 'public')));
  app.use(
    session({
      secret: secret ?? 'only for this example',
      store, // undefined: in memory
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto' },
    }),
  );

  app.get('/me', (req, res) => res.json({ name: req.session.user ?? null }));
  app.post('/login', web.json(), (req, res) => {
    const name = String(req.body?.name ?? '').trim();
    if (!NAME.test(name)) return res.status(400).json({ error: 'A name has 1 to 24 letters and digits' });
    req.session.regenerate(error => {
      if (error) return res.status(500).json({ error: 'The session cannot be stored' });
      req.session.user = name; // check a password here
      res.json({ name });
    });
  });

  const requireUser = (req, res, next) =>
    req.session.user ? next() : res.status(401).json({ error: 'Log in first' });
  const requireRoom = (req, res, next) =>
    ROOM.test(req.params.room) ? next() : res.status(404).json({ error: 'No such room' });

  app.ws('/rooms/:room', { message, ...limits }, requireUser, requireRoom, (socket, req) => {
    const { room } = req.params;
    const { user } = req.session;
    socket.on('message', sent => {
      // `busy`: a stop waits until the message is published and confirmed to the client.
      socket.busy(
        rooms.post(room, user, sent).then(
          () => socket.send(JSON.stringify({ type: 'sent', id: sent.id })),
          () => socket.close(1013, 'Try again later'),
        ),
      );
    });
    socket.on('invalid', error => socket.send(JSON.stringify({ type: 'error', text: error.message })));
    return rooms.join(room, user, socket, Number(req.query.after) || 0);
  });
  return app;
}

module.exports = { createChat };
