/** `app.enabled`: whether a setting is on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.enabled', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`name: is true when the value is truthy (${framework})`, () => {
      for (const value of [true, 1, 'text', {}, []])
        assert.equal(web().set('any', value).enabled('any'), true);
    });
    test(`name: is false when the value is falsy or not set (${framework})`, () => {
      for (const value of [false, 0, '', null, undefined, NaN]) {
        assert.equal(web().set('any', value).enabled('any'), false);
      }
      assert.equal(web().enabled('never set'), false);
    });
    test(`defaults: reports the default settings (${framework})`, () => {
      assert.equal(web().enabled('x-powered-by'), true);
      assert.equal(web().enabled('trust proxy'), false);
    });
    test(`sub-app: takes inherited settings into account (${framework})`, () => {
      const sub = web();
      web().enable('strict routing').use(sub);
      assert.equal(sub.enabled('strict routing'), true);
    });
  }
});
