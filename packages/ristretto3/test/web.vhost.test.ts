/** Which requests are passed on: `web.vhost`, `basicAuth`, `methodOverride`. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { assertLinear } from '../../engine/test/support/worst-case.js';
import { askAll, given, loose, post, postJson, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';
import { words } from '../../engine/test/support/random.js';
import { each } from '../../engine/test/support/http.js';

const host = (name: string) => ({ headers: { Host: name } });

/** `web.vhost`: passes requests to a server by their hostname, with wildcards and regular expressions. */
describe('web.vhost', () => {
  const seen = show(req => req.vhost as unknown);
  const build = (hostname: string | RegExp) => (web: Web) => [web.vhost(hostname, seen)];

  test('name: matches in any case, with any port, and no other name', async () => {
    const names = words('example.com EXAMPLE.com:8080 xexample.com example.com.evil example.co [::1]:80');
    const answers = await sameEach(build('example.com'), names.map(host));
    assert.deepEqual(each(answers, 'status'), [200, 200, 404, 404, 404, 404]);
    assert.deepEqual(JSON.parse(answers[1]!.text), {
      host: 'EXAMPLE.com:8080',
      hostname: 'EXAMPLE.com',
      length: 0,
    });
  });

  test('*: matches any text at any position', async () => {
    const names = ['a.example.com', 'a.b.example.com', 'example.com', '.example.com', 'a.example.com.evil'];
    await sameEach(build('*.example.com'), names.map(host));
    await sameEach(build('www.*'), ['www.a', 'www.', 'www', 'xwww.a'].map(host));
    await sameEach(build('a*b*c'), ['abc', 'axbxc', 'acb', 'abbc', 'abcx', 'ac'].map(host));
    await sameEach(build('*'), ['a', 'a.b'].map(host));
    await sameEach(build('a*a'), ['a', 'aa', 'aba'].map(host));
  });

  test('regular expression: must match the whole name, and its groups are passed on', async () => {
    const [answer] = await sameEach(
      build(/(\w+)\.(\w+)\.com/),
      ['a.b.com', 'A.B.COM', 'xa.b.com:1', 'a.b.com.x'].map(host),
    );
    assert.deepEqual(JSON.parse(answer!.text), {
      0: 'a',
      1: 'b',
      host: 'a.b.com',
      hostname: 'a.b.com',
      length: 2,
    });
    await sameEach(build(/A/i), ['a'].map(host));
  });

  test('regular expression: every alternative must match the whole name (Express 3 anchors only the outer ends)', async () => {
    const answers = await askAll(build(/a|b/)(web), ['a', 'b', 'ax', 'xb'].map(host));
    assert.deepEqual(each(answers, 'status'), [200, 200, 404, 404]);
  });

  test('server: gets the request as an event', async () => {
    const server = http.createServer((_req, res) => res.end('by the server'));
    const [answer] = await sameEach(web => [web.vhost('a', server)], [host('a'), host('b')]);
    assert.equal(answer!.text, 'by the server');
  });

  test('Host: an invalid host matches no vhost', async () => {
    const names = ['evil.com:fake@example.com', 'example.com/x', ''];
    for (const answer of await askAll(build('*')(web), names.map(host))) assert.equal(answer.status, 404);
  });

  test('many stars: take linear time', () => {
    const match = web.vhost(`${'*a'.repeat(50)}*b*`, () => undefined);
    const requestFor = (host: string) => ({ headers: { host } }) as never;
    assertLinear(length => {
      const req = requestFor('a'.repeat(length));
      return () => match(req, {} as never, () => undefined);
    }, 'many stars');
  });

  test('wrong arguments: throw', () => {
    const vhost = loose(web.vhost);
    for (const args of [[], [null, seen], ['', seen], [1, seen]]) {
      assert.throws(
        () => vhost(...args),
        /^TypeError: vhost\(\): expected a host name or a regular expression, got /,
      );
    }
    for (const args of [['a'], ['a', {}], ['a', 1]]) {
      assert.throws(() => vhost(...args), /^TypeError: vhost\(\): expected a server or a function/);
    }
  });
});

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

