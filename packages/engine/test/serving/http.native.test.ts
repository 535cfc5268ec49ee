// runs: slow, each
/** What responses do if functions of Node are patched or its internals not as expected, and the proofs of that. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { verifiedNode } from '@ristretto/private-engine/lib/serving/node-internals';
import web from 'ristretto';
import { words } from '../support/random.js';
import * as requests from '../support/request-proof.js';
import { outputOf } from '../support/program.js';

/** Possible variants of Node: code that runs before the framework is loaded. */
const runtimes: Record<string, [changes: string, direct: boolean]> = {
  unpatched: ['', true],
  'end patched': ['wrap("end");', false],
  'write patched': ['wrap("write");', false],
  'setHeader patched': ['wrap("setHeader");', false],
  'removeHeader patched': ['wrap("removeHeader");', false],
  '_storeHeader patched': ['wrap("_storeHeader");', false],
  'unique headers under another symbol': [
    'const { getOwnPropertySymbols } = Object; Object.getOwnPropertySymbols = of => getOwnPropertySymbols(of).filter(s => s.description !== "kUniqueHeaders");',
    true,
  ],
  'getHeader missing at first': ['own(http.ServerResponse.prototype, "getHeader", undefined);', false],
  'headers under no symbol': ['own(Object, "getOwnPropertySymbols", () => []);', false],
  'headers stored in another form': [
    `http.OutgoingMessage = class extends http.OutgoingMessage {
       setHeader() { this[Object.getOwnPropertySymbols(this).find(s => s.description === "kOutHeaders")] = { "x-probe": "value" }; }
     };`,
    false,
  ],
  'headers not stored': [
    'http.OutgoingMessage = class extends http.OutgoingMessage { setHeader() {} };',
    false,
  ],
  'a property with another value': [
    'http.OutgoingMessage = class extends http.OutgoingMessage { _hasBody = undefined; };',
    false,
  ],
  'no _finish': [
    'http.OutgoingMessage = class extends http.OutgoingMessage { _finish = undefined; };',
    false,
  ],
  'a major that the tests do not run on': [
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '21.7.3' } });",
    false,
  ],
  'writeHead patched, with a word of Node’s in the source': [
    "replace(\"writeHead\", \"writeHead(...args) { /* _storeHeader */ this.setHeader('X-Other', '1'); this.removeHeader('X-Other'); return kept.apply(this, args); }\");",
    false,
  ],
};

interface Outcome {
  canWriteDirectly: boolean;
  finished: boolean[];
  text: string;
}

/** If Node's internals are not as expected, responses take the fallback and have the same bytes. */
describe('serving/native', () => {
  const program = (changes: string): string => `
  const http = require('node:http');
  const own = (target, name, value) => { const kept = target[name]; target[name] = value; process.nextTick(() => (target[name] = kept)); };
  const wrap = name => {
    const kept = http.OutgoingMessage.prototype[name];
    for (const prototype of [http.OutgoingMessage.prototype, http.ServerResponse.prototype]) {
      prototype[name] = function (...args) { return kept.apply(this, args); };
    }
  };
  const replace = (name, source) => {
    const kept = http.ServerResponse.prototype[name];
    http.ServerResponse.prototype[name] = eval('({' + source + '})')[name];
  };
  ${changes}
  const app = require('ristretto')();
  const { canWriteDirectly } = require('@ristretto/private-engine/lib/serving/native');
  const finished = [];
  app.use((req, res, next) => { res.on('finish', () => finished.push(res.writableFinished)); next(); });
  app.get('/text', (req, res) => res.send('text'));
  app.get('/json', (req, res) => res.cookie('a', 'b').cookie('c', 'd').json({ a: [1, '\\u20ac'] }));
  app.get('/bytes', (req, res) => res.send(Buffer.from([1, 2, 3])));
  app.get('/empty', (req, res) => res.status(204).send());
  app.set('env', 'test');
  const server = app.listen(0, '127.0.0.1', () => {
    const socket = require('node:net').connect(server.address().port, '127.0.0.1');
    for (const path of ['/text', '/json', '/bytes', '/empty', '/none']) socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    socket.write('GET /text HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n');
    let text = '';
    socket.setEncoding('latin1').on('data', data => (text += data)).on('close', () => {
      console.log(JSON.stringify({ canWriteDirectly, finished, text: text.replace(/Date: .*/g, 'Date') }));
      server.close();
    });
  });`;
  const run = (changes: string): Outcome => JSON.parse(outputOf(program(changes))) as Outcome;

  const expected = run('');
  for (const [name, [changes, direct]] of Object.entries(runtimes)) {
    test(`${name}: writes responses ${direct ? 'directly' : 'through the documented API'}, with the same bytes`, () => {
      const outcome = run(changes);
      assert.equal(outcome.canWriteDirectly, direct);
      assert.equal(outcome.text, expected.text);
      assert.deepEqual(outcome.finished, [true, true, true, true, true, true]);
    });
  }
});

/** The functions that the fast paths would pass by. */
const functions = {
  ServerResponse: words(`
    end write writeHead setHeader getHeader removeHeader _implicitHeader _storeHeader _send _writeRaw
    assignSocket detachSocket
  `),
  IncomingMessage: ['_dump', 'resume', 'read', 'emit', 'push', 'on', '_read', '_destroy', 'destroy'],
} as const;
const patches = Object.entries(functions).flatMap(([owner, names]) => names.map(name => ({ owner, name })));

/** Node's functions that a tool has patched: each is called as often as with Express, whenever it was patched. */
describe('patched functions of Node', () => {
  const run = promisify(execFile);
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

const NODES = join(__dirname, '../../../../scripts/nodes.json');

/** Proofs that requests behave the same with our functions as with Node's. */
describe('proofs of behaviour', () => {
  test('the recorded facts about this version of Node match the observed ones', async () => {
    assert.deepEqual(verifiedNode, { requestEnd: await requests.observeEnd() });
  });

  test('each release of the majors in the tests is known, and no other runtime or major', () => {
    const majors = Object.keys(JSON.parse(readFileSync(NODES, 'utf8')) as object);
    const releases = majors.map(major => ({ node: `${major}.3.1` }));
    const others = [{ bun: '1.4.5' }, { v8: '15.0.245.2-rusty' }, { v8: '' }, { node: '21.7.3' }];
    const known = [...releases, ...others].map(versions => {
      const program = `
        const versions = { ...process.versions, ...${JSON.stringify(versions)} };
        Object.defineProperty(process, 'versions', { value: versions });
        console.log(require('@ristretto/private-engine/lib/serving/node-internals').verifiedNode !== undefined);`;
      return spawnSync(process.execPath, ['-e', program], { cwd: __dirname, encoding: 'utf8' }).stdout.trim();
    });
    assert.deepEqual(known, [...releases.map(() => 'true'), ...others.map(() => 'false')]);
  });

  test('requests behave as Node’s own with listeners of each kind in each turn of the event loop', async () => {
    assert.equal(await requests.behavesAsNode(web.request, requests.readTaken), true);
  });
});
