/** `app.disabled`: whether a setting is off. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.disabled', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`name: is false when the value is truthy (${framework})`, () => {
      for (const value of [true, 1, 'text', {}, []])
        assert.equal(web().set('any', value).disabled('any'), false);
    });
    test(`name: is true when the value is falsy or not set (${framework})`, () => {
      for (const value of [false, 0, '', null, undefined, NaN]) {
        assert.equal(web().set('any', value).disabled('any'), true);
      }
      assert.equal(web().disabled('never set'), true);
    });
    test(`defaults: reports the default settings (${framework})`, () => {
      assert.equal(web().disabled('x-powered-by'), false);
      assert.equal(web().disabled('trust proxy'), true);
    });
    test(`sub-app: takes inherited settings into account (${framework})`, () => {
      const sub = web();
      web().enable('strict routing').use(sub);
      assert.equal(sub.disabled('strict routing'), false);
    });
  }
});
