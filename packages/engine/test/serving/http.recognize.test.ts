// runs: each
/** Node's own functions are distinguished from wrappers by what runs, not by their source. */
import assert from 'node:assert/strict';
import { ServerResponse } from 'node:http';
import { describe, mock, test } from 'node:test';
import { areNative } from '@ristretto/private-engine/lib/serving/node-internals';

const { end } = ServerResponse.prototype as unknown as { end(...args: unknown[]): unknown };

const isNative = (fn: unknown, word: string): boolean => areNative({ fn }, { fn: word });

const wrappers: Record<string, [fn: unknown, word: string]> = {
  'a wrapper that mentions _implicitHeader': [
    function (this: unknown, ...args: unknown[]) {
      void '_implicitHeader';
      return end.apply(this, args);
    },
    '_implicitHeader',
  ],
  'a wrapper that reads a property first': [
    function (this: { finished: boolean }, ...args: unknown[]) {
      return this.finished ? undefined : end.apply(this, args);
    },
    'finished',
  ],
  'a function that reads nothing': [() => 'read', 'read'],
  'a bound function': [end.bind({}), 'native code'],
  'a proxy with a handler for calls': [
    new Proxy(end, { apply: (target, self, args) => target.apply(self, args) }),
    'native code',
  ],
  'a function patched by mock.method, which is a module of Node': [
    mock.method({ end }, 'end', end),
    'native code',
  ],
  undefined: [undefined, ''],
};

describe('recognizing Node’s functions', () => {
  test('res.end is recognized', () => {
    assert.equal(isNative(end, '_implicitHeader'), true);
  });

  for (const [name, [fn, word]] of Object.entries(wrappers)) {
    test(`${name} is not taken for Node’s own`, () => {
      assert.equal(isNative(fn, word), false);
    });
  }

  test('the settings of stack traces are the same afterwards', () => {
    const before = Object.getOwnPropertyDescriptors(Error);
    isNative(end, '_implicitHeader');
    assert.deepEqual(Object.getOwnPropertyDescriptors(Error), before);
  });
});
