// runs: alone
/** `web.metrics`: what it counts, and the text that it sends. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import { formatFamilies } from '@ristretto/private-engine/lib/addons/telemetry/exposition';
import web from 'ristretto';
import type { MetricsHandler, MetricsOptions } from 'ristretto';
import { Connection } from '../support/connection.js';
import { withServer, askPort } from '../support/http.js';
import { askHttp2 } from '../support/http2.js';
import { words } from '../support/random.js';
import { LONGEST_WAIT } from '../support/until.js';

/** Measures while a function runs, and returns the text. */
async function measured(options: MetricsOptions, use: (handler: MetricsHandler) => unknown): Promise<string> {
  const handler = web.metrics({ process: false, ...options });
  try {
    await use(handler);
    // A response ends with its connection's `close`.
    for (;;) {
      const text = await handler.text();
      if (!/^http_server_active_requests [1-9]/m.test(text)) return text;
      await turn();
    }
  } finally {
    handler.close();
  }
}

const appOf = (): ReturnType<typeof web> => {
  const app = web().set('env', 'test');
  const users = web.Router();
  users.get('/:id', (req, res) => void res.send(req.params.id));
  users.post('/', web.text(), (_req, res) => void res.status(201).end());
  users.get('/:id/fails', () => {
    throw new Error('failed');
  });
  return app.use('/users', users);
};

const count = (method: string, route: string, status: number): string =>
  `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${String(status)}"}`;

function assertLines(text: string, lines: readonly string[]): void {
  for (const line of lines) assert.ok(`\n${text}`.includes(`\n${line}\n`), `${line}\n\n${text}`);
}

