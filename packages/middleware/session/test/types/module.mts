import session, { MemoryStore, Store } from 'express-session';
import type { SessionData, SessionOptions } from 'express-session';
import express from 'express';

declare module 'express-session' {
  interface SessionData {
    flash?: string[];
  }
}

const options: SessionOptions = {
  secret: 'a',
  store: new MemoryStore(),
  resave: false,
  saveUninitialized: false,
};
const app = express();
app.use(session(options));
app.post('/login', (req, res, next) => {
  req.session.regenerate((err?: Error) => {
    if (err) return next(err);
    req.session.flash = ['hello'];
    req.session.save(() => res.redirect('/'));
  });
});
export const data = (value: SessionData): string[] | undefined => value.flash;
export const isStore = (value: unknown): value is Store => value instanceof Store;
