/** The same route on the framework that is named on the command line: the only difference is what is imported. */
import { createRequire } from 'node:module';
import type web from 'ristretto';

const [, , framework] = process.argv;
// Express is a development dependency of the repository, so it is found from there.
const require = createRequire(new URL('../../../../package.json', import.meta.url));
const express = (
  framework === 'express' ? require('express') : (await import('ristretto')).default
) as typeof web;

const app = express();
app.use((_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
});
const drinks = express.Router();
drinks.get('/:id', (req, res) => {
  res.json({ id: req.params.id, name: 'Ristretto', size: req.query.size, ml: 20 });
});
app.use('/drinks', drinks);

const server = app.listen(0, '127.0.0.1', () => process.send!(server.address()));
// Replies with the processor time that this process has used so far, in microseconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!(user + system);
});
process.once('disconnect', () => process.exit());
