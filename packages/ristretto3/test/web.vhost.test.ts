/** `web.vhost`: passes requests to a server by their hostname, with wildcards and regular expressions. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { assertLinear } from '../../engine/test/support/worst-case.js';
import { askAll, loose, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const host = (name: string) => ({ headers: { Host: name } });
const seen = show(req => req.vhost as unknown);
const build = (hostname: string | RegExp) => (web: Web) => [web.vhost(hostname, seen)];

describe('web.vhost', () => {
  test('name: matches in any case, with any port, and no other name', async () => {
    const names = [
      'example.com',
      'EXAMPLE.com:8080',
      'xexample.com',
      'example.com.evil',
      'example.co',
      '[::1]:80',
    ];
    const answers = await sameEach(build('example.com'), names.map(host));
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200, 404, 404, 404, 404],
    );
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
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200, 404, 404],
    );
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
