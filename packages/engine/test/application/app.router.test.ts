/** `app.router`: throws an error, because it was removed in Express 4. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.router', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`read: throws an error that says what to do instead (${framework})`, () => {
      assert.throws(() => (web() as unknown as { router: unknown }).router, {
        name: 'Error',
        message:
          "'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.",
      });
    });
    test(`descriptor: is not enumerable and has no setter (${framework})`, () => {
      const { get, ...flags } = Object.getOwnPropertyDescriptor(web(), 'router')!;
      assert.equal(typeof get, 'function');
      assert.deepEqual(flags, { set: undefined, enumerable: false, configurable: false });
    });
    test(`app._router: exists as soon as something is registered (${framework})`, () => {
      const app = web() as unknown as { _router: unknown; use(fn: () => void): unknown };
      assert.equal(app._router, undefined);
      app.use(() => undefined);
      assert.equal(typeof app._router, 'function');
    });
  }
});
