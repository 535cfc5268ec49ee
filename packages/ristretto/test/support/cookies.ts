/** Applications with the package cookie-parser, whose types are not installed. */
import { createRequire } from 'node:module';
import type { Request, RequestHandler } from 'express';
import type { Web } from './oracle.js';

const load = createRequire(__filename);

/** The middleware that fills `req.cookies` and `req.signedCookies`. */
export const cookieParser = load('cookie-parser') as (secret?: string) => RequestHandler;

/** The same value signed with the secret, as a cookie has it. */
export const sign = (value: string, secret: string): string =>
  encodeURIComponent(
    `s:${(load('cookie-signature') as { sign(value: string, secret: string): string }).sign(value, secret)}`,
  );

/** An application behind these middleware that answers with what is read from the request. */
export const showing =
  (read: (req: Request) => unknown, ...before: RequestHandler[]) =>
  (web: Web): ReturnType<Web> => {
    const app = web();
    for (const one of before) app.use(one);
    return app.use((req, res) => void res.send(JSON.stringify(read(req)) ?? 'undefined'));
  };
