import { createHash, timingSafeEqual } from 'node:crypto';
import web from 'express';
import type { RequestHandler } from 'express';
import session from 'express-session';
import { z } from 'zod';
import type { Config } from './config.ts';

declare module 'express-session' {
  interface SessionData {
    member: string;
  }
}

const Login = z.object({ name: z.string().min(1).max(50), password: z.string() }).meta({ id: 'Login' });
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Sessions, and the routes that begin and end one. */
export function createSessions({ sessionSecret, teamPassword, isProduction }: Config): web.Router {
  const router = web.Router();
  router.use(
    session({
      name: 'sid',
      secret: sessionSecret,
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: isProduction },
    }),
  );

  router.post(
    '/login',
    web.describe({ errors: [401], responses: { 204: {} } }),
    web.validate({ body: Login }),
    async (req, res) => {
      // Hashing gives both the same length; the comparison takes constant time.
      if (!timingSafeEqual(digest(req.body.password), digest(teamPassword)))
        throw new web.HttpError(401, 'Wrong password');
      // Creates a new id, because others may know the old one.
      await req.session.regenerate();
      req.session.member = req.body.name;
      res.sendStatus(204);
    },
  );

  router.post('/logout', web.describe({ responses: { 204: {} } }), async (req, res) => {
    await req.session.destroy();
    res.sendStatus(204);
  });
  return router;
}

/** Everybody may read; only members may change anything. */
export const membersChange: RequestHandler = (req, res, next) => {
  const reads = req.method === 'GET' || req.method === 'HEAD';
  if (!reads && !req.session.member) throw new web.HttpError(401, 'Log in first');
  next();
};
