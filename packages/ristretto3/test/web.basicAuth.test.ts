/** `web.basicAuth`: authenticates users by a fixed pair or a callback, and sends 401 or 400 to all others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askAll, given, loose, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const who = show(req => [req.user, req.remoteUser]);
const basic = (user: string, password: string, scheme = 'Basic') => ({
  headers: { Authorization: `${scheme} ${Buffer.from(`${user}:${password}`).toString('base64')}` },
});
const field = (value: string) => ({ headers: { Authorization: value } });

const right = basic('tobi', 'ferret');
const wrong = [
  basic('tobi', 'x'),
  basic('jane', 'ferret'),
  basic('', ''),
  basic('tobi', ''),
  basic('tob', 'iferret'),
];

describe('web.basicAuth', () => {
  test('fixed user and password: lets that pair in and sends 401 with the realm to all others', async () => {
    const answers = await sameEach(web => [web.basicAuth('tobi', 'ferret'), who], [{}, right, ...wrong]);
    assert.deepEqual(
      answers.map(answer => answer.status),
      [401, 200, 401, 401, 401, 401, 401],
    );
    assert.equal(answers[0]!.headers['www-authenticate'], 'Basic realm="Authorization Required"');
    assert.equal(answers[1]!.text, '["tobi","tobi"]');
  });

  test('fixed user and password: the password may contain colons and any other characters', async () => {
    const build = (web: Web) => [web.basicAuth('tobi', 'fer:ret ☃'), who];
    const [answer] = await sameEach(build, [basic('tobi', 'fer:ret ☃'), basic('tobi:fer', 'ret ☃')]);
    assert.equal(answer!.status, 200);
  });

  test('realm: is sent by both forms', async () => {
    const [pair] = await sameEach(web => [web.basicAuth('tobi', 'ferret', 'Zoo')], [{}]);
    assert.equal(pair!.headers['www-authenticate'], 'Basic realm="Zoo"');
    const [check] = await sameEach(web => [web.basicAuth(() => true, 'Zoo')], [{}]);
    assert.equal(check!.headers['www-authenticate'], 'Basic realm="Zoo"');
  });

  test('realm: escapes quotation marks as the header grammar requires', async () => {
    const [answer] = await askAll([web.basicAuth('a', 'b', 'the "zoo" \\')], [{}]);
    assert.equal(answer!.headers['www-authenticate'], String.raw`Basic realm="the \"zoo\" \\"`);
  });

  test('callback: decides who is let in', async () => {
    const build = (web: Web) => [
      web.basicAuth((user, password) => user === 'tobi' && password === 'ferret'),
      who,
    ];
    const answers = await sameEach(build, [{}, right, ...wrong]);
    assert.equal(answers[1]!.text, '["tobi","tobi"]');
  });

  test('callback: may accept an empty name', async () => {
    const [answer] = await sameEach(web => [web.basicAuth(() => 1), who], [basic('', 'x')]);
    assert.equal(answer!.text, '["",""]');
  });

  test('callback: its exceptions go to the error handlers', async () => {
    const build = (web: Web) => [
      web.basicAuth(() => {
        throw new Error('no database');
      }),
    ];
    assert.equal((await sameEach(build, [right]))[0]!.status, 500);
  });

  test('callback: a promise is awaited, and is not true by itself', async () => {
    const check = async (user: string, password: string) => {
      await Promise.resolve();
      if (password === 'broken') throw new Error('no database');
      return user === 'tobi' && password === 'ferret';
    };
    const answers = await askAll(
      [web.basicAuth(check), who],
      [right, basic('tobi', 'x'), basic('tobi', 'broken')],
    );
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 401, 401],
    );
    assert.equal(answers[0]!.text, '["tobi","tobi"]');
  });

  test('async callback: sets the user that it passes on', async () => {
    const build = (web: Web) => [
      web.basicAuth((user, password, done) => {
        setImmediate(() =>
          done(user === 'error' ? new Error('oops') : null, password === 'ferret' ? { user } : null),
        );
      }),
      who,
    ];
    const answers = await sameEach(build, [right, basic('tobi', 'x'), basic('error', 'ferret')]);
    assert.equal(answers[0]!.text, '[{"user":"tobi"},{"user":"tobi"}]');
    assert.deepEqual([answers[1]!.status, answers[2]!.status], [401, 401]);
  });

  test('async callback: only the first call counts', async () => {
    const check = web.basicAuth((_user, _password, done) => {
      done(null, 'first');
      done(null, 'second');
      done(new Error('third'));
    });
    assert.equal((await askAll([check, who], [right]))[0]!.text, '["first","first"]');
  });

  test('malformed field: sends 400', async () => {
    const fields = ['Basic', 'Basic !!!', 'Bearer xyz', 'Basic a b', 'Basic  YTpi', 'x', 'Basic YQ=='].map(
      field,
    );
    for (const answer of await sameEach(web => [web.basicAuth('a', 'b'), who], fields))
      assert.equal(answer.status, 400);
  });

  test('scheme: is accepted in any case (Express 3 accepts only "Basic")', async () => {
    const requests = [basic('tobi', 'ferret', 'basic'), basic('tobi', 'ferret', 'BASIC')];
    for (const answer of await askAll([web.basicAuth('tobi', 'ferret'), who], requests))
      assert.equal(answer.status, 200);
  });

  test('req.user: a request that already has one passes', async () => {
    const build = (web: Web) => [given({ user: { name: 'jane' } }), web.basicAuth('tobi', 'ferret'), who];
    const [answer] = await sameEach(build, [{}]);
    assert.equal(answer!.text, '[{"name":"jane"},null]');
  });

  test('wrong arguments: throw an error that names them', () => {
    const basicAuth = loose(web.basicAuth);
    for (const args of [[], ['tobi'], ['tobi', 1], [null, 'ferret'], [{}]]) {
      assert.throws(
        () => basicAuth(...args),
        /^TypeError: basicAuth\(\): expected a user and a password, or a function, got/,
      );
    }
  });
});
