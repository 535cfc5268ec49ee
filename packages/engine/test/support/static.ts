/** Applications that send files, built the same way on both frameworks. */
import type { ErrorRequestHandler, Response } from 'express';
import type { ServeStaticOptions } from 'serve-static';
import type { Web } from './oracle.js';
import { root } from './tree.js';

type Build = (web: Web) => ReturnType<Web>;

/** Responds with everything visible about an error, and with the headers that were set before it. */
export const report: ErrorRequestHandler = (err, _req, res, next) => {
  if (res.headersSent) {
    next(err);
    return;
  }
  res.statusCode = err.status ?? 500;
  res.end(JSON.stringify({ name: err.name, message: err.message, ...err, set: res.getHeaderNames() }));
};

/** `web.static` for the tree, followed by a handler that reports that it was reached. */
export function serving(options?: object, mount = '/', directory = root): Build {
  return web => {
    const app = web();
    app.set('env', 'test');
    app.use(mount, web.static(directory, options as ServeStaticOptions));
    app.use((req, res) => void res.end(`passed on: ${req.method} ${req.url}`));
    app.use(report);
    return app;
  };
}

/** Sends a file by `use`, followed by a handler that reports that it was reached. */
export function sendingBy(use: (res: Response) => unknown): Build {
  return web => {
    const app = web();
    app.set('env', 'test');
    app.use((_req, res) => void use(res));
    app.use((_req, res) => void res.end('passed on'));
    return app.use(report);
  };
}
