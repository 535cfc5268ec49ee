/** Event streams, and bodies that are streams. */
import { Readable } from 'node:stream';
import web, { type EventStream, type EventStreamOptions, type ServerSentEvent } from 'ristretto';

const app = web();
const options: EventStreamOptions = { heartbeat: 5000, maxBacklog: 1_000_000 };
const event: ServerSentEvent = { event: 'price', data: { eur: 5 }, id: 7, retry: 500 };

app.get('/events', async (_req, res) => {
  const events: EventStream = res.sse(options);
  const isOpen: boolean = await events.send(event);
  await events.send('text');
  await events.comment();
  if (isOpen && !events.closed) res.locals.last = events.lastEventId;
  events.close();
  // @ts-expect-error a field that events do not have
  await events.send({ name: 'x' });
  // @ts-expect-error milliseconds, a string, or false
  res.sse({ heartbeat: true });
});

app.get('/stream', (_req, res) => res.send(Readable.from(['a'])));
