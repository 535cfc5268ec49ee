/**
 * The panel at /live: the processes of this board, which can be restarted and killed while visitors request pages, and
 * the same route on Express. Only where `npm start` runs several processes.
 */
import web from 'ristretto';
import type { Request, RequestHandler } from 'ristretto';
import { problem } from '../errors.js';
import type { Fleet } from '../fleet/member.js';
import type { FleetState } from '../fleet/state.js';
import { codeOf } from '../source.js';

/**
 * Whether a request comes from this computer, and from no proxy on it: nobody may kill the processes of a board that the
 * public can reach.
 */
function mayOperate(req: Request): boolean {
  const isLocal = /^(?:127\.|::1$|::ffff:127\.)/.test(req.socket.remoteAddress ?? '');
  const isForwarded = ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP'].some(name => req.get(name));
  return (
    process.env.NODE_ENV !== 'production' &&
    isLocal &&
    !isForwarded &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(req.get('Host') ?? '')
  );
}

const operators: RequestHandler = (req, _res, next) =>
  next(mayOperate(req) ? undefined : problem(403, 'Only on your own computer.'));

const MOST_PANELS = 500;

/** What the panel shows before the first report. */
const NOTHING: FleetState = {
  members: [],
  load: { rate: 0, p50: 0, p99: 0, sent: 0, repeated: 0, lost: 0 },
  log: [],
  comparison: { isRunning: false, rounds: 0 },
};

export function livePanel(fleet: Fleet) {
  const router = web.Router();

  router.get('/', (req, res) => {
    const { lines } = codeOf('fleet/route.ts', 'const app = express();');
    res.render('live', {
      state: fleet.state ?? NOTHING,
      mayOperate: mayOperate(req),
      code: lines,
      pid: process.pid,
    });
  });

  router.get('/events', (_req, res) => {
    if (fleet.viewers >= MOST_PANELS) throw problem(503, 'Too many panels.');
    const stream = res.sse();
    const send = (state: FleetState) =>
      void stream.send({ event: 'state', data: { ...state, pid: process.pid } });
    const leave = fleet.watch();
    fleet.events.on('state', send);
    res.on('close', () => {
      leave();
      fleet.events.off('state', send);
    });
    send(fleet.state ?? NOTHING);
  });

  router.post('/compare', operators, (_req, res) => {
    void fleet.call('compare');
    res.redirect(303, '/live#compare');
  });

  router.post('/:pid(\\d+)/:how(restart|kill)', operators, async (req, res, next) => {
    const how = req.params.how === 'kill' ? 'kill' : 'restart';
    // The response must have left before this process kills itself.
    const isSelf = Number(req.params.pid) === process.pid;
    if (isSelf) {
      res.once('finish', () => setTimeout(() => void fleet.call('replace', process.pid, how), 50));
    } else if (!(await fleet.call('replace', Number(req.params.pid), how))) return next();
    res.redirect(303, '/live');
  });

  return router;
}
