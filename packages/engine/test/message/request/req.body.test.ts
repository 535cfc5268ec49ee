/** What middleware adds to requests: `req.body`, `files`, `cookies`, `signedCookies`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { post } from '../../support/body-parsers.js';
import { sameEach } from '../../support/compare.js';
import { each } from '../../support/http.js';
import { cookieParser, showing, sign } from '../../support/cookies.js';
import type { Ask } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';

describe('req.body', () => {
  const showing = (build: (app: ReturnType<Web>, web: Web) => void) => (web: Web) => {
    const app = web();
    build(app, web);
    return app.use((req, res) => {
      const body = Buffer.isBuffer(req.body) ? `Buffer ${req.body.toString()}` : JSON.stringify(req.body);
      res.send(`${typeof req.body} ${body}`);
    });
  };

  test('no parser: is undefined', async () => {
    const answer = await same(
      showing(() => {}),
      post('application/json', '{"a":1}'),
    );
    assert.equal(answer.text, 'undefined undefined');
  });

  test('json, urlencoded, raw, text: each sets its kind of value', async () => {
    const answers = await sameEach(
      showing((app, web) => app.use(web.json(), web.urlencoded({ extended: true }), web.raw(), web.text())),
      [
        post('application/json', '[1,{"a":null}]'),
        post('application/x-www-form-urlencoded', 'a=1&b[c]=2'),
        post('application/octet-stream', 'bytes'),
        post('text/plain', 'some text'),
        post('image/png', 'no parser takes it'),
        { path: '/' },
      ],
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      [
        'object [1,{"a":null}]',
        'object {"a":"1","b":{"c":"2"}}',
        'object Buffer bytes',
        'string "some text"',
        'object {}',
        'object {}',
      ],
    );
  });

  test('several parsers: is set by the one that parsed the body', async () => {
    const answers = await sameEach(
      showing((app, web) => app.use(web.text({ type: '*/*' }), web.json())),
      [post('application/json', '{"a":1}'), post('text/plain', '1')],
    );
    assert.deepEqual(each(answers, 'text'), ['string "{\\"a\\":1}"', 'string "1"']);
  });

  test('assigned: can be set by a handler', async () => {
    const answer = await same(
      showing(app =>
        app.use((req, _res, next) => {
          req.body = { own: true };
          next();
        }),
      ),
    );
    assert.equal(answer.text, 'object {"own":true}');
  });
});

const FORM = '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n';

describe('req.files', () => {
  test('no middleware: is undefined, and an upload is not read', async () => {
    for (const { request } of Object.values(frameworks)) assert.ok(!('files' in request));
    const answer = await same(
      web => web().use(web.json(), (req, res) => void res.json(['files' in req, req.body])),
      post('multipart/form-data; boundary=x', FORM),
    );
    assert.equal(answer.text, '[false,{}]');
  });
});

const cookie = (value: string): Ask => ({ headers: { Cookie: value } });

describe('req.cookies', () => {
  const read = async (request: Ask, ...before: Parameters<typeof showing>[1][]) =>
    (
      await same(
        showing(req => req.cookies, ...before),
        request,
      )
    ).text;

  test('no middleware: is undefined', async () => {
    assert.equal(await read(cookie('a=b')), 'undefined');
  });

  test('cookie-parser: contains the cookies of the request by name', async () => {
    assert.equal(
      await read(cookie('name=tobi; list=j%3A%5B1%2C2%5D; empty='), cookieParser()),
      '{"name":"tobi","list":[1,2],"empty":""}',
    );
    assert.equal(await read(cookie(`a=${sign('b', 'secret')}; c=d`), cookieParser('secret')), '{"c":"d"}');
  });

  test('none: is an empty object', async () => {
    assert.equal(await read({}, cookieParser()), '{}');
  });
});

describe('req.signedCookies', () => {
  const read = async (request: Ask, ...before: Parameters<typeof showing>[1][]) =>
    (
      await same(
        showing(req => req.signedCookies, ...before),
        request,
      )
    ).text;

  test('no middleware: is undefined', async () => {
    assert.equal(await read(cookie(`a=${sign('b', 'secret')}`)), 'undefined');
  });

  test('cookie-parser: contains signed values without their signature, and false for a wrong signature', async () => {
    assert.equal(
      await read(
        cookie(`a=${sign('b', 'secret')}; forged=${sign('b', 'guess')}; plain=c`),
        cookieParser('secret'),
      ),
      '{"a":"b","forged":false}',
    );
  });

  test('cookie-parser: reads back what res.cookie has signed', async () => {
    const answer = await same(web =>
      web().use(
        cookieParser('secret'),
        (_req, res) => void res.cookie('a', { b: 1 }, { signed: true }).end(),
      ),
    );
    const pair = answer.headers['set-cookie']?.split(';')[0] ?? '';
    assert.equal(await read(cookie(pair), cookieParser('secret')), '{"a":{"b":1}}');
  });

  test('none: is an empty object', async () => {
    assert.equal(await read({}, cookieParser('secret')), '{}');
  });
});
