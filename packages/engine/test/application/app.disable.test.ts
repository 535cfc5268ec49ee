/** `app.disable`: sets a setting to false. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.disable', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`name: sets the setting to false, whatever its value was (${framework})`, () => {
      const app = web();
      for (const before of [undefined, true, false, 'text', 7]) {
        app.set('any', before).disable('any');
        assert.equal(app.get('any'), false);
      }
    });
    test(`same as set: updates the compiled settings (${framework})`, () => {
      const app = web().enable('trust proxy').disable('trust proxy');
      const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
      assert.equal(trust('192.0.2.1', 0), false);
    });
    test(`returned value: is the application (${framework})`, () => {
      const app = web();
      assert.equal(app.disable('any'), app);
    });
    test(`replaced set: is called (${framework})`, () => {
      const app = web();
      const asked: unknown[] = [];
      (app as { set: unknown }).set = (...args: unknown[]) => void asked.push(args);
      app.disable('any');
      assert.deepEqual(asked, [['any', false]]);
    });
  }
});
