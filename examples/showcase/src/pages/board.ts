/** The board: reading, searching, posting, deleting one's own posts, and live updates. */
import { randomUUID } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import web from 'ristretto';
import { problem } from '../errors.js';
import { hasPictures, upload } from '../pictures.js';
import { complaint, Id, Listing, PostForm } from '../schemas.js';
import type { Limits } from '../security.js';
import type { Services } from '../services.js';
import { loggedIn } from '../session.js';
import { features, lines } from '../source.js';

const PER_PAGE = 20;
const MOST_STREAMS = 5000;
/** Many people can share an address, but nobody needs all streams of the process. */
const MOST_STREAMS_OF_ONE = 100;

/** The stream of events. It needs no session, so it is mounted before the session middleware. */
export function live({ feed }: Services) {
  const router = web.Router();
  /** The number of open streams by address, including those that have not caught up yet. */
  const byAddress = new Map<string, number>();
  let all = 0;
  const count = (address: string, change: 1 | -1) => {
    all += change;
    const streams = (byAddress.get(address) ?? 0) + change;
    if (streams > 0) byAddress.set(address, streams);
    else byAddress.delete(address);
  };
  router.get('/events', async (req, res) => {
    const address = ipKeyGenerator(req.ip ?? '');
    if (all >= MOST_STREAMS) throw problem(503, 'Too many streams.');
    if ((byAddress.get(address) ?? 0) >= MOST_STREAMS_OF_ONE) {
      throw problem(429, 'Too many streams to this address.');
    }
    count(address, 1);
    res.on('close', () => count(address, -1));
    const stream = res.sse();
    // Over HTTP/2, nginx forwards a header block only with the first bytes of the body; without them, pages would
    // consider the stream closed.
    void stream.comment('open');
    res.on('close', () => feed.leave(stream));
    // A browser that reconnects sends the id of the last event it got; a new page sends the one it was rendered with.
    // Others start with the next event.
    const after = Number(stream.lastEventId || req.query.after);
    await feed.follow(stream, Number.isSafeInteger(after) && after >= 0 ? after : feed.position);
  });
  return router;
}

export function board({ posts, feed }: Services, limits: Limits) {
  const router = web.Router();

  router.get('/', async (req, res) => {
    const { q, before } = Listing.parse(req.query);
    const position = feed.position;
    const page = await posts.page({ search: q, before, limit: PER_PAGE });
    res.render('board', { ...page, q, before, position, features, lines, hasPictures, key: randomUUID() });
  });

  router.get('/posts/:id', async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const post = success ? await posts.find(data.id) : undefined;
    if (!post) return next();
    res.render('post', { post });
  });

  router.post('/posts', loggedIn, limits.post, upload, async (req, res) => {
    const form = PostForm.safeParse(req.body);
    if (!form.success) throw problem(422, complaint(form.error));
    await posts.add(req.member!.id, { ...form.data, picture: req.file?.picture });
    feed.wake();
    res.redirect(303, '/');
  });

  router.post('/posts/:id/delete', loggedIn, async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const { id, role } = req.member!;
    if (!success || !(await posts.remove(data.id, role === 'admin' ? undefined : id))) return next();
    feed.wake();
    res.redirect(303, '/');
  });

  router.post('/theme', (req, res) => {
    const theme = (req.body as { theme?: unknown } | undefined)?.theme;
    if (theme === 'light' || theme === 'dark') {
      res.cookie('theme', theme, { maxAge: 31_536_000_000, sameSite: 'lax', httpOnly: true });
    } else res.clearCookie('theme', { sameSite: 'lax', httpOnly: true });
    res.redirect(303, '/');
  });

  return router;
}
