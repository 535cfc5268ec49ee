// runs: slow, each
/** If Node's internals are not as expected, responses take the fallback and have the same bytes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';

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

interface Outcome {
  canWriteDirectly: boolean;
  finished: boolean[];
  text: string;
}

const run = (changes: string): Outcome =>
  JSON.parse(
    execFileSync(process.execPath, ['-e', program(changes)], { cwd: __dirname, encoding: 'utf8' }),
  ) as Outcome;

describe('serving/native', () => {
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
