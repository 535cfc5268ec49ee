/** An application that holds responses back while its server is stopped. */
import type http from 'node:http';
import web from 'ristretto';
import type { Application, Response, StopReport } from 'ristretto';
import { portOf } from './http.js';

/** The report of a stop that found no connections. */
export const NOTHING: StopReport = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };

/** An application whose responses are held back until a test sends them. */
export function heldApp(): { app: Application; held: Response[]; paths: string[] } {
  const held: Response[] = [];
  const paths: string[] = [];
  const app = web().set('env', 'test');
  app.use((req, _res, next) => {
    paths.push(req.path);
    next();
  });
  app.get('/held*', (_req, res) => void held.push(res));
  app.get('/begun*', (_req, res) => {
    res.write('begun');
    held.push(res);
  });
  app.get('/endless', (_req, res) => {
    const more = (): void => {
      while (res.write(Buffer.alloc(65_536)));
    };
    res.on('drain', more);
    more();
  });
  app.get('*', (req, res) => void res.send(`at once ${req.path}`));
  return { app, held, paths };
}

/** Starts an application on a free port. */
export async function started(app: Application): Promise<{ server: http.Server; port: number }> {
  const server = app.listen(0, '127.0.0.1');
  return { server, port: await portOf(server) };
}
