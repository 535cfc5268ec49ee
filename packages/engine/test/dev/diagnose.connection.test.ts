// runs: slow, twice
/** Warnings about the connection to the client: proxies that are not trusted, and cookies that need TLS. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runApp } from '../support/watched-app.js';

const codesOf = (warnings: string[]): string[] => warnings.map(text => text.split(':')[0]!);

/** Middleware that creates a session like that of express-session, with `cookie` and data. */
const SESSION = `
  const session = (cookie, data = { user: 1 }) => (req, res, next) => { req.session = { cookie, ...data }; next(); };
  const send = (req, res) => res.send('sent');`;

describe('warnings', () => {
  test('X-Forwarded: warns once about a proxy if trust proxy was never set', () => {
    const program = "app.get('/', (req, res) => res.send(req.ip));";
    const { warnings, seen } = runApp(program, [
      ['/', { 'X-Forwarded-For': '192.0.2.1' }],
      ['/', { 'X-Forwarded-Proto': 'https' }],
      ['/', { 'X-Forwarded-Host': 'example.com' }],
    ]);
    assert.deepEqual(codesOf(warnings), ['RISTRETTO_UNTRUSTED_PROXY']);
    assert.match(warnings[0]!, /Behind a proxy, set it .*app\.set\('trust proxy', 1\)/);
    assert.equal(seen.length, 3);
  });

  test('X-Forwarded: does not warn if the program has set trust proxy, or without these headers', () => {
    const program = "app.get('/', (req, res) => res.send(req.ip));";
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    for (const value of ['1', 'false']) {
      const sub = `app.set('trust proxy', ${value}); app.use('/sub', web().get('/', (req, res) => res.send('x')));`;
      const { warnings } = runApp(sub + program, [
        ['/', headers],
        ['/sub', headers],
      ]);
      assert.deepEqual(warnings, []);
    }
    const proxy = "app.use((req, res, next) => { req.headers['x-forwarded-for'] = req.ip; next(); });";
    assert.deepEqual(runApp(proxy + program, ['/']).warnings, []);
    assert.deepEqual(runApp(program, [['/', { 'X-Real-IP': '192.0.2.1' }]]).warnings, []);
  });

  test('req.app: may be anything that a program assigned before the application received the request', () => {
    const program = `
      app.get('/:what', (req, res) => res.send(req.params.what));
      const given = { '/text': 'mine', '/null': null, '/other': { settings: 1 } };
      const listener = (req, res) => app(Object.assign(req, { app: given[req.url] }), res);
      app.listen = port => require('node:http').createServer(listener).listen(port);`;
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const { warnings, seen } = runApp(program, [
      ['/text', headers],
      ['/null', headers],
      ['/other', headers],
    ]);
    assert.deepEqual(warnings, []);
    assert.deepEqual(seen, ['text', 'null', 'other']);
  });

  test('secure session: warns if express-session sends no cookie', () => {
    const program = `${SESSION}
      app.get('/a', session({ secure: true }), send);`;
    const [warning, ...others] = runApp(program, ['/a']).warnings;
    assert.match(
      warning!,
      /^RISTRETTO_SECURE_SESSION: The session of GET \/a is lost, because its cookie is 'secure'/,
    );
    assert.deepEqual(others, []);
  });

  test('secure session: does not warn about other or empty sessions, or over TLS', () => {
    const program = `${SESSION}
      app.set('trust proxy', true);
      app.get('/auto', session({ secure: false }), send);
      app.get('/empty', session({ secure: true }, {}), send);
      app.get('/none', session(undefined), send);
      app.get('/tls', session({ secure: true }), send);
      app.get('/null', (req, res) => { req.session = null; res.send('x'); });
      app.get('/lied', (req, res, next) => { Object.defineProperty(req, 'secure', { value: false }); next(); }, session({ secure: true }), send);`;
    const tls = { 'X-Forwarded-Proto': 'https' };
    assert.deepEqual(
      runApp(program, ['/auto', '/empty', '/none', ['/tls', tls], '/null', ['/lied', tls]]).warnings,
      [],
    );
  });
});
