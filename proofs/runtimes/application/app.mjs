/**
 * The application that runs on every runtime, unchanged: one router for each group of checks. It uses only the
 * framework, middleware from npm, and Node.js modules that every runtime has.
 */
import path from 'node:path';
import web from '../../../packages/ristretto/index.js';
import { aborts } from './aborts.mjs';
import { bodies } from './bodies.mjs';
import { files } from './files.mjs';
import { routing } from './routing.mjs';
import { sockets } from './sockets.mjs';
import { state } from './state.mjs';
import { streams } from './streams.mjs';
import { uploads } from './uploads.mjs';
import { engines } from './views.mjs';

// workerd cannot access files of its host: the files in its configuration are in the working directory.
const home = import.meta.dirname ?? path.join(process.cwd(), 'proofs/runtimes/application');

export const app = web();
app.set('views', path.join(home, 'views'));
app.locals.site = 'Ristretto';
app.use('/routing', routing(app));
app.use('/bodies', bodies());
app.use('/files', files(path.join(home, 'public')));
app.use('/views', engines(app));
app.use('/state', state());
app.use('/streams', streams());
app.use('/sockets', sockets());
app.use('/uploads', uploads());
app.use('/aborts', aborts());
/** The calls noted by a tool that patched functions of Node.js (tool.mjs). */
app.get('/patched', (_req, res) => res.json(globalThis.patchedCalls.splice(0)));
app.use('/errors/custom', (_req, _res, next) => next(Object.assign(new Error('tea only'), { status: 418 })));
app.use('/errors/thrown', () => {
  throw new Error('thrown here');
});
app.use('/errors/rejected', async () => {
  await Promise.resolve();
  throw Object.assign(new Error('rejected here'), { status: 409 });
});
app.use('/errors/late', (_req, res, next) => {
  res.write('begun');
  setTimeout(() => next(new Error('too late for a page')), 20);
});
