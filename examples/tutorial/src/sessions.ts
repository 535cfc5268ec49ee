import { createHash, timingSafeEqual } from 'node:crypto';
import session from 'express-session';
import web, { Router } from 'ristretto';
import type { RequestHandler } from 'ristretto';
import { z } from 'zod';
import type { Config } from './config.js';

declare module 'express-session' {
  interface SessionData {
    member: string;
  }
}

const Login = z.object({ name: z.string().min(1).max(50), password: z.string() }).meta({ id: 'Login' });
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Sessions, and the routes that begin and end one. */
export function createSessions({ sessionSecret, teamPassword, isProduction }: Config) {
  const router = Router();
  router.use(
    session({
      name: 'sid',
      secret: sessionSecret,
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: isProduction },
    }),
  );

  router.post('/login', web.validate({ body: Login }), (req, res, next) => {
    // Hashing gives both the same length; the comparison takes constant time.
    if (!timingSafeEqual(digest(req.body.password), digest(teamPassword))) {
      res.status(401).json({ error: 'wrong password' });
      return;
    }
    // Creates a new id, because others may know the old one.
    req.session.regenerate((error?: unknown) => {
      if (error) {
        next(error);
        return;
      }
      req.session.member = req.body.name;
      res.sendStatus(204);
    });
  });

  router.post('/logout', (req, res, next) => {
    req.session.destroy((error?: unknown) => {
      if (error) next(error);
      else res.sendStatus(204);
    });
  });
  return router;
}

/** Everybody may read; only members may change anything. */
export const membersChange: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD' || req.session.member) next();
  else res.status(401).json({ error: 'log in first' });
};
