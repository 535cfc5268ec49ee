/** The channels of `node:diagnostics_channel`: those of the ristretto package. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, test } from 'node:test';
import web from 'ristretto3';

interface Message {
  handler?: { name: string };
  route?: unknown;
  error?: Error;
}

describe('diagnostics channels', () => {
  test('express.router.request, ristretto.request: handlers, routes and final errors are reported', async () => {
    const app = web();
    app.set('env', 'test');
    app.param('id', function loads(_req: unknown, _res: unknown, next: () => void) {
      next();
    });
    app.use('/m', function middleware(_req: unknown, _res: unknown, next: () => void) {
      next();
    });
    app.get('/m/:id', function fails(_req, _res, next) {
      next(new Error('failed'));
    });
    const seen: unknown[] = [];
    const handled = (message: unknown): void => {
      const { handler, route } = message as Message;
      seen.push([handler!.name, route]);
    };
    const failed = (message: unknown): void => void seen.push((message as Message).error!.message);
    const ended = (): void => void seen.push('end');
    subscribe('tracing:express.router.request:start', handled);
    subscribe('tracing:ristretto.request:error', failed);
    subscribe('tracing:ristretto.request:end', ended);
    const { status } = await app.inject('/m/5');
    unsubscribe('tracing:express.router.request:start', handled);
    unsubscribe('tracing:ristretto.request:error', failed);
    unsubscribe('tracing:ristretto.request:end', ended);
    assert.equal(status, 500);
    assert.deepEqual(seen, [
      ['query', '/'],
      ['expressInit', '/'],
      ['middleware', '/m'],
      ['router', '/'],
      ['loads', '/m/:id'],
      ['fails', '/m/:id'],
      'end',
      'failed',
    ]);
  });
});
