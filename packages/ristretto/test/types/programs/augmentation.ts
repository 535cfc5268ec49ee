/** The three ways in which applications add members to requests and responses. */
import express, { type Request } from 'express';

interface User {
  name: string;
}

declare global {
  namespace Express {
    interface Request {
      user?: User;
      id: string;
    }
    interface Response {
      fail(message: string): void;
    }
    interface Locals {
      nonce: string;
    }
    interface Application {
      services: Map<string, unknown>;
    }
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    session: { visits: number };
  }
  interface Response {
    elapsed?: number;
  }
  interface Application {
    shutdown?(): void;
  }
}

declare module 'express' {
  interface Request {
    tenant?: string;
  }
}

const app = express();
app.services = new Map();
app.shutdown?.();
app.use((req, res, next) => {
  req.user = { name: req.id };
  req.session.visits++;
  res.elapsed = 1;
  res.locals.nonce.toUpperCase();
  app.locals.nonce.toUpperCase();
  if (!req.user) return res.fail('who?');
  next();
});
app.get('/', (req: Request, res) => {
  req.tenant = req.user?.name;
  res.send(req.session.visits);
});
app.get('/:id', (req, res) => {
  res.send(req.user?.name ?? req.params.id);
});
app.param('id', (req, res, next) => {
  req.user = { name: 'x' };
  next();
});
app.use((err: Error, req: Request, res: express.Response, next: express.NextFunction) => {
  res.fail(err.message + req.user?.name);
});
