/** Security headers, protection against forms on other sites, and rate limits. */
import helmet from 'helmet';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import type { Request, RequestHandler } from 'ristretto';
import { problem } from './errors.js';
import type { Redis } from './redis.js';

/**
 * Only scripts, styles and pictures of this site, and nothing inline. Enforcing HTTPS is left to the proxy in front.
 */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  strictTransportSecurity: false,
  // Browsers with a no-referrer policy also omit `Origin` on forms, and the check below may need it.
  referrerPolicy: { policy: 'same-origin' },
});

/**
 * Rejects changes that a page of another site requests (CSRF). Browsers report the origin of a request: in
 * `Sec-Fetch-Site` over HTTPS and on localhost, otherwise in `Origin`. A client that sends neither (curl) is not a
 * browser, so a page cannot abuse it. `@ristretto/same-origin` is this check with exceptions, for applications that can
 * install it.
 */
export const sameOrigin: RequestHandler = (req, _res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  const site = req.get('Sec-Fetch-Site');
  const origin = req.get('Origin');
  const isOurs =
    site === undefined
      ? origin === undefined || (URL.canParse(origin) && new URL(origin).host === req.get('Host'))
      : site === 'same-origin' || site === 'none';
  next(isOurs ? undefined : problem(403, 'This request came from another site.'));
};

/**
 * Members are counted by account, others by address. So are guests: anybody can have any number of guest accounts.
 */
const byMember = ({ member, ip }: Request) =>
  member && member.role !== 'guest' ? `user:${member.id}` : ipKeyGenerator(ip ?? '');

export type Limits = ReturnType<typeof makeLimits>;

/** With Redis the processes share the counters; without it, each has its own. */
export function makeLimits(redis?: Redis) {
  const limit = (name: string, options: Partial<Options>) =>
    rateLimit({
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      handler: (_req, _res, next) => next(problem(429, 'Too many attempts. Please wait a while.')),
      store:
        redis &&
        new RedisStore({
          prefix: `limit:${name}:`,
          sendCommand: (...command: string[]) => redis.sendCommand<RedisReply>(command),
        }),
      ...options,
    });
  const minutes = 60_000;
  return {
    /** Failed logins: few per address, and more per account, so that its owner is not locked out easily. */
    login: [
      limit('login', { windowMs: 15 * minutes, limit: 10, skipSuccessfulRequests: true }),
      limit('account', {
        windowMs: 60 * minutes,
        limit: 50,
        skipSuccessfulRequests: true,
        keyGenerator: ({ body }) =>
          String((body as { name?: unknown } | undefined)?.name)
            .trim()
            .toLowerCase(),
      }),
      // A tuple, because the types of the following handlers depend on the number of these.
    ] as const,
    /** Guesses of the old password by someone with a stolen session. */
    password: limit('password', {
      windowMs: 15 * minutes,
      limit: 10,
      skipSuccessfulRequests: true,
      keyGenerator: byMember,
    }),
    register: limit('register', { windowMs: 60 * minutes, limit: 20 }),
    guest: limit('guest', { windowMs: 60 * minutes, limit: 20 }),
    /** Likes and edits, which cost little. */
    touch: limit('touch', { windowMs: minutes, limit: 60, keyGenerator: byMember }),
    /** Posts per user, or attempts per address. */
    post: limit('post', {
      windowMs: minutes,
      limit: 10,
      keyGenerator: byMember,
    }),
  };
}
