/** WebSockets: `app.ws`. Events are noted, and can be requested afterwards. */
import { AsyncLocalStorage } from 'node:async_hooks';
import web from '../../../packages/ristretto/index.js';

export function sockets() {
  const router = web.Router();
  const visitor = new AsyncLocalStorage();
  /** @type {string[]} */
  const notes = [];
  router.get('/notes', (_req, res) => res.json(notes));
  router.use((req, res, next) => {
    res.cookie('first', '1');
    res.cookie('second', '2');
    visitor.run(req.get('x-visitor'), next);
  });
  router.ws('/echo/:room', { protocols: ['b', 'a'] }, (socket, req) => {
    socket.on('message', (data, isBinary) => {
      const text = data.toString();
      if (text === 'fail') throw new Error('of a listener');
      if (text === 'state') socket.send(`${req.params.room} ${visitor.getStore()} ${socket.readyState}`);
      else if (text === 'leave') socket.close(3001, 'left');
      else socket.send(data, { binary: isBinary });
    });
    socket.on('close', (code, reason) => notes.push(`${visitor.getStore()} ${code} ${reason}`));
  });
  router.ws(
    '/private',
    (_req, res) => res.status(401).json({ error: 'log in first' }),
    () => undefined,
  );
  router.ws('/single', { maxConnectionsPerAddress: 1 }, () => undefined);
  router.ws('/flood', { maxBacklog: '64kb' }, socket => {
    socket.on('message', () => {
      const chunk = Buffer.alloc(1_000_000);
      for (let sent = 0; sent < 100; sent++) socket.send(chunk, () => undefined);
      notes.push(`flood ${socket.readyState === 1 ? 'goes on' : 'ended'}`);
      socket.terminate();
    });
  });
  return router;
}
