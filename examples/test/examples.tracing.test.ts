/** examples/tracing */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpanStatusCode } from '@opentelemetry/api';
import request from 'supertest';
import { app, exporter } from '../tracing/index.js';

/** Returns the names of the spans, with the names of their parents. */
function spans(): Record<string, string> {
  const finished = exporter.getFinishedSpans();
  const names = new Map(finished.map(span => [span.spanContext().spanId, span]));
  const path = (span: (typeof finished)[number] | undefined): string =>
    span === undefined ? '' : `${path(names.get(span.parentSpanContext?.spanId ?? ''))}/${span.name}`;
  return Object.fromEntries(finished.map(span => [span.name, path(span)]));
}

/** The end of a response is observed in a later turn of the event loop. */
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20));

describe('example tracing', () => {
  test('spans: one for each request, handler and step of the program, nested', async () => {
    exporter.reset();
    assert.equal((await request(app).get('/api/users/7')).status, 200);
    await settled();
    const seen = spans();
    const server = '/GET /api/users/:id';
    const handlers = '/handler query/handler expressInit/handler router/handler loadUser';
    assert.equal(seen['query users'], `${server}${handlers}/query users`);
    assert.deepEqual(exporter.getFinishedSpans().at(-1)?.attributes, {
      'http.request.method': 'GET',
      'url.path': '/api/users/7',
      'http.response.status_code': 200,
      'http.route': '/api/users/:id',
    });
  });
  test('errors: are recorded on the span of the handler where they began and on that of the request', async () => {
    exporter.reset();
    app.set('env', 'test');
    await request(app).get('/api/broken');
    await settled();
    const failed = exporter.getFinishedSpans().filter(span => span.status.code === SpanStatusCode.ERROR);
    assert.deepEqual(
      failed.map(span => [span.name, span.events[0]?.attributes?.['exception.message']]),
      [
        ['handler breaks', 'out of order'],
        ['GET /api/broken', 'out of order'],
      ],
    );
  });
  test('metrics: are labelled with the route pattern', async () => {
    await request(app).get('/api/users/8');
    await request(app).get('/none');
    await settled();
    const { text } = await request(app).get('/metrics');
    const lines = text.split('\n').filter(line => line.includes('_count'));
    assert.deepEqual(lines.sort(), [
      'http_server_request_duration_seconds_count{method="GET",route="",status="404"} 1',
      'http_server_request_duration_seconds_count{method="GET",route="/api/broken",status="500"} 1',
      'http_server_request_duration_seconds_count{method="GET",route="/api/users/:id",status="200"} 2',
    ]);
  });
});
