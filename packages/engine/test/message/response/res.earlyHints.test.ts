/** `res.earlyHints`: sends 103 Early Hints with links. */
import assert from 'node:assert/strict';
import { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Response } from 'ristretto';
import { later } from '../../support/hooks.js';
import { exchangeRaw, withServer } from '../../support/http.js';
import { askHttp2 } from '../../support/http2.js';

type Links = Parameters<Response['earlyHints']>[0];

/** Whether this version of Node can send any link. */
const canInform = 'writeInformation' in ServerResponse.prototype;

const PRELOAD = '</app.css>; rel=preload; as=style';

/** Returns an application that sends early hints before it responds. */
const hinting = (...all: Links[]): ReturnType<typeof web> =>
  web()
    .set('env', 'test')
    .use((_req, res) => {
      for (const links of all) assert.equal(res.earlyHints(links), res);
      res.send('page');
    });

/** Returns all responses that the server sends to one request over HTTP/1.1. */
const exchange = async (app: ReturnType<typeof web>, version = '1.1'): Promise<string> =>
  withServer(app, async port =>
    String(await exchangeRaw(port, `GET / HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`)),
  );

/** Returns the Link headers of the informational responses. */
const hints = async (...all: Links[]): Promise<string[]> => {
  const text = await exchange(hinting(...all));
  const parts = text.split('\r\n\r\n').filter(part => part.startsWith('HTTP/1.1 103 Early Hints\r\n'));
  assert.match(text, /HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\npage$/);
  return parts.map(part => part.replace('HTTP/1.1 103 Early Hints\r\nLink: ', ''));
};

const thrown = (links: unknown): Error => {
  let error: Error | undefined;
  const { earlyHints } = web.response as unknown as { earlyHints: (links: unknown) => void };
  const written: unknown[] = [];
  const res = {
    req: { httpVersion: '1.1' },
    writeEarlyHints: (hints: unknown) => written.push(hints),
  };
  try {
    earlyHints.call(res, links);
  } catch (caught) {
    error = caught as Error;
  }
  assert.deepEqual(written, []);
  return error!;
};

