/**
 * `ristretto verify`: what it runs in the copy, and what it prints; package managers are scripted, but the application is started
 * by npm, and gets real requests.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import { APP, folderOf, migrate, PASS, playManagers } from './support/application-folder.js';
import type { Ended, Files, Script } from './support/application-folder.js';

/** Runs the command in the copy of an application, which must stay as it is. */
async function verify(
  files: Files,
  script: Script,
  ...args: string[]
): Promise<Ended & { folder: string; calls: string[] }> {
  const folder = folderOf(files);
  const names = fs.readdirSync(folder).sort();
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  const git = (...words: string[]) =>
    execFileSync('git', [...settings, ...words], { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=before');
  const calls = playManagers(script);
  const ended = await migrate('verify', folder, ...args);
  mock.reset();
  assert.equal(git('status', '--porcelain'), '');
  assert.deepEqual(fs.readdirSync(folder).sort(), ['.git', ...names]);
  return { ...ended, folder, calls };
}

describe('ristretto verify', () => {
  test('copy: installs and tests there, sums up in a few lines, and changes nothing in the application', async () => {
    const { code, out, err, folder, calls } = await verify(APP, { before: [0, PASS], after: [0, PASS] });
    const copy = / in (ristretto-verify-\w+)$/.exec(calls[0]!)![1]!;
    assert.deepEqual(
      calls.map(call => call.replace(copy, 'copy')),
      ['npm test in copy', 'npm install --no-audit --no-fund in copy', 'npm test in copy'],
    );
    assert.match(
      out,
      /^Tried in a copy of .*, where nothing has changed:\n {2}files {9}package\.json\n {2}installation {2}done\n {2}tests before {2}npm test: exit code 0, 3 passed, 0 failed, \d+\.\d s\n {2}tests after {3}npm test: exit code 0, 3 passed, 0 failed, \d+\.\d s \(same\)\n {2}differences {3}0 to check, in 0 places\n"ristretto migrate" lists .*\n$/,
    );
    assert.ok(out.includes(folder));
    assert.doesNotMatch(err, /To undo/);
    assert.ok(!fs.existsSync(path.join(os.tmpdir(), copy)));
    assert.equal(code, 0);
  });

  test('worse: shows the output of the tests that fail, and exits with 2', async () => {
    const { code, out } = await verify(APP, {
      before: [0, PASS],
      after: [1, 'not ok 1\n# pass 2\n# fail 1'],
    });
    assert.match(out, /^ {2}tests after {3}npm test: exit code 1, 2 passed, 1 failed, .* \(worse\)$/m);
    assert.match(out, /^ {2}\| not ok 1$/m);
    assert.equal(code, 2);
  });

  test('an installation that fails: shows its output, and exits with 2', async () => {
    const { code, out } = await verify(APP, { before: [0, PASS], installs: [[1, 'no space left']] });
    assert.match(out, /^ {2}installation {2}failed \(exit code 1\)$/m);
    assert.match(out, /^ {2}\| no space left$/m);
    assert.equal(code, 2);
  });

  test('help: lists the options and the exit codes', async () => {
    const { code, out } = await migrate('verify', '--help');
    assert.match(out, /^Usage: ristretto verify \[dir\] .*\[--har file\][^]*Exit codes: 0 /);
    assert.equal(code, 0);
  });

  test('mistakes: name the option and the value, and show the usage', async () => {
    const odd = [
      {},
      null,
      [],
      { log: { entries: [{}] } },
      { log: { entries: [{ request: { method: 'GET', url: '/' } }] } },
    ];
    const recordings = odd.map(content => path.join(folderOf({ 'odd.har': content }), 'odd.har'));
    const cases: [string[], RegExp][] = [
      [['--seconds', '-1'], /'--seconds' argument is ambiguous/],
      [
        ['--seconds=soon'],
        /^Expected --seconds to be a number from 0 to 600, got "soon"\.\n\nUsage: ristretto verify/,
      ],
      [['--to', '3'], /^Expected --to 5, got "3"\.\n\nUsage: ristretto verify/],
      [['a', 'b'], /^Expected one directory\.\n\nUsage: ristretto verify/],
      [
        ['none'],
        /^There is no package\.json in .*none\. Pass the directory of the application: ristretto verify <dir>\n$/,
      ],
      [['--har', 'none.har'], /^none\.har is not a HAR file: ENOENT/],
      ...recordings.map((file): [string[], RegExp] => [
        ['--har', file],
        /odd\.har is not a HAR file: expected a list of requests with URLs in log\.entries/,
      ]),
      [['--bogus'], /^Unknown option '--bogus'\.\n\nUsage: ristretto verify/],
    ];
    for (const [args, message] of cases) {
      const { code, err } = await migrate('verify', ...args);
      assert.match(err, message);
      assert.equal(code, 1);
    }
  });
});

/** An application that shows with which package it runs, at some paths; its usual port is in use. */
const SERVER = `
const { name } = require('express/package.json');
const http = require('node:http');
const zlib = require('node:zlib');
http.createServer((req, res) => {
  if (req.url === '/end' && name === 'ristretto') process.exit(3);
  res.setHeader('X-Powered-By', name === 'ristretto' && /headers|host/.test(req.url) ? 'Ristretto' : 'Express');
  if (/headers|host/.test(req.url)) res.setHeader('X-Made-By', name);
  res.setHeader('Set-Cookie', 'id=' + Math.random() + '; Path=/');
  if (req.url === '/random') return res.end(String(Math.random()));
  if (req.url === '/body') return res.end('made by ' + name);
  if (req.url === '/host') return res.end(req.headers.host + ' ' + req.headers['if-none-match']);
  if (req.url === '/cookie') return res.end(String(/^id=0\\.\\d/.test(req.headers.cookie)));
  if (req.url === '/zip') {
    res.setHeader('Content-Encoding', 'gzip');
    return res.end(zlib.gzipSync('the same', { level: name === 'ristretto' ? 1 : 9 }));
  }
  res.end(req.method + ' ' + req.url);
}).listen(process.env.PORT || 80);
`;

const STARTED = {
  ...APP,
  'package.json': { scripts: { start: 'node server.js' }, dependencies: { express: '^4.18.2' } },
  'server.js': SERVER,
};

/** A HAR file with requests to one host, and one to another. */
function har(...requests: string[]): string {
  const own = requests.map(text => {
    const [method, target] = text.split(' ') as [string, string];
    const headers = Object.entries({ Host: 'x', Cookie: 'id=old', 'If-None-Match': '"1"', ':path': '/' });
    return {
      request: {
        method,
        url: `http://shop.example${target}`,
        headers: headers.map(([name, value]) => ({ name, value })),
      },
    };
  });
  const foreign = { request: { method: 'GET', url: 'https://cdn.example/a.js' } };
  const folder = folderOf({ 'a.har': { log: { entries: [foreign, ...own] } } });
  return path.join(folder, 'a.har');
}

describe('ristretto verify --har', () => {
  test('responses: compares status, headers and bodies of recorded requests, and groups what differs', async () => {
    const recording = har(
      'GET /',
      'GET /headers',
      'GET /host',
      'GET /body',
      'GET /cookie',
      'HEAD /',
      'POST /',
      'GET /zip',
    );
    const { code, out, err, calls } = await verify(STARTED, {}, '--har', recording, '--seconds', '0');
    assert.deepEqual(
      calls.map(call => call.replace(/ in .*/, '')),
      ['npm start', 'npm install --no-audit --no-fund', 'npm start'],
    );
    assert.match(err, /^Starting .*, and replaying 7 requests$/m);
    assert.match(out, /^ {2}responses {5}7 replayed, 3 differ; 1 requests that may write were left out$/m);
    assert.match(out, /^ {2}\| GET \/headers and 1 more: header x-made-by: express -> ristretto$/m);
    assert.match(out, /^ {2}\| GET \/body: body: made by express -> made by ristretto$/m);
    assert.doesNotMatch(out, /cookie|cost|shop\.example/);
    assert.equal(code, 2);
  });

  test('responses that differ from one replay to the next are not compared', async () => {
    const { code, out } = await verify(STARTED, {}, '--har', har('GET /random', 'GET /'), '--seconds', '0');
    assert.match(out, /^ {2}responses {5}2 replayed, 0 differ; 1 change by themselves in part$/m);
    assert.match(out, /^ {2}tests {9}none: no test script was found$/m);
    assert.equal(code, 0);
  });

  test('NODE_ENV: the last lines say that the application ran in development', async t => {
    const { NODE_ENV } = process.env;
    t.after(() => {
      if (NODE_ENV === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = NODE_ENV;
    });
    const said = /^The application ran in development, .*set NODE_ENV=production/m;
    delete process.env.NODE_ENV;
    assert.match((await verify(STARTED, {}, '--har', har('GET /'), '--seconds', '0')).out, said);
    process.env.NODE_ENV = 'production';
    assert.doesNotMatch((await verify(STARTED, {}, '--har', har('GET /'), '--seconds', '0')).out, said);
  });

  test('several servers: requests go to the one with the recorded port, or else to the first with a fixed port', async () => {
    const others = `const other = require('node:http').createServer((req, res) => res.end('other'));
      other.listen(0);
      require('node:http').createServer((req, res) => res.end('metrics')).listen(9464);`;
    const files = { ...STARTED, 'server.js': `${others}\n${SERVER}` };
    const recording = har('GET /body', 'GET /');
    const { out } = await verify(files, {}, '--har', recording, '--seconds', '0');
    assert.match(out, /^ {2}\| GET \/body: body: made by express -> made by ristretto$/m);
    const name = "require('express/package.json').name";
    const first = { ...STARTED, 'server.js': others.replace("'metrics'", name) };
    const { out: second } = await verify(first, {}, '--har', recording, '--seconds', '0');
    assert.match(second, /^ {2}\| GET \/body and 1 more: body: express -> ristretto$/m);
  });

  test('cost: measures processor time and p99 of both', async () => {
    const { code, out } = await verify(STARTED, {}, '--har', har('GET /'), '--seconds', '0.1');
    assert.match(
      out,
      /^ {2}cost {10}\d+ µs of processor time per request before, \d+ after \([+-]?\d+ %\); p99 \d+\.\d ms, \d+\.\d ms$/m,
    );
    assert.equal(code, 0);
  });

  test('an application that does not start: shows its output', async () => {
    const before = { ...STARTED, 'server.js': 'throw new Error("no database")' };
    const ended = await verify(before, {}, '--har', har('GET /'));
    assert.match(ended.err, /^npm start ended before the application listened:\n[^]*no database/m);
    assert.deepEqual([ended.code, ended.out], [1, '']);
    const after = {
      ...STARTED,
      'server.js': `${SERVER}\nif (name === 'ristretto') throw new Error('not yet')`,
    };
    const { code, out } = await verify(after, {}, '--har', har('GET /'), '--seconds', '0');
    assert.match(out, /^ {2}responses {5}the application does not start$/m);
    assert.match(out, /^ {2}\| .*not yet$/m);
    assert.equal(code, 2);
  });

  test('an application that ends during a request: reports that there is no response, and measures nothing', async () => {
    const { code, out } = await verify(STARTED, {}, '--har', har('GET /', 'GET /end'), '--seconds', '0.1');
    assert.match(out, /^ {2}responses {5}2 replayed, 1 differ/m);
    assert.match(out, /^ {2}\| GET \/end: status: 200 -> none \(socket hang up\)$/m);
    assert.doesNotMatch(out, /^ {2}cost/m);
    assert.equal(code, 2);
  });

  test('nothing to change: is not started', async () => {
    const files = {
      ...STARTED,
      'node_modules/express/package.json': { name: 'ristretto', version: '4.50.0' },
    };
    const { calls } = await verify(files, {}, '--har', har('GET /'));
    assert.deepEqual(calls, []);
  });
});
