/** `app.configure`: functions that run in some environments only. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from './support/oracle.js';
import type { App } from './support/oracle.js';

const { ristretto3: web } = frameworks;

function ran(configure: (app: App, note: (name: string) => () => void) => void): string[] {
  const names: string[] = [];
  for (const framework of Object.values(frameworks)) {
    const app = framework();
    app.set('env', 'staging');
    configure(app, name => () => void names.push(name));
  }
  assert.deepEqual(names.slice(0, names.length / 2), names.slice(names.length / 2));
  return names.slice(0, names.length / 2);
}

describe('app.configure', () => {
  test('env: the function runs if the environment matches', () => {
    assert.deepEqual(
      ran((app, note) => app.configure('staging', note('a')).configure('production', note('b'))),
      ['a'],
    );
  });

  test('env: the function runs if any of several environments matches', () => {
    assert.deepEqual(
      ran((app, note) => app.configure('production', 'staging', note('a')).configure('x', 'y', note('b'))),
      ['a'],
    );
  });

  test('env: the function always runs if no environment is given', () => {
    assert.deepEqual(
      ran((app, note) => app.configure(note('a'))),
      ['a'],
    );
  });

  test('env: the env setting is read when app.configure() is called', () => {
    const names = ran((app, note) => {
      app.configure('other', note('before'));
      app.set('env', 'other');
      app.configure('other', note('after'));
    });
    assert.deepEqual(names, ['after']);
  });

  test('callback: runs with the application as this, and the application is returned', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      let isApp = false;
      const returned = app.configure(function (this: unknown) {
        isApp = this === app;
      });
      assert.ok(isApp && returned === app);
    }
  });

  test('callback: throws if it is not a function', () => {
    const app = web() as unknown as { configure(env: string): void };
    assert.throws(() => app.configure('production'), /expected a function as the last argument, got string/);
  });
});
