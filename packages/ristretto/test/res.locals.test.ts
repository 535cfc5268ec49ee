import { describe, test } from 'node:test';
import { answering, sameEach } from './support/compare.js';
import { same } from './support/oracle.js';

describe('res.locals', () => {
  test('each request: has its own, without a prototype', async () => {
    await sameEach(
      answering((_req, res) => {
        const before = Object.keys(res.locals).length;
        res.locals.seen = true;
        res.json([before, Object.getPrototypeOf(res.locals) === null]);
      }),
      ['/', '/'],
    );
  });

  test('sub-app: sees those of its parent', async () => {
    await same(web => {
      const app = web();
      const sub = web();
      sub.get('/', (_req, res) => res.json(res.locals));
      app.use((_req, res, next) => {
        res.locals.from = 'parent';
        next();
      });
      return app.use('/sub', sub);
    }, '/sub');
  });
});
