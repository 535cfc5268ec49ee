/** Responses that are a status: `res.status`, `sendStatus`, `redirect`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, returning, sameEach, sameNotices } from '../../support/compare.js';
import { ask } from '../../support/http.js';
import type { Ask } from '../../support/http.js';
import { comparable, frameworks, same } from '../../support/oracle.js';
import { words } from '../../support/random.js';

describe('res.status', () => {
  test('code: sets the status code and returns the response', async () => {
    for (const code of [200, 201, 299, 404, 418, 500, 599, 700, 999]) {
      const answer = await same(
        answering((_req, res) => {
          assert.equal(res.status(code), res);
          res.end();
        }),
      );
      assert.equal(answer.status, code);
    }
  });

  test('code out of range: throws a RangeError when the header block is written', async () => {
    for (const code of [0, 99, 1000, -1, undefined, null, 'abc', NaN]) {
      const answer = await same(answering((_req, res) => loose(res).status!(code).end()));
      assert.match(answer.text, /^RangeError: Invalid status code: /);
    }
  });

  test('code as text or with a fraction: is deprecated, and the notice names both codes', async () => {
    const asText = await sameNotices(answering((_req, res) => loose(res).status!('201').end()));
    assert.deepEqual(asText, ['res.status("201"): use res.status(201) instead']);
    const fraction = await sameNotices(answering((_req, res) => res.status(200.5).end()));
    assert.deepEqual(fraction, ['res.status(200.5): use res.status(200) instead']);
    const outOfRange = await sameNotices(answering((_req, res) => loose(res).status!('99').end()));
    assert.deepEqual(outOfRange, []);
  });
});

describe('res.sendStatus', () => {
  test('known code: sends its reason phrase as plain text', async () => {
    const build = answering((req, res) => res.sendStatus(Number(req.url.slice(1))));
    const codes = [200, 201, 202, 300, 301, 400, 401, 403, 404, 418, 421, 422, 429, 500, 503, 511];
    const [first] = await sameEach(
      build,
      codes.map(code => `/${code}`),
    );
    assert.equal(first?.text, 'OK');
    assert.equal(first.headers['content-type'], 'text/plain; charset=utf-8');
  });

  test('unknown code: sends the number', async () => {
    const answer = await same(answering((_req, res) => res.sendStatus(599)));
    assert.equal(answer.text, '599');
  });

  test('code as text: is sent unchanged', async () => {
    await same(answering((_req, res) => loose(res).sendStatus!('404')));
  });

  test('code 204, 205, 304: sends no body', async () => {
    for (const code of [204, 205, 304]) {
      assert.equal((await same(answering((_req, res) => res.sendStatus(code)))).body.length, 0);
    }
  });

  test('code out of range: throws a RangeError', async () => {
    assert.match(
      (await same(answering((_req, res) => res.sendStatus(1000)))).text,
      /^RangeError: Invalid status code: 1000/,
    );
  });

  test('type that is set: is replaced by plain text', async () => {
    await same(answering((_req, res) => res.type('json').sendStatus(400)));
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.sendStatus(200)));
  });
});

const html = (path = '/'): Ask => ({ path, headers: { Accept: 'text/html' } });
const ACCEPTS = ['text/html', 'text/plain', '*/*', 'image/png', 'text/plain;q=.5, text/html;q=.4', ''];

