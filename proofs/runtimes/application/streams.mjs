/** Event streams, and large responses that wait for their client. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import web from '../../../packages/ristretto/index.js';

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

export function streams() {
  const router = web.Router();
  let confirmed = 0;
  router.get('/events', async (_req, res) => {
    confirmed = 0;
    res.type('text/event-stream').set('Cache-Control', 'no-cache').flushHeaders();
    for (let id = 1; id <= 3; id++) {
      res.write(`id: ${id}\ndata: event ${id}\n\n`);
      // Polled: in workerd, a request cannot wait for a promise that another one resolves.
      while (confirmed < id && !res.destroyed) await sleep(20);
    }
    res.end();
  });
  router.get('/events/confirm', (_req, res) => res.json(++confirmed));
  router.get('/piped', async (_req, res) => {
    const chunk = Buffer.alloc(65_536, 'x');
    await pipeline(Readable.from(Array.from({ length: 64 }, () => chunk)), res.type('text'));
  });
  router.get('/slow', async (req, res) => {
    req.app.emit('in flight');
    await sleep(Number(req.query.ms));
    res.send('slow');
  });
  router.get('/slow-stream', async (req, res) => {
    res.type('text').write('begun ');
    await sleep(Number(req.query.ms));
    res.end('ended');
  });
  router.get('/never', (_req, res) => res.write('begun'));
  return router;
}
