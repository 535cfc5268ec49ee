/** examples/logging */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import request from 'supertest';
import makeApp = require('../logging/index.js');

interface Line {
  level: number;
  msg: string;
  req?: { id?: unknown; url: string; headers: Record<string, string> };
  res?: { statusCode: number };
  err?: { message: string };
  route?: string;
  user?: string;
}

/** Returns the lines that are logged while a request is handled. */
async function logged(path: string): Promise<Line[]> {
  const lines: Line[] = [];
  const app = makeApp({ write: (text: string) => void lines.push(JSON.parse(text) as Line) });
  await request(app).get(path).set('Authorization', 'Bearer sesame');
  await new Promise(resolve => setTimeout(resolve, 20));
  return lines;
}

describe('example logging', () => {
  test('each request logs one line with the matched pattern; lines from its handlers have its id', async () => {
    const [inner, line, ...more] = await logged('/users/7');
    assert.deepEqual(more, []);
    assert.deepEqual([inner?.msg, inner?.user, inner?.req?.id], ['user loaded', '7', line?.req?.id]);
    assert.deepEqual(
      [line?.msg, line?.res?.statusCode, line?.route],
      ['request completed', 200, '/users/:id'],
    );
    assert.equal(line?.req?.headers.authorization, '[Redacted]');
  });
  test('health checks are not logged', async () => {
    assert.deepEqual(await logged('/health'), []);
  });
  test('unhandled errors go to the same logger', async () => {
    const lines = await logged('/broken');
    const error = lines.find(({ msg }) => msg === 'unhandled request error');
    assert.deepEqual([error?.level, error?.err?.message, error?.req?.url], [50, 'out of order', '/broken']);
    assert.equal(lines.filter(({ level }) => level >= 50).length, 2);
    assert.equal(lines.at(-1)?.res?.statusCode, 500);
  });
  test('errors after the response are logged too', async () => {
    const late = (await logged('/late')).find(({ level }) => level >= 50);
    assert.deepEqual(
      [late?.msg, late?.err?.message],
      ['error after the handler had passed control on', 'nobody waits for this'],
    );
  });
});
