/** Signals, deadlines and health checks. */
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';

const options: web.DeadlineOptions = { retryAfter: false, destroy: true };
const app = web();
app.use(web.deadline('10s'), web.deadline(500, options));
app.get('/slow', web.deadline('1m', { retryAfter: '30s' }), async (req, res) => {
  const { signal } = req;
  await fetch('http://localhost/', { signal });
  await sleep(5, undefined, { signal });
  await once(req, 'end', { signal });
  await pipeline(req, res, { signal });
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  res.send(reason);
});
// @ts-expect-error -- a deadline has a time
web.deadline();
// @ts-expect-error -- a time, or false
web.deadline('10s', { retryAfter: true });

const health: web.HealthOptions = { checks: { ready: signal => !signal.aborted }, maxAge: 0, live: false };
app.use(web.health(), web.health(health), web.health({ timeout: '500ms', details: false }));
// @ts-expect-error -- a check is a function
web.health({ checks: { ready: true } });