describe('res.earlyHints', () => {
  test('links: are given by relation, as for res.links', async () => {
    assert.deepEqual(await hints({ preconnect: 'https://cdn.example', modulepreload: '/app.mjs' }), [
      '<https://cdn.example>; rel="preconnect", </app.mjs>; rel="modulepreload"',
    ]);
  });

  test('links: may be several for a relation, with parameters', async () => {
    const links = {
      preload: [
        { href: '/app.css', as: 'style' },
        { href: '/a.woff2', as: 'font', crossorigin: true, type: undefined },
        '/b',
      ],
    } as const;
    assert.deepEqual(await hints(links), [
      '</app.css>; rel="preload"; as="style", </a.woff2>; rel="preload"; as="font"; crossorigin, </b>; rel="preload"',
    ]);
  });

  test('links: may be one or several header values', async () => {
    assert.deepEqual(await hints(PRELOAD), [PRELOAD]);
    assert.deepEqual(await hints([PRELOAD, '</b>; rel=preload']), [`${PRELOAD}, </b>; rel=preload`]);
  });

  test('links: an empty list sends nothing', async () => {
    assert.deepEqual(await hints([], {}), []);
  });

  test('several: each call sends its own response', async () => {
    assert.deepEqual(await hints(PRELOAD, { next: '/2' }), [PRELOAD, '</2>; rel="next"']);
  });

  test('URL: invalid characters are encoded, so the URL cannot be ended early', async () => {
    assert.deepEqual(await hints({ next: '/a b>"\r\nX-Evil: 1é' }), [
      '</a%20b%3E%22%0D%0AX-Evil:%201%C3%A9>; rel="next"',
    ]);
  });

  test('line break: the link is left out, and the response follows', async () => {
    const all: Links[] = [
      '<a\r\nX-Evil: 1>; rel=preload',
      [`${PRELOAD}\n`, PRELOAD],
      { 'a\r\nb': '/' },
      { preload: [{ href: '/', as: 'a\nb' }, '/b'] },
    ];
    assert.deepEqual(await hints(...all), [PRELOAD, '</b>; rel="preload"']);
  });

  test('quotes: are escaped, so a value cannot add parameters', async () => {
    const title = 'a"; rel="evil\\';
    assert.deepEqual(
      await hints({ 'next"; x="y': '/1' }, { preload: { href: '/2', title } }),
      canInform ? ['</1>; rel="next\\"; x=\\"y"', '</2>; rel="preload"; title="a\\"; rel=\\"evil\\\\"'] : [],
    );
  });

  test('spaces in parameters: are sent, or the link is left out on versions of Node that cannot send them', async () => {
    const preload = [
      { href: '/a.png', as: 'image', media: '(min-width: 600px)' },
      { href: '/b.png', as: 'image', imagesrcset: 'b.png 1x, c.png 2x' },
      { href: '/c', title: 'Chapter 2; the end' },
      '/d',
    ];
    const sent = [
      '</a.png>; rel="preload"; as="image"; media="(min-width: 600px)"',
      '</b.png>; rel="preload"; as="image"; imagesrcset="b.png 1x, c.png 2x"',
      '</c>; rel="preload"; title="Chapter 2; the end"',
      '</d>; rel="preload"',
    ];
    const expected = canInform ? sent : sent.slice(-1);
    assert.deepEqual(await hints({ preload }), [expected.join(', ')]);
    const { informational, status, text } = await askHttp2(hinting({ preload }));
    assert.deepEqual([informational[0]!.link, status, text], [expected.join(', '), 200, 'page']);
    assert.deepEqual(await hints({ preload: preload.slice(0, 1) }), canInform ? sent.slice(0, 1) : []);
  });

  test('a malformed link: is left out, and the response follows', async () => {
    const malformed = [
      '/app.css',
      '</a',
      '</a> rel=preload',
      '</a>; rel="x',
      '</a>; =x',
      '</a>, </b>',
      '</é\u20ac>',
    ];
    assert.deepEqual(await hints(...malformed, [...malformed, PRELOAD]), [PRELOAD]);
  });

  test('another form: throws a TypeError that shows the valid forms', () => {
    for (const links of [
      undefined,
      null,
      5,
      [5],
      { preload: 5 },
      { preload: null },
      { preload: { as: 'style' } },
      { preload: { href: '/', 'a b': 'c' } },
    ]) {
      const error = thrown(links);
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /^res\.earlyHints: expected \{ preload: \{ href: .*, got [^]+$/);
    }
  });

  test('too late: does nothing once the headers have been sent', async () => {
    const app = web().use((_req, res) => {
      res.write('a');
      res.earlyHints(PRELOAD).end();
    });
    assert.doesNotMatch(await exchange(app), /103/);
  });

  test('HTTP/1.0: does nothing', async () => {
    assert.match(await exchange(hinting(PRELOAD), '1.0'), /^HTTP\/1\.1 200/);
  });

  test('HTTP/2: sends an informational response', async () => {
    const { informational, status } = await askHttp2(hinting({ preload: { href: '/app.css', as: 'style' } }));
    assert.equal(status, 200);
    assert.deepEqual(
      informational.map(({ ':status': code, link }) => [code, link]),
      [[103, '</app.css>; rel="preload"; as="style"']],
    );
  });

  test('app.fetch: sends no early hints', async () => {
    assert.equal(await (await hinting(PRELOAD).fetch(new Request('http://localhost/'))).text(), 'page');
  });

  test('hooks: do not run for it and do not delay it', async () => {
    let runs = 0;
    const app = web().use((_req, res) => {
      res.onSend(later(() => void runs++));
      res.earlyHints(PRELOAD);
      assert.equal(runs, 0);
      res.send('page');
      // This is too late: the response is already waiting for its hooks
      res.earlyHints(PRELOAD);
    });
    assert.match(
      await exchange(app),
      /^HTTP\/1\.1 103 Early Hints\r\nLink: [^\r]*\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    );
    assert.equal(runs, 1);
  });

  test('pipelined: none are sent behind an unfinished response, where they would be a part of its body', async () => {
    const app = web().set('env', 'test');
    app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 20));
    app.use((_req, res) => void res.earlyHints(PRELOAD).send('page'));
    const requests = ['/slow', '/page'].map(path => `GET ${path} HTTP/1.1\r\nHost: a\r\n`);
    const bytes = `${requests.join('\r\n')}Connection: close\r\n\r\n`;
    const text = await withServer(app, async port => String(await exchangeRaw(port, bytes)));
    assert.doesNotMatch(text, / 103 /);
    assert.match(text, /\r\n\r\nslowHTTP\/1\.1 200 OK\r\n[^]*\r\n\r\npage$/);
  });
});
