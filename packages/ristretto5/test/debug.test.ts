// runs: slow
/** `DEBUG=express:*,router*`: prints the same lines as Express 5. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printed } from '../../engine/test/support/debug-lines.js';

const PROGRAM = `
  const app = web();
  app.enable('strict routing');
  app.use('/m', function mount(req, res, next) { next(); });
  app.use((req, res, next) => next());
  app.param('id', (req, res, next) => next());
  const router = web.Router();
  router.get(['/x/:id', '/y'], (req, res) => res.end());
  router.route('/z').all((req, res) => res.end()).post((req, res) => res.end());
  app.use('/api', router);
  app.all('/{*rest}', (req, res) => res.end());
`;

describe('DEBUG', () => {
  test('DEBUG: prints settings, registration and matching under the names of Express 5', async () => {
    const paths = ['/m/a', '/api/x/1?q', '/api/z', '/none'];
    for (const names of ['express:*,router*', 'router', 'router:layer', 'express:application', 'nothing']) {
      const [ours, theirs] = await Promise.all(
        ['ristretto5', 'express5'].map(framework => printed(framework, PROGRAM, paths, names)),
      );
      assert.deepEqual(ours, theirs, names);
      assert.equal(ours!.length > 1, names !== 'nothing');
    }
  });
});