describe('web.metrics', () => {
  test('requests: are counted by method, route and status, with their durations', async () => {
    const text = await measured({ buckets: [0.001, 30] }, async () => {
      const app = appOf();
      for (const id of ['1', '2']) await app.inject(`/users/${id}`);
      await askHttp2(app, '/users/3');
      await app.inject('/none');
      await app.inject({
        method: 'POST',
        url: '/users',
        headers: { 'content-type': 'text/plain' },
        body: 'four',
      });
    });
    assertLines(text, [
      '# TYPE http_server_request_duration_seconds histogram',
      `${count('GET', '/users/:id', 200)} 3`,
      `${count('GET', '', 404)} 1`,
      `${count('POST', '/users', 201)} 1`,
      `${count('GET', '/users/:id', 200).replace('_count', '_bucket').replace('}', ',le="30"}')} 3`,
      `${count('GET', '/users/:id', 200).replace('_count', '_bucket').replace('}', ',le="+Inf"}')} 3`,
      'http_server_request_body_bytes_total 4',
    ]);
    assert.match(text, /_sum\{http_request_method="GET",http_route="\/users\/:id",[^}]*\} 0\.\d+\n/);
  });

  test('a replaced getHeader that throws: the request is counted without the bytes of its response', async () => {
    const text = await measured({}, async () => {
      const app = appOf();
      app.get('/replaced', (_req, res) => {
        res.end('four');
        res.getHeader = () => assert.fail('a wrapper');
      });
      await app.inject('/replaced');
    });
    assertLines(text, [`${count('GET', '/replaced', 200)} 1`, 'http_server_response_body_bytes_total 0']);
  });

  test('labels: are bounded: unknown methods, and series beyond maxSeries, are counted as others', async () => {
    const text = await measured({ maxSeries: 2 }, async () => {
      const app = appOf();
      for (const path of ['/1', '/2', '/3']) app.get(path, (_req, res) => void res.end());
      for (const path of ['/1', '/2', '/3']) await app.inject(path);
      await app.inject({ method: 'BREW', url: '/1' });
    });
    assertLines(text, [
      `${count('GET', '/1', 200)} 1`,
      `${count('GET', '/2', 200)} 1`,
      `${count('GET', '_other', 200)} 1`,
    ]);
    assert.doesNotMatch(text, /BREW/);
  });

  test('errors, aborts, bodies, active requests: are counted', async () => {
    const text = await measured({}, async handler => {
      const app = appOf();
      await app.inject('/users/1/fails');
      const arrived = new Promise<void>(resolve => {
        app.get('/hangs', () => {
          resolve();
        });
      });
      await withServer(app, async port => {
        const controller = new AbortController();
        const aborted = fetch(`http://127.0.0.1:${String(port)}/hangs`, { signal: controller.signal }).catch(
          () => undefined,
        );
        await arrived;
        assertLines(await handler.text(), ['http_server_active_requests 1']);
        controller.abort();
        await aborted;
        await askPort(port, '/users/12345');
      });
    });
    assertLines(text, [
      'http_server_unhandled_errors_total 1',
      'http_server_aborted_requests_total 1',
      'http_server_active_requests 0',
      '# TYPE http_server_response_body_bytes_total counter',
    ]);
  });

  test('pipelined requests behind a connection that a handler has closed: are no longer active', async () => {
    const text = await measured({}, async () => {
      const app = web().set('env', 'test');
      app.get('/closes', req => void req.socket.destroy());
      app.get('/', (_req, res) => void res.send('x'));
      await withServer(app, async port => {
        await (await Connection.open(port)).get('/closes', '/', '/').closed();
        await turn();
      });
    });
    assertLines(text, [
      'http_server_active_requests 0',
      count('GET', '/closes', 200).replace(/200.*/, '200"} 1'),
    ]);
  });

  test('process: adds memory, the event loop, resources, sockets and stops', async () => {
    const text = await measured({ process: true }, () => undefined);
    for (const name of words(`
      process_resident_memory_bytes nodejs_heap_used_bytes
      nodejs_eventloop_delay_seconds\\{quantile="0.99"\\} nodejs_eventloop_utilization
      process_cpu_user_seconds_total ristretto_websockets ristretto_stopping
    `)) {
      assert.match(text, new RegExp(`^${name} \\d+(\\.\\d+)?(e-\\d+)?$`, 'm'));
    }
    assert.match(text, /^nodejs_active_resources\{type="\w+"\} \d+$/m);
  });

  test('process: labels and suffixes match the metric types, as promtool requires', async () => {
    const text = await measured({ process: true }, () => appOf().inject('/users/7'));
    const mistakes = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type = '']) => {
      const samples = text.match(new RegExp(`^${name}(?:_bucket|_sum|_count)?[{ ].*$`, 'gm')) ?? [];
      const has = (part: string) =>
        samples.some(sample => sample.replace(/\{.*,(?=le=)/, '{').includes(part));
      return [
        samples.length === 0 && 'has no samples',
        has('quantile=') !== (type === 'summary') && 'quantile: only a summary has it',
        has('{le=') !== (type === 'histogram') && 'le: only a histogram has it',
        name.endsWith('_total') !== (type === 'counter') && '_total: only a counter has it',
      ].flatMap(mistake => (mistake ? `${name}, ${type}: ${mistake}` : []));
    });
    assert.deepEqual(mistakes, []);
  });

  test('process: counts the open event streams', async () => {
    const metrics = web.metrics();
    const app = web().set('env', 'test');
    app.get('/events', (_req, res) => void res.sse());
    app.get('/metrics', metrics);
    try {
      await withServer(http.createServer(app), async port => {
        const streams = async (): Promise<string | undefined> =>
          /^ristretto_event_streams (\d+)$/m.exec((await askPort(port, { path: '/metrics' })).text)?.[1];
        const abort = new AbortController();
        await fetch(`http://127.0.0.1:${String(port)}/events`, { signal: abort.signal });
        assert.equal(await streams(), '1');
        abort.abort();
        while ((await streams()) !== '0');
      });
    } finally {
      metrics.close();
    }
  });

  test('ristretto.overload: is counted by reason', async () => {
    let rejected = 0;
    const text = await measured({}, async () => {
      const app = web().use(web.overload({ maxRss: 1 }));
      app.get('/', (_req, res) => void res.end());
      // One request in a tenth of a second is handled.
      while (rejected < 3) if ((await app.inject('/')).status === 503) rejected++;
    });
    const counts = Array.from(text.matchAll(/^ristretto_overload_requests_total\{reason="(\w+)"\} (\d+)$/gm));
    assert.deepEqual(
      counts.map(([, reason]) => reason),
      ['delay', 'requests', 'memory'],
    );
    // On a slow machine, some are rejected for their delay.
    assert.equal(
      counts.reduce((sum, [, , value]) => sum + Number(value), 0),
      rejected,
    );
  });

  test('formats: sends the Prometheus format, or OpenMetrics to clients that accept it', async () => {
    const handler = web.metrics();
    const app = web().get('/metrics', handler);
    const plain = await app.inject('/metrics');
    assert.equal(plain.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.doesNotMatch(plain.text(), /# EOF/);
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5';
    const open = await app.inject({ url: '/metrics', headers: { accept } });
    assert.match(String(open.headers['content-type']), /^application\/openmetrics-text; version=1\.0\.0/);
    assert.match(
      open.text(),
      /\n# TYPE process_cpu_user_seconds counter\nprocess_cpu_user_seconds_total [\d.]+\n/,
    );
    assert.ok(open.text().endsWith('\n# EOF\n'));
    handler.close();
  });

  test('register: includes the metrics of a registry of prom-client, once each', async () => {
    for (const contentType of [Registry.PROMETHEUS_CONTENT_TYPE, Registry.OPENMETRICS_CONTENT_TYPE]) {
      const register = new Registry();
      register.setContentType(contentType as never);
      new Counter({ name: 'orders', help: 'Orders', registers: [register] }).inc(3);
      new Counter({ name: 'http_server_active_requests', help: 'Own', registers: [register] });
      const text = await measured({ register }, () => undefined);
      assert.match(text, /^orders(_total)? 3$/m);
      assert.equal(text.match(/# TYPE http_server_active_requests /g)?.length, 1);
      assert.equal(
        text.match(/# EOF\n/g)?.length ?? 0,
        contentType === Registry.OPENMETRICS_CONTENT_TYPE ? 1 : 0,
      );
    }
  });

  test('register: one that takes too long leaves the response to code that has responded meanwhile', async () => {
    const register = new Registry();
    const collect = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 30));
    new Gauge({ name: 'slow', help: 'Slow', registers: [register], collect });
    const handler = web.metrics({ register });
    const app = web().set('env', 'test');
    app.use((_req, res, next) => {
      setTimeout(() => res.status(503).send('too late'), 5);
      next();
    }, handler);
    const { status, text } = await app.inject('/metrics');
    assert.deepEqual([status, text()], [503, 'too late']);
    await handler.text();
    handler.close();
  });

  test('register: one that fails is an error of the request, even without a reason', async () => {
    for (const reason of [new Error('down'), undefined]) {
      const register = new Registry();
      register.metrics = async () => Promise.reject(reason as Error);
      const handler = web.metrics({ register });
      const app = web()
        .set('env', 'test')
        .get('/metrics', handler, (_req, res) => res.send('next'));
      assert.equal((await app.inject('/metrics')).status, 500);
      handler.close();
    }
  });

  test('text: labels are escaped, and infinite values are written, as Prometheus reads them', () => {
    const samples = [
      { value: -Infinity },
      { suffix: '_max', labels: { path: '/a"b\\c\nd', code: 200 }, value: Infinity },
    ];
    const family = { name: 'jobs', type: 'gauge', help: 'Jobs.', samples } as const;
    assert.equal(
      formatFamilies([family], false),
      '# HELP jobs Jobs.\n# TYPE jobs gauge\njobs -Inf\njobs_max{path="/a\\"b\\\\c\\nd",code="200"} +Inf\n',
    );
  });

  test('close: stops measuring', async () => {
    const handler = web.metrics({ process: false });
    handler.close();
    await appOf().inject('/users/1');
    assert.doesNotMatch(await handler.text(), /_count/);
  });

  test('options: invalid values throw at registration', () => {
    const make = web.metrics as (options?: unknown) => unknown;
    const wrong: [unknown, RegExp][] = [
      [{ buckets: [2, 1] }, /web\.metrics\(\): buckets must be an array of numbers in ascending order, got /],
      [{ buckets: [] }, /buckets must be/],
      [{ maxSeries: 0 }, /maxSeries must be a whole number from 1, got 0$/],
      [{ register: {} }, /register must be a registry of prom-client, got /],
    ];
    for (const [options, message] of wrong) assert.throws(() => make(options), message);
  });

  test('listen: a separate server sends metrics and health, and does not count its own requests', async () => {
    const handler = web.metrics({ listen: 0 });
    const { server } = handler;
    assert.ok(server);
    await once(server, 'listening');
    const { address, port } = server.address() as AddressInfo;
    assert.equal(address, '127.0.0.1');
    const get = (path: string) => fetch(`http://127.0.0.1:${String(port)}${path}`);
    try {
      const response = await get('/metrics?a');
      assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
      assertLines(await response.text(), ['http_server_active_requests 0', 'ristretto_stopping 0']);
      const open = await fetch(`http://127.0.0.1:${String(port)}/metrics`, {
        headers: { Accept: 'application/openmetrics-text' },
      });
      assert.match(await open.text(), /# EOF\n$/);
      assert.deepEqual(await (await get('/livez')).json(), { status: 'ok' });
      assert.equal((await get('/readyz')).status, 200);
      assert.equal((await get('/none')).status, 404);
      let release!: () => void;
      const app = web().get('/waits', (_req, res) => void (release = () => res.end()));
      await withServer(app, async (port, application) => {
        const waiting = fetch(`http://127.0.0.1:${String(port)}/waits`);
        while ((release as unknown) === undefined) await turn();
        const stopped = web.stop(application);
        const during = await get('/readyz');
        assert.deepEqual(await during.json(), { status: 'unavailable', reason: 'stopping' });
        assert.equal(during.status, 503);
        release();
        await Promise.all([waiting, stopped]);
      });
    } finally {
      handler.close();
    }
    await once(server, 'close');
  });

  test('listen: a path opens a socket; the process ends while the server is open', async () => {
    const program = `
      const handler = require('ristretto').metrics({ listen: { path: process.argv[1] } });
      require('node:http').get({ socketPath: process.argv[1], path: '/readyz', agent: new (require('node:http').Agent)({ keepAlive: true }) },
        res => res.resume().on('end', () => console.log(res.statusCode)));
    `;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'metrics-'));
    try {
      const place = process.platform === 'win32' ? '\\\\.\\pipe\\metrics-test' : path.join(folder, 'socket');
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, place], {
        cwd: path.join(__dirname, '../../../ristretto'),
        timeout: LONGEST_WAIT,
      });
      assert.equal(stdout, '200\n');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test('listen: rejects values other than a port or an object', () => {
    for (const listen of [-1, 65_536, 1.5, true, null, '9464'] as never[])
      assert.throws(() => web.metrics({ listen }), /listen.*a port, or options of server\.listen\(\)/);
  });
});
