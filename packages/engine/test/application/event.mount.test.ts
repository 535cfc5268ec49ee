/** The event `mount`: emitted on a sub-application when it is mounted. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('event mount', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`payload: is the parent application (${framework})`, () => {
      const app = web();
      const sub = web();
      const parents: unknown[] = [];
      assert.equal(
        sub.on('mount', parent => void parents.push(parent)),
        sub,
      );
      app.use('/admin', sub);
      assert.deepEqual(parents, [app]);
    });
    test(`state: path, parent and settings are already set (${framework})`, () => {
      const app = web().set('title', 'My site');
      const sub = web();
      let seen: unknown;
      sub.on('mount', () => (seen = [sub.mountpath, sub.path(), sub.get('title')]));
      app.use('/admin', sub);
      assert.deepEqual(seen, ['/admin', '/admin', 'My site']);
    });
    test(`every mount: emits the event (${framework})`, () => {
      let count = 0;
      const sub = web();
      sub.on('mount', () => count++);
      web().use('/a', sub).use('/b', sub);
      web().use(sub, sub);
      assert.equal(count, 4);
    });
    test(`routers and functions: receive no event (${framework})`, () => {
      const router = web.Router() as unknown as { emit?: unknown };
      assert.equal(router.emit, undefined);
      web().use(router as never, () => undefined);
    });
    test(`use: returns after the event (${framework})`, () => {
      const order: string[] = [];
      const sub = web();
      sub.on('mount', () => order.push('mount'));
      web().use(sub);
      order.push('returned');
      assert.deepEqual(order, ['mount', 'returned']);
    });
    test(`first listener: is the application's own, which inherits settings (${framework})`, () => {
      const sub = web() as unknown as { listeners(name: string): { name: string }[] };
      assert.deepEqual(
        sub.listeners('mount').map(({ name }) => name),
        ['onmount'],
      );
    });
    test(`other events: work because an application is an event emitter (${framework})`, () => {
      const app = web();
      const seen: unknown[] = [];
      app.once('ready' as 'mount', (value: unknown) => void seen.push(value));
      app.emit('ready', 1);
      app.emit('ready', 2);
      assert.deepEqual(seen, [1]);
    });
  }
});
