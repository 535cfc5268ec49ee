// runs: slow, each
/** The tap of the response linter: records what servers send, in this process and in others, without changing it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';

const preload = path.join(__dirname, '../support/lint-response/preload.cjs');

interface Outcome {
  status: number | null;
  errors: string;
  output: string;
  counts: Record<string, number> | undefined;
  violations: string[];
}

/** Runs a server with handlers by path, and sends it the requests on one connection. */
function run(handlers: string, requests: string[], extra = ''): Outcome {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'linter-'));
  const report = path.join(folder, 'report');
  const program = `
    const http = require('node:http');
    const net = require('node:net');
    const web = require('ristretto');
    const app = web().set('env', 'test');
    ${handlers}
    const server = http.createServer(app).listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1');
      socket.on('data', () => {}).on('close', () => server.close());
      socket.write(${JSON.stringify(requests.map(line => `${line}\r\n\r\n`).join(''))});
      setTimeout(() => socket.end(), 50);
    });
    ${extra}`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--require', preload, '-e', program], {
    cwd: __dirname,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', RESPONSE_LINT_REPORT: report, RESPONSE_LINT_FILE: 'of.a.test' },
  });
  const notes = fs
    .readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { violation?: string; counts?: Record<string, number> });
  fs.rmSync(folder, { recursive: true });
  return {
    status,
    errors: stderr,
    output: stdout,
    counts: notes.find(({ counts }) => counts)?.counts,
    violations: notes.flatMap(({ violation }) => violation?.replace(/ .*/, '') ?? []),
  };
}

const get = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\nHost: a${fields}`;

describe('response linter, tap', () => {
  test('right responses: are counted, and written as directly as without the linter', () => {
    const { status, counts, errors, output } = run(
      `app.get('/', (req, res) => res.send('x'));
       app.get('/file', (req, res) => { res.write('a'); setImmediate(() => res.end('b')); });`,
      [get('/'), get('/file'), get('/none'), get('/')],
      `console.log(require('@ristretto/private-engine/lib/serving/native').canWriteDirectly);`,
    );
    assert.deepEqual([status, errors, output], [0, '', 'true\n']);
    assert.deepEqual(counts, { ours: 4, oracle: 0, bare: 0, runtime: 0 });
  });

  test('wrong responses: are reported, and the process fails', () => {
    const { status, errors, violations } = run(
      `app.get('/', (req, res) => res.set('ETag', 'x').send('x'));
       app.get('/date', (req, res) => { res.sendDate = false; res.end(); });`,
      [get('/'), get('/date')],
    );
    assert.equal(status, 1);
    assert.deepEqual(violations, ['form-etag', 'date']);
    assert.match(
      errors,
      /breaks the rule form-etag of RFC 9110 8\.8\.3[^]*found: "x"[^]*request: GET \/ HTTP\/1\.1/,
    );
  });

  test('short and long: the framing is compared with the bytes', () => {
    const short = `app.use((req, res) => res.set('Content-Length', '9').end('short'));`;
    assert.deepEqual(run(short, [get('/')]).violations, ['short']);
    const long = `app.use((req, res) => res.set('Content-Length', '1').end('long'));`;
    assert.deepEqual(run(long, [get('/')]).violations, ['framing']);
    const chunks = `app.use((req, res) => { res.set('Transfer-Encoding', 'chunked').flushHeaders(); res.socket.write('x\\r\\n'); res.end(); });`;
    assert.deepEqual(run(chunks, [get('/')]).violations, ['framing']);
  });

  test('short: is detected from the next response on the connection', () => {
    const handlers = `
      app.get('/short', (req, res) => { res.set('Content-Length', '9').end('short'); });
      app.get('/next', (req, res) => res.send('x'));`;
    const { violations, counts } = run(handlers, [get('/short'), get('/next')]);
    assert.deepEqual(violations, ['short']);
    assert.equal(counts?.ours, 1);
  });

  test('after close: nothing may follow', () => {
    const handlers = `app.use((req, res) => { res.set('Connection', 'close'); res.shouldKeepAlive = true; res.send('x'); });`;
    const { counts } = run(handlers, [get('/')]);
    assert.deepEqual(counts, { ours: 1, oracle: 0, bare: 0, runtime: 0 });
  });
});