describe('res.redirect', () => {
  test('path: takes every form and sends 302 by default', async () => {
    for (const path of [
      ...words('http://google.com /admin post/new .. ./x'),
      '',
      'mailto:a@b.c',
      '/é?q=<>&"\'',
    ]) {
      const answer = await same(answering((_req, res) => res.redirect(path)));
      assert.equal(answer.status, 302);
    }
  });

  test('status: is the first argument', async () => {
    for (const status of [200, 201, 300, 301, 303, 304, 307, 308, 599]) {
      const build = answering((_req, res) => res.redirect(status, '/x'));
      const answer = await same(build, html());
      assert.equal(answer.status, status);
    }
  });

  test('page: is plain text, HTML or empty, depending on Accept', async () => {
    const build = answering((_req, res) => res.redirect('/a?b=<c>&d'));
    const answers = await sameEach(
      build,
      ACCEPTS.map(value => ({ headers: { Accept: value } })),
    );
    assert.equal(answers[0]?.text, '<p>Found. Redirecting to /a?b=%3Cc%3E&amp;d</p>');
    assert.equal(answers[1]?.text, 'Found. Redirecting to /a?b=%3Cc%3E&d');
    assert.equal(answers[3]?.text, '');
  });

  test('HEAD: sends no page, and the headers of GET', async () => {
    const build = answering((_req, res) => res.redirect('/x?<&>'));
    const [head, get] = await sameEach(build, [{ ...html(), method: 'HEAD' }, html()]);
    assert.equal(head!.body.length, 0);
    assert.notEqual(head!.headers['content-length'], '0');
    assert.deepEqual(comparable(head!).headers, comparable(get!).headers);
  });

  test('CVE-2024-43796: the page has a policy that allows nothing, unless the application has set one', async () => {
    const build = answering((_req, res) => res.redirect('/x'));
    const policies = (await sameEach(build, [html(), '/', { headers: { Accept: 'image/png' } }])).map(
      ({ headers }) => headers['content-security-policy'],
    );
    assert.deepEqual(policies, ["default-src 'none'", undefined, undefined]);
    for (const name of ['Content-Security-Policy', 'content-security-policy']) {
      const own = answering((_req, res) => res.set(name, "img-src 'self'").redirect('/x'));
      const { rawHeaders } = await same(own, html());
      assert.deepEqual(
        rawHeaders.filter(([one]) => /policy/i.test(one)),
        [[name, "img-src 'self'"]],
      );
    }
    const reported = answering((_req, res) =>
      res.set('Content-Security-Policy-Report-Only', "img-src 'self'").redirect('/x'),
    );
    assert.equal((await same(reported, html())).headers['content-security-policy'], "default-src 'none'");
  });

  test('CVE-2024-43796: the page has no link and no markup from the URL', async () => {
    const hostile = [
      'javascript:alert(1)',
      'http://example.com/?param=<script>alert("hi");</script>',
      `"><img src=x onerror='a'>`,
      'data:text/html,<b>',
      '\'"&<>',
    ];
    for (const url of hostile) {
      const answer = await same(
        answering((_req, res) => res.redirect(url)),
        html(),
      );
      assert.equal(/<(?!!DOCTYPE html>|\/?(?:p|head|title|body)>)/.test(answer.text), false);
      assert.equal(answer.text.includes('href'), false);
    }
  });

  test('path: random text is redirected to as in Express', async () => {
    const urls = fc.sample(fc.string({ unit: 'binary', maxLength: 30 }), { seed: 33, numRuns: 50 });
    await sameEach(
      answering((req, res) => res.redirect(urls[Number(req.url.slice(1))]!)),
      urls.map((_url, at) => html(`/${at}`)),
    );
  });

  test('back: redirects to the Referer, or /', async () => {
    const build = answering((_req, res) => res.redirect('back'));
    await sameEach(build, [
      '/',
      html(),
      { headers: { Referer: 'http://a.b/c' } },
      { headers: { Referer: '/<x>' } },
    ]);
    const notices = await sameNotices(answering((_req, res) => res.redirect(301, 'back')));
    assert.equal(notices.length, 1);
  });

  test('CVE-2025-54420: back never leads to //host', async () => {
    const build = answering((_req, res) => res.redirect('back'));
    for (const referer of ['//evil.example/x', '/\\evil.example', '\\\\evil']) {
      const answer = await ask(build(frameworks.ristretto), { headers: { Referer: referer } });
      assert.equal(answer.headers.location, '/');
    }
  });

  test('deprecated res.redirect(url, status): still redirects', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).redirect!('/x', 301)));
    assert.deepEqual(notices, ['res.redirect(url, status): Use res.redirect(status, url) instead']);
  });

  test('path undefined or not a string: is converted to a string', async () => {
    await same(
      answering((_req, res) => loose(res).redirect!()),
      html(),
    );
    await same(
      answering((_req, res) => loose(res).redirect!(301, undefined)),
      html(),
    );
    await same(
      answering((_req, res) => loose(res).redirect!(301, 5)),
      html(),
    );
    await same(
      answering((_req, res) => loose(res).redirect!(new URL('http://a.b/c'))),
      html(),
    );
  });

  test('type, ETag and Vary that are set: the type is replaced, the others are kept', async () => {
    await same(
      answering((_req, res) => res.type('json').set('ETag', '"x"').vary('Origin').redirect('/x')),
      html(),
    );
  });
});
