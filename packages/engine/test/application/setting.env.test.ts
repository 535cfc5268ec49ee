/** The setting `env`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

/** Runs `use` with another environment. */
function withEnvironment<T>(value: string | undefined, use: () => T): T {
  const { NODE_ENV } = process.env;
  if (value === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = value;
  try {
    return use();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

describe('setting env', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    const envOf = (value: string | undefined): unknown => withEnvironment(value, () => web().get('env'));
    test(`default: is development (${framework})`, () => {
      assert.equal(envOf(undefined), 'development');
      assert.equal(envOf(''), 'development');
    });
    test(`NODE_ENV: is the value (${framework})`, () => {
      assert.equal(envOf('production'), 'production');
      assert.equal(envOf('anything'), 'anything');
    });
    test(`NODE_ENV: is read when the application is created (${framework})`, () => {
      const app = withEnvironment('before', () => web());
      assert.equal(
        withEnvironment('after', () => app.get('env')),
        'before',
      );
    });
    test(`set: replaces it and has no other effect (${framework})`, () => {
      const app = withEnvironment('development', () => web().set('env', 'production'));
      assert.equal(app.get('env'), 'production');
      assert.equal(app.get('view cache'), undefined);
    });
    test(`production: enables the view cache (${framework})`, () => {
      assert.equal(
        withEnvironment('production', () => web().get('view cache')),
        true,
      );
      assert.equal(
        withEnvironment('test', () => web().get('view cache')),
        undefined,
      );
    });
    test(`sub-app: does not inherit it (${framework})`, () => {
      const sub = web();
      web().set('env', 'mine').use(sub);
      assert.notEqual(sub.get('env'), 'mine');
    });
  }
});
