/**
 * Confirmations: after a successful form, the next page shows a message once. A cookie names the message, so visitors
 * need no session; only the texts below can be shown.
 */
import type { RequestHandler, Response } from 'ristretto';

const TEXTS = {
  posted: 'Posted. Everybody who has the board open sees it now.',
  edited: 'Your changes are saved.',
  deleted: 'Deleted.',
  welcome: 'Welcome. You are logged in.',
  guest: 'You are logged in as a guest, until tomorrow. Post, reply, like.',
  password: 'The password is changed. Everywhere else, this account is logged out.',
  out: 'You are logged out.',
} as const;

const NAME = 'notice';
const options = { httpOnly: true, sameSite: 'lax' } as const;

/** Shows a confirmation on the next page. */
export function notify(res: Response, notice: keyof typeof TEXTS): Response {
  return res.cookie(NAME, notice, { ...options, maxAge: 30_000 });
}

/** Makes the confirmation available to the view, once. */
export const notices: RequestHandler = (req, res, next) => {
  const given = /(?:^|; )notice=([a-z]+)(?:;|$)/.exec(req.get('Cookie') ?? '')?.[1];
  if (given && req.method === 'GET') {
    res.clearCookie(NAME, options);
    if (Object.hasOwn(TEXTS, given)) res.locals.notice = TEXTS[given as keyof typeof TEXTS];
  }
  next();
};
