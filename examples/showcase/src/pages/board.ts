/** The board: reading, searching, posting, replying, liking, editing, deleting, and live updates. */
import { randomUUID } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import web from 'ristretto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'ristretto';
import { problem } from '../errors.js';
import { figures } from '../figures.js';
import { notify } from '../notices.js';
import { hasPictures, readFields, upload } from '../pictures.js';
import { complaint, Draft, Edit, Id, Listing, PostForm } from '../schemas.js';
import type { Limits } from '../security.js';
import type { Services } from '../services.js';
import { loggedIn } from '../session.js';
import { features, lines } from '../source.js';
import { askToLogIn } from './account.js';

const PER_PAGE = 20;
/** How many replies a post shows, the newest ones. */
const MOST_REPLIES = 200;
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

  /** Shows the front page; after a refused post, with its text and what is wrong with it. */
  async function showBoard(req: Request, res: Response, refused?: { draft: Draft; mistake: string }) {
    const { q, before } = Listing.parse(req.query);
    const position = feed.position;
    const page = await posts.page({ search: q, before, reader: req.member?.id, limit: PER_PAGE });
    const draft = refused?.draft ?? takeDraft(req, undefined);
    const form = { draft, mistake: refused?.mistake, key: randomUUID() };
    res.render('board', { ...page, ...form, q, before, position, features, figures, lines, hasPictures });
  }

  /** Shows a post with its replies. */
  async function showPost(
    req: Request,
    res: Response,
    id: number,
    refused?: { draft: Draft; mistake: string },
  ): Promise<boolean> {
    const position = feed.position;
    const reader = req.member?.id;
    const post = await posts.find(id, reader);
    if (!post) return false;
    const thread = await posts.page({ parent: id, reader, limit: MOST_REPLIES });
    const draft = refused?.draft ?? takeDraft(req, id);
    const form = { draft, mistake: refused?.mistake, key: randomUUID() };
    res.render('post', { post, replies: thread.posts.reverse(), position, ...form });
    return true;
  }

  /** Returns the text of a post that was refused or interrupted by a login, once. */
  function takeDraft(req: Request, parent: number | undefined): Draft | undefined {
    const { draft } = req.session;
    if (!req.member || draft?.parent !== parent) return undefined;
    delete req.session.draft;
    return draft;
  }

  router.get('/', (req, res) => showBoard(req, res));

  router.get('/posts/:id', async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    if (!success || !(await showPost(req, res, data.id))) next();
  });

  const addPost: RequestHandler = async (req, res) => {
    if (!req.member) return askToLogIn(req, res);
    const form = PostForm.safeParse(req.body);
    if (!form.success) throw problem(422, complaint(form.error));
    const { parent } = form.data;
    if (parent && !(await posts.find(parent))) throw problem(404, 'The post you reply to was deleted.');
    await posts.add(req.member.id, { ...form.data, picture: req.file?.picture });
    delete req.session.draft;
    feed.wake();
    notify(res, 'posted').redirect(303, parent ? `/posts/${parent}` : '/');
  };

  /** A refused post is shown in its form again: nothing that was typed is lost. */
  const refusePost: ErrorRequestHandler = async (error, req, res, next) => {
    const { status = 500, expose, message } = error as { status?: number; expose?: boolean; message: string };
    // Too many posts: this one was refused before its form was read.
    if (status === 429) await readFields(req, res);
    const draft = Draft.parse(req.body);
    if (!req.member || !expose || !draft.text || req.accepts(['html', 'json']) !== 'html') return next(error);
    res.status(status).set('Cache-Control', 'no-store');
    // Controls outside of the form, such as the color switch, load this address with GET.
    req.session.draft = draft;
    const refused = { draft, mistake: message };
    if (!draft.parent) await showBoard(req, res, refused);
    else if (!(await showPost(req, res, draft.parent, refused))) next(error);
  };
  router.post('/posts', limits.post, upload, addPost, refusePost);
  router.get('/posts', (req, res) => {
    const parent = req.session.draft?.parent;
    res.redirect(303, parent ? `/posts/${parent}` : '/');
  });

  const isOwn: RequestHandler = async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const post = success ? await posts.find(data.id, req.member?.id) : undefined;
    if (post?.authorId !== req.member?.id) return next('route');
    res.locals.post = post;
    next();
  };

  // The page of a refused edit has the address of the form, which the color switch loads again.
  router.get('/posts/:id/edit', loggedIn, isOwn, (req, res) => {
    const { edit } = req.session;
    const text = edit?.id === Number(req.params.id) ? edit.text : undefined;
    if (text !== undefined) delete req.session.edit;
    res.render('edit', { mistake: undefined, text });
  });

  router.post('/posts/:id/edit', loggedIn, limits.touch, isOwn, async (req, res, next) => {
    const id = Number(req.params.id);
    const { success, data, error } = Edit.safeParse(req.body);
    if (!success) {
      const { text } = Draft.parse(req.body);
      req.session.edit = { id, text };
      return res.status(422).render('edit', { mistake: complaint(error), text });
    }
    if (!(await posts.edit(id, req.member!.id, data.text))) return next();
    delete req.session.edit;
    feed.wake();
    notify(res, 'edited').redirect(303, `/posts/${id}`);
  });

  router.post('/posts/:id/like', loggedIn, limits.touch, async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const isLiked = (req.body as { like?: unknown } | undefined)?.like !== 'no';
    if (!success || !(await posts.like(data.id, req.member!.id, isLiked))) return next();
    feed.wake();
    if (req.accepts(['html', 'json']) === 'json') return res.json({ liked: isLiked });
    res.redirect(303, `/posts/${data.id}`);
  });

  router.post('/posts/:id/delete', loggedIn, async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const { id, role } = req.member!;
    const removed = success && (await posts.remove(data.id, role === 'admin' ? undefined : id));
    if (!removed) return next();
    feed.wake();
    notify(res, 'deleted').redirect(303, removed.parent ? `/posts/${removed.parent}` : '/');
  });

  router.post('/theme', (req, res) => {
    const theme = (req.body as { theme?: unknown } | undefined)?.theme;
    if (theme === 'light' || theme === 'dark') {
      res.cookie('theme', theme, { maxAge: 31_536_000_000, sameSite: 'lax', httpOnly: true });
    } else res.clearCookie('theme', { sameSite: 'lax', httpOnly: true });
    const from = req.get('Referrer') ?? '';
    const isOwn = URL.canParse(from) && new URL(from).host === req.get('Host');
    res.redirect(303, isOwn ? from : '/');
  });

  return router;
}
