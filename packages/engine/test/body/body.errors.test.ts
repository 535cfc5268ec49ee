// runs: each
/** How the four body parsers reject a request: the error, and the value of `req.body`. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onError, post } from '../support/body-parsers.js';
import type { Member } from '../support/body-parsers.js';
import { withServer } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';

const TYPES: Record<Member, string> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const BODY = '{"a":"0123456789"}';

/** The response to a request after it passed a parser: the error, if any, and the body. */
const parsed = async (member: Member, options: object, request: Ask) => {
  const answer = await same(web => {
    const make = web[member] as (options: object) => ReturnType<typeof web.json>;
    const app = web().use(make({ ...options, ...(member === 'urlencoded' && { extended: true }) }));
    app.use((req, res) => void res.json({ body: req.body }));
    return app.use(
      onError(({ status, type, message, expected, length, limit }, req, res) => {
        res.status(status).json({ status, type, message, expected, length, limit, body: req.body });
      }),
    );
  }, request);
  return JSON.parse(answer.text) as Record<string, unknown>;
};

for (const member of Object.keys(TYPES) as Member[]) {
  describe(`web.${member}`, () => {
    test('error entity.too.large: responds with 413, the length and the limit', async () => {
      assert.deepEqual(await parsed(member, { limit: 10 }, post(TYPES[member], BODY)), {
        status: 413,
        type: 'entity.too.large',
        message: 'request entity too large',
        expected: BODY.length,
        length: BODY.length,
        limit: 10,
        body: {},
      });
    });

    test('error: req.body is {} after an error, without a body, and if the type does not match', async () => {
      const failing = {
        verify: () => {
          throw new Error('refused');
        },
      };
      const failed = await parsed(member, failing, post(TYPES[member], BODY));
      assert.deepEqual(
        [failed.status, failed.type, failed.message, failed.body],
        [403, 'entity.verify.failed', 'refused', {}],
      );
      assert.deepEqual(
        await parsed(member, {}, { method: 'POST', headers: { 'Content-Type': TYPES[member] } }),
        {
          body: {},
        },
      );
      assert.deepEqual(await parsed(member, {}, post('image/png', BODY)), { body: {} });
    });
  });
}

describe('web.text', () => {
  const unknown = { 'Content-Type': 'text/plain; charset=bogus' };
  const verify = (): void => undefined;

  test('verify: rejects an unknown charset before checking the encoding or the size', async () => {
    const coded = { ...unknown, 'Content-Encoding': 'x-own' };
    for (const [options, headers] of [
      [{ verify }, coded],
      [{ verify, limit: 1 }, unknown],
      [{}, coded],
      [{ limit: 1 }, unknown],
    ] as const) {
      const { type } = await parsed('text', options, { method: 'POST', headers, body: BODY });
      assert.equal(type === 'charset.unsupported', 'verify' in options);
    }
  });
});

describe('body parsers: order of events on abort', () => {
  test('the error handler runs before the response closes, so that a logger at close reads its status', async () => {
    for (const name of ['express', 'ristretto'] as const) {
      const log: string[] = [];
      const app = frameworks[name]();
      app.set('env', 'test');
      app.use((_req, res, next) => {
        res.on('close', () => log.push(`close ${String(res.statusCode)}`));
        next();
      });
      app.use(frameworks[name].json());
      app.use(((error: { status: number }, _req: unknown, res: ServerResponse, _next: unknown) => {
        log.push('error handler');
        res.statusCode = error.status;
        res.end();
      }) as never);
      await withServer(createServer(app), async port => {
        const client = connect(port, '127.0.0.1');
        const fields = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":';
        client.write(`POST / HTTP/1.1\r\n${fields}`);
        await delay(50);
        client.destroy();
        while (log.length < 2) await delay(10);
      });
      assert.deepEqual(log, ['error handler', 'close 400'], name);
    }
  });
});