/** `web.basicAuth`: authenticates users by a fixed pair or a callback, and sends 401 or 400 to all others. */
describe('web.basicAuth', () => {
  test('fixed user and password: lets that pair in and sends 401 with the realm to all others', async () => {
    const answers = await sameEach(web => [web.basicAuth('tobi', 'ferret'), who], [{}, right, ...wrong]);
    assert.deepEqual(each(answers, 'status'), [401, 200, 401, 401, 401, 401, 401]);
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
    assert.deepEqual(each(answers, 'status'), [200, 401, 401]);
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

const named = (method: string) => ({ method: 'POST', headers: { 'X-HTTP-Method-Override': method } });

/** `web.methodOverride`: changes the method of a POST request by a form value or a header. */
describe('web.methodOverride', () => {
  const seen = show(req => [req.method, req.originalMethod, req.body]);
  const build = (web: Web) => [web.json(), web.urlencoded(), web.methodOverride(), seen];

  test('field of the body: sets the method, in any case, and is removed', async () => {
    const answers = await sameEach(build, [
      postJson({ _method: 'PUT', name: 'tobi' }),
      postJson({ _method: 'delete' }),
      post('application/x-www-form-urlencoded', '_method=patch&name=tobi'),
    ]);
    assert.equal(answers[0]!.text, '["PUT","POST",{"name":"tobi"}]');
    assert.equal(answers[1]!.text, '["DELETE","POST",{}]');
    assert.equal(answers[2]!.text, '["PATCH","POST",{"name":"tobi"}]');
  });

  test('field of the body: an unsupported method changes nothing', async () => {
    const values = ['bogus', '', 1, { a: 1 }, null, 'constructor', '__proto__', 'toString', 'PUT\r\nX: y'];
    for (const answer of await sameEach(
      build,
      values.map(value => postJson({ _method: value })),
    )) {
      assert.equal(answer.text, '["POST","POST",{}]');
    }
  });

  test('header field: sets the method, and takes precedence', async () => {
    const answers = await sameEach(build, [
      named('DELETE'),
      named('DELETE, PUT'),
      named('bogus'),
      named(''),
      postJson({ _method: 'PUT' }, named('DELETE')),
      postJson({ _method: 'PUT' }, named('bogus')),
    ]);
    const methods = answers.map(answer => JSON.parse(answer.text)[0]);
    assert.deepEqual(methods, ['DELETE', 'DELETE', 'POST', 'POST', 'DELETE', 'PUT']);
    for (const answer of answers) assert.equal(answer.headers.vary, 'X-HTTP-Method-Override');
  });

  test('key: is the name of the field', async () => {
    const build = (web: Web) => [web.json(), web.methodOverride('verb'), seen];
    const answers = await sameEach(build, [postJson({ verb: 'PUT' }), postJson({ _method: 'PUT' })]);
    assert.equal(answers[0]!.text, '["PUT","POST",{}]');
    assert.equal(answers[1]!.text, '["POST","POST",{"_method":"PUT"}]');
  });

  test('other methods than POST: are unchanged (Express 3 changes them)', async () => {
    const requests = ['GET', 'HEAD', 'PUT', 'DELETE'].flatMap(method => [
      { ...named('PATCH'), method },
      postJson({ _method: 'PATCH' }, { method }),
    ]);
    const methods = (await askAll(build(web), requests)).map(answer => answer.headers.vary);
    assert.equal(new Set(methods).size, 1);
    const answers = await askAll(build(web), [{ ...named('DELETE'), method: 'GET' }]);
    assert.equal(answers[0]!.text, '["GET","GET",{}]');
  });

  test('body: is ignored if it is not an object, or only inherits the field', async () => {
    for (const body of [undefined, null, 'text', Object.create({ _method: 'PUT' })]) {
      const [answer] = await askAll([given({ body }), web.methodOverride(), seen], [{ method: 'POST' }]);
      assert.equal(JSON.parse(answer!.text)[0], 'POST');
    }
  });

  test('Vary: is appended to the existing value', async () => {
    const build = (web: Web) => [
      (_req: unknown, res: { setHeader(name: string, value: string): void }, next: () => void) => {
        res.setHeader('Vary', 'Accept');
        next();
      },
      web.methodOverride(),
      seen,
    ];
    const [answer] = await sameEach(build as never, [{ method: 'POST' }]);
    assert.equal(answer!.headers.vary, 'Accept, X-HTTP-Method-Override');
  });
});
