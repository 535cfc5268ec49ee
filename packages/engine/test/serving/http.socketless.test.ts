// runs: each
/** `app.fetch` with message classes that do not support sockets, as in workerd. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outputOf } from '../support/program.js';

/**
 * Runs code with an application whose requests and responses support no socket; returns what it prints, parsed as JSON.
 */
const run = (code: string): unknown => {
  const program = `
    const http = require('node:http');
    const missing = () => { throw new Error('not implemented'); };
    http.IncomingMessage = class extends http.IncomingMessage {
      constructor() { super(null); }
    };
    http.ServerResponse = class extends http.ServerResponse {
      assignSocket() { missing(); }
      detachSocket() { missing(); }
      _writeRaw() { missing(); }
      destroy() { missing(); }
    };
    const web = require('ristretto');
    const app = web().set('env', 'test');
    const events = [];
    app.use((req, res, next) => {
      req.on('aborted', () => events.push('aborted'));
      res.on('finish', () => events.push('finish'));
      res.on('close', () => events.push('close ' + res.writableFinished));
      next();
    });
    const later = () => new Promise(resolve => setTimeout(resolve, 50));
    (async () => { ${code} })().then(seen => console.log(JSON.stringify(seen)));
  `;
  return JSON.parse(outputOf(program)) as unknown;
};

describe('serving/socketless', () => {
  test('whole response: has its status, reason, length and body', () => {
    const seen = run(`
      app.get('/', (req, res) => res.send('hello ' + req.ip));
      const { status, statusText, headers, text } = await app.inject('/');
      await later();
      return { status, statusText, length: headers['content-length'], text: text(), events };
    `);
    const response = { status: 200, statusText: 'OK', length: '15', text: 'hello 127.0.0.1' };
    assert.deepEqual(seen, { ...response, events: ['finish', 'close true'] });
  });

  test('bodies: are parsed, and piped back in full', () => {
    const seen = run(`
      app.post('/json', web.json(), (req, res) => res.json(req.body));
      app.post('/echo', (req, res) => req.pipe(res));
      const json = await app.inject({ url: '/json', body: { a: 1 } });
      const echo = await app.inject({ url: '/echo', body: 'x'.repeat(300_000) });
      return [json.json(), echo.text().length];
    `);
    assert.deepEqual(seen, [{ a: 1 }, 300_000]);
  });

  test('a client that disconnects: aborts the request and closes the response', () => {
    const seen = run(`
      app.get('/', (req, res) => res.write('begun'));
      const { body } = await app.fetch(new Request('http://a/'));
      await body.cancel();
      await later();
      return events;
    `);
    assert.deepEqual(seen, ['aborted', 'close false']);
  });

  test('res.destroy: aborts the body', () => {
    const seen = run(`
      app.get('/', (req, res) => { res.write('begun'); setTimeout(() => res.destroy(), 10); });
      const response = await app.fetch(new Request('http://a/'));
      return response.text().then(() => 'whole', error => error.message);
    `);
    assert.equal(seen, 'The response was aborted');
  });
});
