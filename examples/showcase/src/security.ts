/** Security headers, protection against forms of other sites, and rate limits. */
import helmet from 'helmet';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import type { Request, RequestHandler } from 'ristretto';
import { problem } from './errors.js';
import type { Redis } from './redis.js';

/** Scripts, styles and pictures of our own only, nothing inline. HTTPS is for the proxy in front to demand. */
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
  // Browsers that are told to send no referrer send no origin with forms either, and the check below may need it.
  referrerPolicy: { policy: 'same-origin' },
});

/**
 * Refuses to change anything for a page of another site (CSRF). Browsers say where a request comes from: with
 * `Sec-Fetch-Site` over HTTPS and on localhost, with `Origin` otherwise. A client that sends neither (curl) is no
 * browser, so it can't be abused by a page.
 */
export const sameOrigin: RequestHandler = (req, _res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  const site = req.get('Sec-Fetch-Site');
  const origin = req.get('Origin');
  const isOurs =
    site === undefined
      ? origin === undefined || (URL.canParse(origin) && new URL(origin).host === req.get('Host'))
      : site === 'same-origin' || site === 'none';
  next(isOurs ? undefined : problem(403, 'This came from another site.'));
};

/** Members are counted by account, others by address. */
const byMember = ({ member, ip }: Request) => (member ? `user:${member.id}` : ipKeyGenerator(ip ?? ''));

export type Limits = ReturnType<typeof makeLimits>;

/** With Redis the processes count together, without it each for itself. */
export function makeLimits(redis?: Redis) {
  const limit = (name: string, options: Partial<Options>) =>
    rateLimit({
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      handler: (_req, _res, next) => next(problem(429, 'That was too often. Please wait a while.')),
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
    /** Failed logins: few from one address, and more on one account, whose owner must not be locked out easily. */
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
    ],
    /** Guesses of the old password, by someone with a stolen session. */
    password: limit('password', {
      windowMs: 15 * minutes,
      limit: 10,
      skipSuccessfulRequests: true,
      keyGenerator: byMember,
    }),
    register: limit('register', { windowMs: 60 * minutes, limit: 20 }),
    /** Posts of one user, or attempts of one address. */
    post: limit('post', {
      windowMs: minutes,
      limit: 10,
      keyGenerator: byMember,
    }),
  };
}
