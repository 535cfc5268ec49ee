/** Logging in, registering, looking around as a guest, changing the password, and logging out. */
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { notify } from '../notices.js';
import { complaint, Credentials, Draft, NewPassword } from '../schemas.js';
import type { Limits } from '../security.js';
import type { Services } from '../services.js';
import { loggedIn, logIn, logOut } from '../session.js';

/** What the form shows. The draft is a post that was sent without a login: it is kept until there is one. */
interface Form {
  mode: 'login' | 'register';
  mistake?: string;
  name?: unknown;
  draft?: Draft;
}

function showForm(res: Response, { name, ...form }: Form) {
  res.set('Cache-Control', 'no-store').render('account', {
    draft: undefined,
    mistake: undefined,
    ...form,
    name: typeof name === 'string' ? name : '',
  });
}

/** Responds to a post without a login: asks for one, and keeps the text. */
export function askToLogIn(req: Request, res: Response) {
  const draft = Draft.parse(req.body);
  const mistake = draft.text ? 'You are no longer logged in. Your text is kept until you are.' : undefined;
  showForm(res.status(401), { mode: 'login', mistake, draft });
}

export function account({ users }: Services, limits: Limits) {
  const router = web.Router();

  /** Shows the page that the user came from, with the text that could not be posted. */
  const enter = (req: Request, res: Response, notice?: 'welcome' | 'guest') => {
    const { text, parent } = Draft.parse(req.body);
    if (text) req.session.draft = { text, parent };
    if (notice) notify(res, notice);
    res.redirect(303, parent ? `/posts/${parent}` : '/');
  };

  router.get('/login', (_req, res) => showForm(res, { mode: 'login' }));
  router.get('/register', (_req, res) => showForm(res, { mode: 'register' }));

  router.post('/login', ...limits.login, async (req, res) => {
    const { name, password } = (req.body ?? {}) as Record<string, unknown>;
    const given = Credentials.safeParse({ name, password });
    const user = given.success ? await users.verify(given.data.name, given.data.password) : undefined;
    if (!user) {
      const mistake = 'The name or password is wrong.';
      return showForm(res.status(401), { mode: 'login', mistake, name, draft: Draft.parse(req.body) });
    }
    await logIn(req, user);
    enter(req, res);
  });

  router.post('/register', limits.register, async (req, res) => {
    const { name, password } = (req.body ?? {}) as Record<string, unknown>;
    const given = Credentials.safeParse({ name, password });
    const retry = (status: number, mistake: string) =>
      showForm(res.status(status), { mode: 'register', mistake, name, draft: Draft.parse(req.body) });
    if (!given.success) return retry(422, complaint(given.error));
    const user = await users.add(given.data.name, given.data.password);
    if (!user) return retry(409, 'This name is already taken.');
    await logIn(req, user);
    enter(req, res, 'welcome');
  });

  router.post('/guest', limits.guest, async (req, res) => {
    await logIn(req, await users.addGuest());
    enter(req, res, 'guest');
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
    notify(res, 'password').redirect(303, '/');
  });

  router.post('/logout', async (req, res) => {
    await logOut(req);
    notify(res, 'out').clearCookie('session').redirect(303, '/');
  });

  return router;
}
