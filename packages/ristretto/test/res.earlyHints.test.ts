/** `res.earlyHints`: sends 103 Early Hints with links. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Response } from 'ristretto';
import { later } from './support/hooks.js';
import { exchangeRaw, withServer } from './support/http.js';
import { askHttp2 } from './support/http2.js';

type Links = Parameters<Response['earlyHints']>[0];

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

  test('line break: throws a TypeError in any part of a link', () => {
    const all = [
      `<a\r\nX-Evil: 1>; rel=preload`,
      [`${PRELOAD}\n`],
      { 'a\r\nb': '/' },
      { preload: { href: '/', as: 'a\nb' } },
    ];
    for (const links of all) assert.equal((thrown(links) as NodeJS.ErrnoException).code, 'ERR_INVALID_CHAR');
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
    ]) {
      const error = thrown(links);
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /^res\.earlyHints: expected \{ preload: \{ href: .*, got [^]+$/);
    }
  });

  test('a malformed link: is rejected by Node', async () => {
    const app = web()
      .set('env', 'test')
      .use((_req, res) => res.earlyHints('/app.css').send());
    assert.match(
      await exchange(app),
      /^HTTP\/1\.1 500[^]*TypeError[^]*format &quot;&lt;\/styles\.css&gt;; rel=preload; as=style/,
    );
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
      // too late: the response is already waiting for its hooks
      res.earlyHints(PRELOAD);
    });
    assert.match(
      await exchange(app),
      /^HTTP\/1\.1 103 Early Hints\r\nLink: [^\r]*\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    );
    assert.equal(runs, 1);
  });
});
