// runs: slow, each
/** Node's functions that a tool has patched: each is called as often as with Express, whenever it was patched. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The functions that the fast paths would pass by. */
const functions = {
  ServerResponse: [
    'end',
    'write',
    'writeHead',
    'setHeader',
    'getHeader',
    'removeHeader',
    '_implicitHeader',
    '_storeHeader',
    '_send',
    '_writeRaw',
    'assignSocket',
    'detachSocket',
  ],
  IncomingMessage: ['_dump', 'resume', 'read', 'emit', 'push', 'on', '_read', '_destroy', 'destroy'],
} as const;

const patches = Object.entries(functions).flatMap(([owner, names]) => names.map(name => ({ owner, name })));

/**
 * Prints how often each patched function is called while a framework serves requests. The source of each wrapper
 * contains the whole source of the function, so that no search for words distinguishes them.
 */
const program = (framework: string, moment: 'early' | 'late', patched: typeof patches): string => `
  const http = require('node:http');
  const net = require('node:net');
  const counts = {};
  let current;
  const patch = ({ owner, name }) => {
    const { prototype } = http[owner];
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    const kept = prototype[name];
    const count = () => { if (current !== undefined) counts[current]++; };
    prototype[name] = eval('(function (...args) { void ' + JSON.stringify(String(kept)) + '; count(); return kept.apply(this, args); })');
    return () => descriptor ? Object.defineProperty(prototype, name, descriptor) : delete prototype[name];
  };
  const patches = ${JSON.stringify(patched)};
  const load = () => {
    const web = require(${JSON.stringify(framework)});
    const app = web();
    app.set('env', 'test').disable('x-powered-by').disable('etag');
    app.post('/body', web.json(), (req, res) => res.end('text'));
    app.get('/send', (req, res) => res.send(Buffer.from('text')));
    app.get('/json', (req, res) => res.json({ a: 1 }));
    app.get('/end', (req, res) => {
      res.setHeader('X-Name', 'value');
      res.setHeader('X-Name', 'value');
      res.removeHeader('X-Name');
      res.end(String(res.getHeader('X-Other')));
    });
    return http.createServer(app);
  };
  // All requests on one connection, each sent after the events of the one before.
  const serve = (port, requests) => new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(requests.shift()));
    const next = () => requests.length > 0 ? socket.write(requests.shift()) : socket.destroy();
    socket.on('error', reject).on('data', () => setTimeout(next, 2)).on('close', () => setTimeout(resolve, 2));
  });
  const get = path => 'GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
  const post = 'POST /body HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/json\\r\\nContent-Length: 2\\r\\n\\r\\n{}';
  const main = async () => {
    if (${String(moment === 'early')}) patches.forEach(patch);
    const server = load();
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await serve(port, [get('/end'), get('/end')]);
    for (const one of patches) {
      const restore = ${String(moment === 'late')} ? patch(one) : () => undefined;
      current = one.name;
      counts[current] = 0;
      // Express sets and reads headers in steps of its own.
      await serve(port, /^(get|set)Header$/.test(current) ? [get('/end'), get('/end')] : [get('/send'), get('/json'), get('/end'), post]);
      current = undefined;
      restore();
    }
    console.log(JSON.stringify(counts));
    process.exit();
  };
  main();`;

async function countsOf(
  ...[framework, ...rest]: Parameters<typeof program>
): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, ['-e', program(framework, ...rest)], { cwd: __dirname });
  return JSON.parse(stdout) as Record<string, number>;
}

describe('patched functions of Node', () => {
  for (const [express, ours] of Object.entries({
    express: 'ristretto',
    express5: 'ristretto5',
    express3: 'ristretto3',
  })) {
    test(`patched after loading ${ours}: each is called as often as with Express`, async () => {
      const theirs = await countsOf(express, 'late', patches);
      assert.deepEqual(await countsOf(ours, 'late', patches), theirs);
    });
  }

  const theirs = countsOf('express', 'late', patches);
  for (const one of patches) {
    test(`patched before loading: ${one.name} is called as often as with Express`, async () => {
      const { [one.name]: expected } = await theirs;
      assert.deepEqual(await countsOf('ristretto', 'early', [one]), { [one.name]: expected });
    });
  }
});
