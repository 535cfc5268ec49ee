/** Programs in which a tool has replaced `globalThis.Promise`, as bluebird, zone.js and async-listener do. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';

/** Replaces the global by a class of its own, and prints the responses of an application. */
const program = `
const Native = Promise;
globalThis.Promise = class Replaced {
  constructor(executor) { this.native = new Native(executor); }
  then(...args) { return Replaced.resolve(this.native.then(...args)); }
  catch(failed) { return this.then(undefined, failed); }
  finally(done) { return Replaced.resolve(this.native.finally(done)); }
  static resolve(value) { return value instanceof Replaced ? value : new Replaced(ok => ok(value)); }
  static reject(error) { return new Replaced((ok, failed) => failed(error)); }
  static all(list) { return Replaced.resolve(Native.all(list)); }
  static allSettled(list) { return Replaced.resolve(Native.allSettled(list)); }
  static withResolvers() { return Native.withResolvers(); } // fetch of Node 26 calls it
  static race(list) { return Replaced.resolve(Native.race(list)); }
};
const session = require('@ristretto/session');
const compression = require('@ristretto/compression');
const { addResponseHook } = require('@ristretto/response-hooks');
process.on('uncaughtException', error => { console.log('uncaught', error.message); process.exit(); });
(async () => {
  for (const name of ['ristretto', 'ristretto5', 'ristretto3']) {
    const app = require(name)();
    app.set('env', 'test');
    app.get('/session', session({ secret: 's', resave: false, saveUninitialized: true }), (req, res) => res.send('session'));
    app.get('/compressed', compression(), (req, res) => res.type('text').send('x'.repeat(100000)));
    app.get('/hook', (req, res) => {
      addResponseHook(res, { whole: () => Promise.resolve('hooked') });
      res.send('body');
    });
    app.get('/on-send', (req, res) => { res.onSend(async body => body + '!').send('body'); });
    app.get('/replaced', (req, res) => { res.onSend(body => Promise.resolve(body + '?')).send('body'); });
    app.get('/failing', (req, res) => { res.onSend(async () => { throw new Error('failed'); }).send('body'); });
    app.get('/rejected', () => Promise.reject(new Error('rejected')));
    app.use((error, req, res, next) => { res.statusCode = 500; res.send(error.message); });
    for (const path of ['/session', '/compressed', '/hook', '/on-send', '/replaced', '/failing', '/rejected']) {
      const res = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
      const { status, headers, text } = res;
      console.log(name, path, status, headers['content-encoding'] || text());
    }
  }
})();
`;

describe('a replaced Promise', () => {
  test('requests: every kind of waiting responds as with the own class of Node', () => {
    const load = path.join(__dirname, '../../../../scripts/typescript.cjs');
    const output = execFileSync(process.execPath, ['--require', load, '-e', program], {
      cwd: __dirname,
      encoding: 'utf8',
      timeout: 60_000,
    });
    const responses = [
      '/session 200 session',
      '/compressed 200 gzip',
      '/hook 200 hooked',
      '/on-send 200 body!',
    ];
    responses.push('/replaced 200 body?', '/failing 500 failed', '/rejected 500 rejected');
    const expected = ['ristretto', 'ristretto5', 'ristretto3'].flatMap(name =>
      responses.map(response => `${name} ${response}`),
    );
    assert.deepEqual(output.trimEnd().split('\n'), expected);
  });
});
