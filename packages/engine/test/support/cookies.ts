/** Applications that use the cookie-parser package, whose types are not installed. */
import { createRequire } from 'node:module';
import type { Request, RequestHandler } from 'express';
import type { Web } from './oracle.js';

const load = createRequire(__filename);

/** The middleware that fills `req.cookies` and `req.signedCookies`. */
export const cookieParser = load('cookie-parser') as (secret?: string) => RequestHandler;

/** Returns the value signed with the secret, as in a cookie. */
export const sign = (value: string, secret: string): string =>
  encodeURIComponent(
    `s:${(load('cookie-signature') as { sign(value: string, secret: string): string }).sign(value, secret)}`,
  );

/** Returns an application that runs the given middleware and responds with what `read` returns for the request. */
export const showing =
  (read: (req: Request) => unknown, ...before: RequestHandler[]) =>
  (web: Web): ReturnType<Web> => {
    const app = web();
    for (const one of before) app.use(one);
    return app.use((req, res) => void res.send(JSON.stringify(read(req)) ?? 'undefined'));
  };
