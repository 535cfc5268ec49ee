/** Logging in, registering, changing the password, and logging out. */
import web from 'ristretto';
import type { Response } from 'ristretto';
import { complaint, Credentials, NewPassword } from '../schemas.js';
import type { Limits } from '../security.js';
import type { Services } from '../services.js';
import { loggedIn, logIn, logOut } from '../session.js';

export function account({ users }: Services, limits: Limits) {
  const router = web.Router();

  const form = (res: Response, mode: 'login' | 'register', mistake?: string, name?: unknown) =>
    res
      .set('Cache-Control', 'no-store')
      .render('account', { mode, mistake, name: typeof name === 'string' ? name : '' });

  router.get('/login', (_req, res) => form(res, 'login'));
  router.get('/register', (_req, res) => form(res, 'register'));

  router.post('/login', ...limits.login, async (req, res) => {
    const { name, password } = (req.body ?? {}) as Record<string, unknown>;
    const given = Credentials.safeParse({ name, password });
    const user = given.success ? await users.verify(given.data.name, given.data.password) : undefined;
    if (!user) return form(res.status(401), 'login', 'The name or password is wrong.', name);
    await logIn(req, user);
    res.redirect(303, '/');
  });

  router.post('/register', limits.register, async (req, res) => {
    const { name, password } = (req.body ?? {}) as Record<string, unknown>;
    const given = Credentials.safeParse({ name, password });
    if (!given.success) return form(res.status(422), 'register', complaint(given.error), name);
    const user = await users.add(given.data.name, given.data.password);
    if (!user) return form(res.status(409), 'register', 'This name is already taken.', name);
    await logIn(req, user);
    res.redirect(303, '/');
  });

  const passwordForm = (res: Response, mistake?: string) =>
    res.set('Cache-Control', 'no-store').render('password', { mistake });

  router.get('/password', loggedIn, (_req, res) => passwordForm(res));

  // Someone at an unattended browser does not know the old password, and changing it ends a thief's sessions.
  router.post('/password', loggedIn, limits.password, async (req, res) => {
    const given = NewPassword.safeParse(req.body);
    if (!given.success) return passwordForm(res.status(422), complaint(given.error));
    const account = await users.verify(req.member!.name, given.data.old);
    const changed = account && (await users.changePassword(account, given.data.password));
    if (!changed) return passwordForm(res.status(403), 'The old password is wrong.');
    await logIn(req, changed);
    res.redirect(303, '/');
  });

  router.post('/logout', async (req, res) => {
    await logOut(req);
    res.clearCookie('session').redirect(303, '/');
  });

  return router;
}
