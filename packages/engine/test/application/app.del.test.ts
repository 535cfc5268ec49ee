/** `app.del`: the deprecated name of `app.delete`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameNotices } from '../support/compare.js';

type WithDel = Record<'del', (path: string, ...handlers: unknown[]) => unknown>;

describe('app.del', () => {
  test('delete: routes DELETE and emits a deprecation warning', async () => {
    const notices = await sameNotices(
      framework => {
        const app = framework();
        (app as unknown as WithDel).del(
          '/x',
          (_req: unknown, res: { send(text: string): void }) => void res.send('deleted'),
        );
        return app;
      },
      { method: 'DELETE', path: '/x' },
    );
    assert.deepEqual(notices, ['app.del: Use app.delete instead']);
  });
  test('returned value: is the application', () => {
    const quiet = (): void => undefined;
    process.on('deprecation' as never, quiet as never);
    const app = web();
    assert.equal(
      (app as unknown as WithDel).del('/y', () => undefined),
      app,
    );
    process.off('deprecation', quiet);
  });
});
