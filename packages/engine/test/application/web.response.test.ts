// runs: built
/** `web.response`: the prototype of all responses, with the members that Express has. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { answering } from '../support/compare.js';
import { frameworks, same } from '../support/oracle.js';

const load = createRequire(__filename);
const ours = frameworks.ristretto.response as unknown as Record<string, (...args: never[]) => unknown>;
const theirs = frameworks.express.response as unknown as typeof ours;

describe('web.response', () => {
  test('prototype: is http.ServerResponse.prototype', () => {
    assert.equal(Object.getPrototypeOf(ours), http.ServerResponse.prototype);
    assert.equal(load('ristretto/lib/response'), ours);
  });

  test('members: are the same as in Express, in the same order', () => {
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    // Faster versions of Node's own functions and members beyond Express are not enumerable.
    const hidden = Object.getOwnPropertyNames(ours).filter(
      name => !(name in theirs) || !Object.hasOwn(theirs, name),
    );
    assert.deepEqual(
      hidden.filter(name => name in http.ServerResponse.prototype),
      ['getHeader', 'setHeader', 'removeHeader', 'end'],
    );
    for (const name of hidden) {
      assert.equal(Object.getOwnPropertyDescriptor(ours, name)?.enumerable, false, name);
    }
  });

  for (const member of Object.keys(theirs)) {
    test(`${member}: has the type, length and name of the one in Express`, () => {
      const { value: mine, ...own } = Object.getOwnPropertyDescriptor(ours, member)!;
      const { value: other, ...expected } = Object.getOwnPropertyDescriptor(theirs, member)!;
      assert.deepEqual(own, expected);
      assert.equal(typeof mine, 'function');
      assert.equal((mine as () => void).length, (other as () => void).length);
      // If Express's function has no name, ours has the member's name, for readable stack traces.
      assert.equal((mine as () => void).name, (other as () => void).name || member);
    });
  }

  test('aliases: are the same function', () => {
    assert.equal(ours.set, ours.header);
    assert.equal(ours.type, ours.contentType);
  });

  test('render: is a named function expression in the built file, as tracing tools expect', () => {
    assert.match(
      fs.readFileSync(load.resolve('ristretto/lib/response'), 'utf8'),
      /function render\(view, options, callback\)/,
    );
  });

  test('member added or replaced: applies to all responses', async () => {
    await same(web => {
      const { send } = web.response;
      const response = web.response as unknown as Record<string, unknown>;
      response.shout = function shout(this: { send(text: string): unknown }, text: string) {
        return this.send(text.toUpperCase());
      };
      web.response.send = function replaced(this: typeof web.response, body?: unknown) {
        return send.call(this, `replaced ${String(body)}`);
      };
      const app = answering((_req, res) => {
        try {
          (res as unknown as { shout(text: string): void }).shout('x');
        } finally {
          web.response.send = send;
          delete response.shout;
        }
      });
      return app(web);
    });
  });

  test('application: its responses inherit from its own prototype', async () => {
    await same(web => {
      const app = answering((req, res) => {
        const { response: prototype } = req.app as unknown as { response: object };
        res.json([
          Object.getPrototypeOf(res) === prototype,
          Object.getPrototypeOf(prototype) === web.response,
          res.app === req.app,
          res.req === req,
        ]);
      })(web);
      return app;
    });
  });
});
