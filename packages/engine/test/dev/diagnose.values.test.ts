// runs: slow, twice
/** Warnings about values passed to responses (undefined values, secrets, cookies), and errors about JSON. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainUnserializable, lostIn } from '@ristretto/private-engine/lib/dev/json-value';
import { runApp } from '../support/watched-app.js';

/** Returns what `explain` adds below the message of the error that a function throws. */
function explained(run: () => void, explain: (error: unknown) => void): { message: string; stack: string[] } {
  try {
    run();
  } catch (error) {
    const { message: before } = error as Error;
    explain(error);
    const { message, stack } = error as Error;
    assert.equal(message.startsWith(before), true);
    return {
      message: message.slice(before.length).trim(),
      stack: stack!.slice(stack!.indexOf(before) + before.length).split('\n'),
    };
  }
  throw new Error('nothing was thrown');
}

const ofValue = (value: unknown): string =>
  explained(
    () => JSON.stringify(value),
    error => {
      explainUnserializable(error, value);
    },
  ).message;

describe('warnings', () => {
  test('undefined value: warns in a redirect and a header, which are still sent', () => {
    const program = `
      app.get('/a', (req, res) => res.redirect(undefined));
      app.get('/b', (req, res) => {
        res.set('X-A', undefined);
        res.set({ 'X-B': undefined, 'X-C': 'c' }).location(undefined).end(res.get('X-A') + res.get('X-B') + res.get('Location'));
      });
      app.use('/quiet', web().disable('development warnings').get('/', (req, res) => res.set('X-A', undefined).end()));`;
    const { warnings, seen } = runApp(program, ['/a', '/b', '/quiet']);
    const code = 'RISTRETTO_UNDEFINED_VALUE';
    const advice = 'Check where the value comes from, or leave out the call.';
    assert.deepEqual(
      warnings,
      [
        `${code}: res.redirect() or res.location() got undefined, and sends the string 'undefined'. ${advice} at [eval]:3:39`,
        `${code}: res.set('X-A') got undefined, and sends the string 'undefined'. ${advice} at [eval]:5:13`,
        `${code}: res.set('X-B') got undefined, and sends the string 'undefined'. ${advice} at [eval]:6:13`,
        `${code}: res.redirect() or res.location() got undefined, and sends the string 'undefined'. ${advice} at [eval]:6:51`,
      ].sort(),
    );
    assert.deepEqual(seen, ['Found. Redirecting to undefined', 'undefinedundefinedundefined', '']);
  });

  test('lost value: is found at any depth, with its path and what to send', () => {
    const shared = {};
    const found = [
      { a: [{ 'b c': new Set([1]) }] },
      { shared, again: shared, map: new Map() },
      [Promise.resolve(1)],
      { error: new Error('a') },
    ].map(lostIn);
    assert.deepEqual(found, [
      'a Set in value.a[0]["b c"], of which JSON has only {}. Send [...value.a[0]["b c"]].',
      'a Map in value.map, of which JSON has only {}. Send Object.fromEntries(value.map).',
      'a promise in value[0], of which JSON has only {}. Send what it resolves to: await value[0].',
      'an Error in value.error, of which JSON has only {}. Send what clients may see of it, such as value.error.message.',
    ]);
    const kept = [
      Object.assign(new Error('a'), { code: 'b' }),
      Object.assign(new Error('a'), { toJSON: () => 'a' }),
      { toJSON: () => 'a', map: new Map() },
      'text',
      null,
      // Not examined to the end
      [...Array.from({ length: 10_001 }, () => ({})), new Map()],
    ];
    assert.deepEqual(new Set(kept.map(lostIn)), new Set([undefined]));
  });

  test('early hints: a link that cannot be sent is reported where it is passed', () => {
    const program = `
      app.get('/a', (req, res) => {
        res.earlyHints('/app.css').earlyHints({ preload: { href: '/b', title: 'a\\nb' } }).end('sent');
      });`;
    const { warnings, seen } = runApp(program, ['/a']);
    const message = 'RISTRETTO_EARLY_HINT: res.earlyHints() leaves out the link ';
    assert.deepEqual(
      warnings,
      [
        `${message}"/app.css": it is not of the form '</app.css>; rel=preload; as="style"'. at [eval]:4:13`,
        `${message}${JSON.stringify('</b>; rel="preload"; title="a\nb"')}: it contains a character that headers cannot contain. at [eval]:4:36`,
      ].sort(),
    );
    assert.deepEqual(seen, ['sent']);
  });

  test('undefined value: members that a tool calls on its own object still work', () => {
    const program = `
      const headers = {};
      web.response.set.call({ setHeader: (name, value) => (headers[name] = value) }, 'X-A', undefined);
      seen.push(headers);`;
    assert.deepEqual(runApp(program, []).seen, [{ 'X-A': 'undefined' }]);
  });

  test('cookie secret: warns when a short secret signs a cookie', () => {
    const sign = "(req, res) => res.cookie('a', 'b', { signed: true }).end('x')";
    const program = `
      app.get('/short', (req, res, next) => { req.secret = 'keyboard cat'; next(); }, ${sign});
      app.get('/long', (req, res, next) => { req.secret = 'x'.repeat(16); next(); }, ${sign});
      app.get('/key', (req, res, next) => { req.secret = require('node:crypto').createSecretKey(Buffer.alloc(32)); next(); }, ${sign});`;
    const { warnings, seen } = runApp(program, ['/short', '/long', '/key']);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0]!,
      /^RISTRETTO_SHORT_SECRET: The secret of signed cookies has 12 characters\..* at \[eval\]:3:\d+$/,
    );
    assert.deepEqual(seen.slice(0, 2), ['x', 'x']);
  });

  test('secure cookie: warns over plain HTTP, unless browsers keep the cookie anyway', () => {
    const program = `
      app.set('trust proxy', true);
      app.get('/', (req, res) => res.cookie('sid', 'b', { secure: true }).end('x'));
      app.get('/plain', (req, res) => res.cookie('sid', 'b').end('x'));`;
    const code = (host: string, path = '/', more = {}): string[] =>
      runApp(program, [[path, { host, ...more }]]).warnings.map(text => text.slice(0, text.indexOf(' is ')));
    assert.deepEqual(code('example.com'), ["RISTRETTO_SECURE_COOKIE: The cookie 'sid'"]);
    assert.deepEqual(code('example.com', '/', { 'X-Forwarded-Proto': 'https' }), []);
    assert.deepEqual(code('example.com', '/plain'), []);
    for (const host of ['localhost:3000', 'a.localhost', '127.0.0.1', '[::1]:80'])
      assert.deepEqual(code(host), [], host);
  });

  test('cookie options: warns about text and domains that cannot work, and no others', () => {
    const program = `
      const send = options => (req, res) => {
        try { res.cookie('sid', 'b', options); } catch {}
        res.end('x');
      };
      app.get('/words', send({ maxAge: 'one hour' }));
      app.get('/digits', send({ maxAge: '1000', sameSite: 'none', secure: true, domain: '.example.com' }));
      app.get('/other', send({ domain: 'example.org' }));`;
    const of = (path: string, host = 'localhost'): string[] => runApp(program, [[path, { host }]]).warnings;
    assert.match(of('/words')[0]!, /maxAge: 'one hour'.* Write 60 \* 60 \* 1000 for one hour\./);
    assert.match(of('/other')[0]!, /for the domain 'example\.org' but the request is for localhost/);
    assert.deepEqual(
      of('/digits', 'www.example.com').map(text => text.split(':')[0]),
      ['RISTRETTO_SECURE_COOKIE'],
    );
    assert.deepEqual(
      of('/digits', 'localhost').filter(text => text.includes('maxAge')),
      [],
    );
  });

  test('res.status and res.redirect: do not warn about what can be sent, or leads elsewhere', () => {
    const program = `
      app.get('/text', (req, res) => res.status('404').end('x'));
      app.get('/cookie', (req, res) => res.cookie('a', 'b').redirect('/cookie'));
      app.get('/loop', (req, res) => res.redirect('/loop'));`;
    const of = (path: string): string[] => runApp(program, [path]).warnings.map(text => text.split(':')[0]!);
    assert.deepEqual([of('/text'), of('/cookie')], [[], []]);
    assert.deepEqual(of('/loop'), ['RISTRETTO_REDIRECT_LOOP']);
  });

  test('parsers of bytes: warns behind a JSON parser that consumes their type', () => {
    const program = `
      const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };
      const end = (req, res) => res.end('x');
      app.post('/same', web.json(), web.raw({ type: '*/*' }), end);
      app.use(web.json());
      app.post('/other', web.text({ type: 'text/*' }), end);
      app.use('/mounted', web.text({ type: '*/*' }), end);
      app.use(web.raw({ type: '*/*' }));
      app.post('/all', end);
      const asked = (async () => {
        for (const url of ['/same', '/other', '/mounted', '/all']) await app.inject({ url, ...json });
      })();`;
    assert.deepEqual(
      runApp(program, []).warnings.map(text => text.replace(/, so that.*/, '')),
      ['RISTRETTO_PARSED_BODY: An earlier parser has read the body of POST /mounted'],
    );
  });

  test('res.json: the error names the path of a circular reference or a BigInt', () => {
    const item: Record<string, unknown> = { id: 1 };
    item.self = { 'the owner': item };
    const root: unknown[] = [];
    root.push(root);
    assert.equal(
      ofValue({ ok: [{ id: 1 }, item] }),
      'value.ok[1].self["the owner"] refers back to value.ok[1]: leave it out, or send a copy without it.',
    );
    assert.equal(ofValue(root), 'value[0] refers back to value: leave it out, or send a copy without it.');
    const shared = { a: 1 };
    assert.equal(
      ofValue({ one: shared, two: shared, none: null, date: new Date(0), rows: [{ id: 7n }] }),
      'value.rows[0].id is the BigInt 7n: send String(value.rows[0].id) or Number(value.rows[0].id).',
    );
    assert.equal(ofValue({ toJSON: () => ({ a: 1n }) }), '');
    const failing = {
      toJSON() {
        throw new RangeError('own');
      },
    };
    assert.equal(ofValue(failing), '');
  });

  test('res.json: throws the error of Express, with details only in development', () => {
    const program = `app.get('/', (req, res) => { try { res.json({ a: 1n }); } catch (error) { res.send(error.name + ': ' + error.message); } });`;
    const first = 'TypeError: Do not know how to serialize a BigInt';
    const second = '\n  value.a is the BigInt 1n: send String(value.a) or Number(value.a).';
    assert.deepEqual(runApp(program, ['/']).seen, [first + second]);
    assert.deepEqual(runApp(`app.disable('development warnings'); ${program}`, ['/']).seen, [first]);
    assert.deepEqual(runApp(program, ['/'], { env: { NODE_ENV: 'production' } }).seen, [first]);
  });
});
