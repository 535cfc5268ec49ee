/** `app.enable`: sets a setting to true. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.enable', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`name: sets the setting to true, whatever its value was (${framework})`, () => {
      const app = web();
      for (const before of [undefined, true, false, 'text', 7]) {
        app.set('any', before).enable('any');
        assert.equal(app.get('any'), true);
      }
    });
    test(`same as set: updates the compiled settings (${framework})`, () => {
      const app = web().disable('trust proxy').enable('trust proxy');
      const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
      assert.equal(trust('192.0.2.1', 0), true);
    });
    test(`returned value: is the application (${framework})`, () => {
      const app = web();
      assert.equal(app.enable('any'), app);
    });
    test(`replaced set: is called (${framework})`, () => {
      const app = web();
      const asked: unknown[] = [];
      (app as { set: unknown }).set = (...args: unknown[]) => void asked.push(args);
      app.enable('any');
      assert.deepEqual(asked, [['any', true]]);
    });
  }
});
