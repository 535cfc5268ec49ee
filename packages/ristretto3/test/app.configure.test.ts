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
  test('env: the function runs where the environment is that', () => {
    assert.deepEqual(
      ran((app, note) => app.configure('staging', note('a')).configure('production', note('b'))),
      ['a'],
    );
  });

  test('env: several are alternatives', () => {
    assert.deepEqual(
      ran((app, note) => app.configure('production', 'staging', note('a')).configure('x', 'y', note('b'))),
      ['a'],
    );
  });

  test('env: without it the function runs always', () => {
    assert.deepEqual(
      ran((app, note) => app.configure(note('a'))),
      ['a'],
    );
  });

  test('env: the setting counts, as it is at that time', () => {
    const names = ran((app, note) => {
      app.configure('other', note('before'));
      app.set('env', 'other');
      app.configure('other', note('after'));
    });
    assert.deepEqual(names, ['after']);
  });

  test('callback: its this is the application, which is returned', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      let isApp = false;
      const returned = app.configure(function (this: unknown) {
        isApp = this === app;
      });
      assert.ok(isApp && returned === app);
    }
  });

  test('callback: what is none throws', () => {
    const app = web() as unknown as { configure(env: string): void };
    assert.throws(() => app.configure('production'), /expected a function as the last argument, got string/);
  });
});
