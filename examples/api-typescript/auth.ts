/** Authentication with bearer tokens (RFC 6750). */
import web from 'ristretto';
import type { Request, RequestHandler } from 'ristretto';
import { fails, problem } from './problems.js';
import type { User } from './schemas.js';
import type { Store } from './store.js';

declare global {
  namespace Express {
    interface Request {
      /** The user whose token the request carries. */
      account?: User;
    }
  }
}

export const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };

/** Rejects requests without a known token, and documents this in the OpenAPI document. */
export function authenticated(store: Store): RequestHandler[] {
  return [
    ...fails(401),
    web.describe({ security: [{ bearer: [] }] }),
    (req, res, next) => {
      const [, token = ''] = /^Bearer +([\w-]+)$/i.exec(req.get('Authorization') ?? '') ?? [];
      req.account = store.userOf(token);
      if (req.account) {
        next();
        return;
      }
      res.set('WWW-Authenticate', token ? 'Bearer error="invalid_token"' : 'Bearer');
      next(problem(401, token ? 'this token is not valid' : 'a bearer token is needed'));
    },
  ];
}

/** Returns the user who sent the request; use it after `authenticated`. */
export function accountOf(req: Pick<Request, 'account'>): User {
  if (!req.account) throw new Error('the route lacks authenticated()');
  return req.account;
}
