// runs: each
/** Additions to Express on 3.x responses: `res.sse`, and streams as bodies. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import web from 'ristretto3';

describe('res.sse', () => {
  test('events: are sent to the client', async () => {
    const app = web();
    app.get('/', (_req, res) => {
      const events = res.sse();
      void events.send({ event: 'a', data: [1] });
      events.close();
    });
    const { headers, text } = await app.inject('/');
    assert.deepEqual([headers['content-type'], text()], ['text/event-stream', 'event: a\ndata: [1]\n\n']);
  });
});

describe('res.send', () => {
  test('stream: sends its chunks, also after a status', async () => {
    const app = web();
    app.get('/', (_req, res) => res.send(201, Readable.from(['a', 'b'])));
    const { status, text } = await app.inject('/');
    assert.deepEqual([status, text()], [201, 'ab']);
  });
});
