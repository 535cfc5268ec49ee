import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import cors from '@ristretto/cors';
import { ask } from '../../../engine/test/support/http.js';
import { application } from '../../test-support/frameworks.js';
import type { Handler } from '../../test-support/frameworks.js';
import { words } from '../../../engine/test/support/random.js';

function app(middleware: ReturnType<typeof cors>) {
  return application('http', [middleware as Handler, (_req, res) => res.end('ok')]);
}

const preflight = {
  method: 'OPTIONS',
  headers: { Origin: 'https://a.test', 'Access-Control-Request-Method': 'PUT' },
};

describe('cors', () => {
  test('cors: origins added to the array later are allowed', async () => {
    const origin = ['https://a.test'];
    const server = app(cors({ origin }));
    const headers = { Origin: 'https://b.test' };
    assert.equal((await ask(server, { headers })).headers['access-control-allow-origin'], undefined);
    origin.push('https://b.test');
    const answer = await ask(server, { headers });
    assert.equal(answer.headers['access-control-allow-origin'], 'https://b.test');
  });

  test('cors: an origin that is part of an allowed one, or contains it, is not allowed', async () => {
    const server = app(cors({ origin: ['https://a.test'] }));
    for (const origin of words('https://a.test.evil https://a.tes http://a.test https://A.test null')) {
      const { headers } = await ask(server, { headers: { Origin: origin } });
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
      assert.equal(headers.vary, 'Origin');
    }
  });

  test('cors: a String object allows the one origin that it holds', async () => {
    for (const origin of [new String('https://a.test'), [new String('https://a.test')]]) {
      const server = app(cors({ origin: origin as never, credentials: true }));
      for (const [sent, allowed] of [
        ['https://a.test', 'https://a.test'],
        ['https://evil.test', undefined],
      ]) {
        const { headers } = await ask(server, { headers: { Origin: sent! } });
        assert.equal(headers['access-control-allow-origin'], allowed);
      }
    }
  });

  test('cors: a response has Vary: Origin if a function decided, regardless of the result', async () => {
    type Chosen = (error: Error | null, value?: never) => void;
    const choices: [unknown, Error?][] = [
      [true],
      ['*'],
      ['https://a.test'],
      [false],
      [undefined],
      [true, new Error('x')],
    ];
    for (const [chosen, error = null] of choices)
      for (const options of [
        { origin: (_origin: unknown, callback: Chosen) => callback(error, chosen as never) },
        (_req: unknown, callback: Chosen) => callback(null, { origin: chosen } as never),
      ])
        for (const headers of [{}, { Origin: 'https://a.test' }] as Record<string, string>[]) {
          const { headers: sent } = await ask(app(cors(options as never)), { headers });
          assert.equal(sent.vary, 'Origin', String(chosen));
        }
    for (const origin of [false, '*'])
      assert.equal((await ask(app(cors({ origin })), {})).headers.vary, undefined);
  });

  test('cors: the pattern /undefined/ does not match a request without an origin', async () => {
    const seen: string[] = [];
    const origin = /x/;
    origin.test = text => seen.push(text) > 5;
    await ask(app(cors({ origin })), {});
    assert.deepEqual(seen, []);
  });

  test('cors: methods that are null or undefined are left out of the response to a preflight request', async () => {
    for (const methods of [null, undefined]) {
      const answer = await ask(app(cors({ methods: methods as undefined })), preflight);
      assert.equal(answer.status, 204);
      assert.equal(answer.headers['access-control-allow-methods'], undefined);
    }
  });

  test('cors: a request with another method than OPTIONS is passed on, in any spelling of OPTIONS it is not', () => {
    const outcomes = ['options', 'Options', 'OPTIONS', 'OPTIONX', 'GET', undefined].map(method => {
      let outcome = 'ended';
      const res = { setHeader: () => res, getHeader: () => undefined, end: () => res };
      cors()({ method, headers: {} } as never, res as never, () => (outcome = 'passed'));
      return outcome;
    });
    assert.deepEqual(outcomes, ['ended', 'ended', 'ended', 'passed', 'passed', 'passed']);
  });

  test('cors: options are read when the middleware is created', async () => {
    const options = { origin: 'https://a.test', exposedHeaders: ['X-A'] };
    const server = app(cors(options));
    options.origin = '*';
    options.exposedHeaders.push('X-B');
    const { headers } = await ask(server, {});
    assert.equal(headers['access-control-allow-origin'], 'https://a.test');
    assert.equal(headers['access-control-expose-headers'], 'X-A');
  });
});
