/** Logins: sessions in the database or in Redis, and the user on every request. */
import connectPg from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session from 'express-session';
import type { Pool } from 'pg';
import type { Request, RequestHandler } from 'ristretto';
import type { Account, User } from './data/users.js';
import { problem } from './errors.js';
import type { Draft } from './schemas.js';
import type { Services } from './services.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    generation: number;
    /** What was typed before the session expired, or in a post that was refused. */
    draft: Draft;
    /** What was typed in an edit that was refused. */
    edit: { id: number; text: string };
  }
}

declare global {
  namespace Express {
    interface Request {
      /** The logged-in user. */
      member?: User;
    }
  }
}

const TWO_WEEKS = 14 * 24 * 60 * 60 * 1000;
const PgStore = connectPg(session);

export function sessions({ db, redis, users, sessionSecret }: Services): RequestHandler[] {
  const store = redis
    ? new RedisStore({ client: redis, prefix: 'session:', disableTouch: true })
    : // The store only calls `query`, which both engines have.
      new PgStore({ pool: db as unknown as Pool, disableTouch: true, pruneSessionInterval: 3600 });
  return [
    session({
      name: 'session',
      secret: sessionSecret,
      store,
      resave: false,
      // A visitor who never logs in gets no cookie.
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: TWO_WEEKS },
    }),
    async (req, res, next) => {
      const { userId, generation = 0 } = req.session;
      if (userId !== undefined) req.member = await users.find(userId, generation);
      // A response that depends on a cookie is private.
      res.set('Cache-Control', 'private, no-cache');
      res.locals.user = req.member;
      next();
    },
  ];
}

/** Starts a session with a new id, so that an id planted by an attacker is useless. */
export async function logIn(req: Request, { generation, ...user }: Account): Promise<User> {
  await new Promise<void>((resolve, reject) =>
    req.session.regenerate(error => (error ? reject(error) : resolve())),
  );
  Object.assign(req.session, { userId: user.id, generation });
  req.member = user;
  return user;
}

export async function logOut(req: Request): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    req.session.destroy(error => (error ? reject(error) : resolve())),
  );
}

/** Requires a login. */
export const loggedIn: RequestHandler = (req, res, next) => {
  if (req.member) return next();
  if (req.originalUrl.startsWith('/api/')) return next(problem(401, 'Log in first: POST /api/session.'));
  res.redirect(303, '/login');
};

/** Requires an administrator. Other members get a 404. */
export const administrator: RequestHandler = (req, res, next) => {
  if (!req.member) return loggedIn(req, res, next);
  next(req.member.role === 'admin' ? undefined : problem(404, 'There is nothing at this address.'));
};
