/**
 * The JSON API under /api. Each route declares its input and output: both are validated, typed in the handlers, and
 * documented in /api/openapi.json, which /api/docs displays in development.
 */
import web from 'ristretto';
import { z } from 'zod';
import type { Post as Stored } from './data/posts.js';
import { problem } from './errors.js';
import { Attempt, Credentials, Edit, Id, NewPost } from './schemas.js';
import type { Limits } from './security.js';
import type { Services } from './services.js';
import { loggedIn, logIn, logOut } from './session.js';

const Post = z
  .object({
    id: z.number(),
    text: z.string(),
    author: z.string(),
    created: z.iso.datetime(),
    edited: z.iso.datetime().nullable(),
    parent: z.number().nullable(),
    replies: z.number(),
    likes: z.number(),
    picture: z
      .object({
        large: z.string(),
        small: z.string(),
        alt: z.string(),
        width: z.number(),
        height: z.number(),
      })
      .nullable(),
  })
  .meta({ id: 'Post' });
const User = z
  .object({ id: z.number(), name: z.string(), role: z.enum(['guest', 'member', 'admin']) })
  .meta({ id: 'User' });
const Page = z.object({ posts: z.array(Post), next: z.number().optional() }).meta({ id: 'Page' });
const Query = z.object({
  q: z
    .string()
    .trim()
    .max(100)
    .regex(/^[^\0]*$/)
    .optional(),
  before: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

function toJson({ picture, created, edited, ...post }: Stored): z.input<typeof Post> {
  const address = (size: string) => `/pictures/${picture!.id}.${size}.webp`;
  return {
    id: post.id,
    text: post.text,
    author: post.author,
    parent: post.parent,
    replies: post.replies,
    likes: post.likes,
    created: created.toISOString(),
    edited: edited?.toISOString() ?? null,
    picture: picture && {
      large: address('large'),
      small: address('small'),
      alt: picture.alt,
      width: picture.width,
      height: picture.height,
    },
  };
}

/** Swagger UI is a development dependency: installing it sends a report to its authors. */
export const hasDocs = process.env.NODE_ENV !== 'production';

const security = [{ session: [] }];

export function api({ users, posts, feed }: Services, limits: Limits) {
  const router = web.Router();
  router.use(web.json({ limit: '16kb' }));

  const info = { title: 'The board', version: '1.0.0' };
  const securitySchemes = { session: { type: 'apiKey' as const, in: 'cookie' as const, name: 'session' } };
  router.get('/openapi.json', web.openApi(router, { info, servers: [{ url: '/api' }], securitySchemes }));
  if (hasDocs) router.use('/docs', web.openApiPage('/api/openapi.json'));

  router.get(
    '/posts',
    web.describe({ summary: 'The newest posts, a page at a time' }),
    web.validate({
      query: Query,
      response: { 200: Page },
    }),
    async (req, res) => {
      const { q, before, limit } = req.query;
      const page = await posts.page({ search: q, before, limit });
      res.json({ posts: page.posts.map(toJson), next: page.next });
    },
  );

  router.get(
    '/posts/:id',
    web.describe({ summary: 'One post' }),
    web.validate({ params: Id, response: { 200: Post } }),
    async (req, res) => {
      const post = await posts.find(req.params.id);
      if (!post) throw problem(404, 'There is no such post.');
      res.json(toJson(post));
    },
  );

  router.post(
    '/posts',
    loggedIn,
    limits.post,
    web.describe({
      summary: 'Adds a post',
      description:
        'With an Idempotency-Key, a post can be sent again after an error, and is added only once.',
      security,
    }),
    web.validate({
      headers: Attempt,
      body: NewPost,
      response: { 201: Post },
    }),
    async (req, res) => {
      const key = req.headers['idempotency-key'];
      const { text, parent } = req.body;
      if (parent && !(await posts.find(parent))) throw problem(404, 'There is no such post to reply to.');
      const id = await posts.add(req.member!.id, { text, parent, key });
      feed.wake();
      const post = await posts.find(id);
      if (!post) throw problem(409, 'The post was deleted right away.');
      res.status(201).location(`/api/posts/${id}`).json(toJson(post));
    },
  );

  router.patch(
    '/posts/:id',
    loggedIn,
    limits.touch,
    web.describe({ summary: 'Changes the text of a post of your own', security }),
    web.validate({ params: Id, body: Edit, response: { 200: Post } }),
    async (req, res) => {
      const { id } = req.params;
      const isDone = await posts.edit(id, req.member!.id, req.body.text);
      const post = isDone ? await posts.find(id) : undefined;
      if (!post) throw problem(404, 'There is no such post of yours.');
      feed.wake();
      res.json(toJson(post));
    },
  );

  for (const [method, isLiked] of [
    ['put', true],
    ['delete', false],
  ] as const) {
    router[method](
      '/posts/:id/like',
      loggedIn,
      limits.touch,
      web.describe({ summary: isLiked ? 'Likes a post' : 'No longer likes a post', security }),
      web.validate({ params: Id }),
      async (req, res) => {
        if (!(await posts.like(req.params.id, req.member!.id, isLiked))) {
          throw problem(404, 'There is no such post.');
        }
        feed.wake();
        res.sendStatus(204);
      },
    );
  }

  router.delete(
    '/posts/:id',
    loggedIn,
    web.describe({ summary: 'Deletes a post of your own', security }),
    web.validate({ params: Id }),
    async (req, res) => {
      const { id, role } = req.member!;
      if (!(await posts.remove(req.params.id, role === 'admin' ? undefined : id))) {
        throw problem(404, 'There is no such post of yours.');
      }
      feed.wake();
      res.sendStatus(204);
    },
  );

  // The session is kept in a cookie, for programs too: curl --cookie-jar.
  router.post(
    '/session',
    ...limits.login,
    web.describe({ summary: 'Logs in' }),
    web.validate({ body: Credentials, response: { 201: User } }),
    async (req, res) => {
      const account = await users.verify(req.body.name, req.body.password);
      if (!account) throw problem(401, 'The name or password is wrong.');
      res.status(201).json(await logIn(req, account));
    },
  );

  router.get(
    '/session',
    loggedIn,
    web.describe({ summary: 'Who is logged in', security }),
    web.validate({ response: { 200: User } }),
    (req, res) => {
      res.json(req.member!);
    },
  );

  router.delete('/session', web.describe({ summary: 'Logs out' }), async (req, res) => {
    await logOut(req);
    res.sendStatus(204);
  });

  return router;
}
