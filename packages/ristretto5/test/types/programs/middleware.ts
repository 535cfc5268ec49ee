/** Middleware with its own types, and the ways in which applications add members to requests and responses. */
import express, { type Request } from 'express';
import session from 'express-session';
import multer from 'multer';

declare global {
  namespace Express {
    interface Request {
      user?: { name: string };
    }
    interface Locals {
      nonce: string;
    }
  }
}
declare module 'express-serve-static-core' {
  interface Request {
    tenant: string;
  }
  interface Response {
    elapsed?: number;
  }
  interface Application {
    shutdown?(): void;
  }
}
declare module 'express-session' {
  interface SessionData {
    visits: number;
  }
}

const app = express();
const upload = multer({ dest: 'uploads' });
app.use(session({ secret: 'x', resave: false, saveUninitialized: true }));
app.use((req, res, next) => {
  req.session.visits = (req.session.visits ?? 0) + 1;
  req.user = { name: `${req.tenant} ${req.sessionID}` };
  res.elapsed = res.locals.nonce.length;
  next();
});
app.post('/photos/:album', upload.single('photo'), (req, res) => {
  const album: string = req.params.album;
  // @ts-expect-error it is not in the path
  void req.params.title;
  res.json([album, req.file?.originalname, req.user?.name]);
});
app.post('/albums/:album', upload.array('photos', 12), async (req, res) => {
  res.json([req.params.album, await Promise.resolve(req.files)]);
});
const count = (req: Request): number => req.session.visits ?? 0;
app.get('/count', (req, res) => void res.json(count(req)));
app.shutdown?.();
// @ts-expect-error no middleware has added it
app.get('/', req => req.account);
