import express = require('express');
import session = require('express-session');
import { EventEmitter } from 'events';
import { createSecretKey } from 'crypto';

declare module 'express-session' {
  interface SessionData {
    views: number;
    user: { name: string };
  }
}

const app = express();
app.use(session({ secret: 'a' }));
app.use(
  session({
    secret: ['a', Buffer.from('b'), createSecretKey(Buffer.from('c'))],
    name: 'sid',
    store: new session.MemoryStore(),
    cookie: {
      path: '/',
      httpOnly: true,
      secure: 'auto',
      maxAge: 5,
      sameSite: 'lax',
      priority: 'low',
      partitioned: true,
    },
    genid: req => `${req.ip}${req.get('x')}`,
    rolling: true,
    resave: false,
    proxy: true,
    saveUninitialized: true,
    unset: 'keep',
  }),
);
app.use(session({ secret: 'a', cookie: req => ({ secure: req.secure, maxAge: 5 }) }));
const handler: express.RequestHandler = session({ secret: 'a' });
const options: session.SessionOptions = { secret: 'a', cookie: {} };
options.cookie = { secure: true };
app.use(handler, session(options));

app.get('/', (req, res, next) => {
  const views: number | undefined = req.session.views;
  req.session.views = (views ?? 0) + 1;
  req.session.user = { name: 'tobi' };
  const id: string = req.session.id + req.sessionID;
  req.session.cookie.maxAge = 5;
  req.session.cookie.expires = new Date();
  req.session.cookie.expires = null;
  const original: number | null = req.session.cookie.originalMaxAge;
  req.session.regenerate(err => next(err)).touch();
  req.session.save();
  req.session.save(err => next(err)).reload(() => res.end(id));
  req.session.destroy((err: Error) => next(err));
  req.session.resetMaxAge().touch();
  req.sessionStore.get(id, (err, data) => res.json([err, data?.views, original]));
  req.sessionStore.generate(req);
  req.sessionStore.on('disconnect', () => undefined);
  req.sessionStore.all?.((err, sessions) => res.json([err, sessions]));
  // @ts-expect-error -- unknown member
  req.session.unknown;
  // @ts-expect-error -- wrong type
  req.session.views = 'a';
});

class Store extends session.Store {
  private readonly sessions = new Map<string, session.SessionData>();
  get(sid: string, callback: (err: any, session?: session.SessionData | null) => void): void {
    callback(null, this.sessions.get(sid));
  }
  set(sid: string, data: session.SessionData, callback?: (err?: any) => void): void {
    this.sessions.set(sid, data);
    callback?.();
  }
  destroy(sid: string, callback?: (err?: any) => void): void {
    this.sessions.delete(sid);
    callback?.();
  }
}
class AsyncStore extends session.Store {
  private readonly sessions = new Map<string, session.SessionData>();
  async get(sid: string): Promise<session.SessionData | undefined> {
    return this.sessions.get(sid);
  }
  async set(sid: string, data: session.SessionData): Promise<void> {
    this.sessions.set(sid, data);
  }
  async destroy(sid: string): Promise<void> {
    this.sessions.delete(sid);
  }
  override async touch(): Promise<void> {}
}
app.use(session({ secret: 'a', store: new AsyncStore() }));
const store = new Store();
const emitter: EventEmitter = store;
app.use(session({ secret: 'a', store }));
store.load('a', (err, data) => void [err, data?.views]);
const memory = new session.MemoryStore();
memory.all((err, sessions) => void [err, sessions?.['a']?.views]);
memory.length((err, length) => void [err, length?.toFixed()]);
memory.clear(err => void err);
emitter.emit('connect');
// @ts-expect-error -- not a store
session({ secret: 'a', store: {} });
// @ts-expect-error -- not one of the two
session({ secret: 'a', unset: 'x' });
// @ts-expect-error -- needs a secret
session({});
