/** Response headers, in the forms of 3.x. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type web from 'ristretto3';
import type { Response } from 'ristretto3/lib/types/core';
import { answering, looking, ours, same } from './support/oracle.js';
import { words } from '../../engine/test/support/random.js';

const sends = (answer: (res: Response) => unknown) => same(answering((_req, res) => void answer(res)));
const here = (answer: (res: Response) => unknown) => ours(answering((_req, res) => void answer(res)));

describe('res.charset', () => {
  test('default: is utf-8 for text that is sent', async () => {
    assert.equal((await sends(res => res.send('é'))).headers['content-type'], 'text/html; charset=utf-8');
    assert.equal((await same(looking((_req, res) => res.charset))).text, 'undefined');
  });

  test('assigned: is added to a Content-Type without a charset', async () => {
    for (const type of ['text/plain', 'image/png', 'text/html; charset=x', 'a/b;charset=x']) {
      await sends(res => {
        res.charset = 'iso-8859-1';
        res.set('Content-Type', type).end('x');
      });
    }
    const answer = await sends(res => {
      res.charset = 'value';
      res.type('html').end('x');
    });
    assert.equal(answer.headers['content-type'], 'text/html; charset=value');
  });

  test('assigned: text that is sent is still encoded as utf-8', async () => {
    const answer = await sends(res => {
      res.charset = 'iso-8859-1';
      res.send(`${res.charset} é`);
    });
    assert.equal(answer.text, 'iso-8859-1 é');
  });
});

describe('res.set', () => {
  test('field: sets one, several from an object, or a list of values; res.header is an alias', async () => {
    await sends(res => res.set('X-A', 'b').end());
    await sends(res => res.set({ 'X-A': 1, 'X-B': ['a', 2] as never }).end());
    await sends(res => res.header('X-A', 'b').end());
    await sends(res => res.set('X-List', [1, 2] as never).end());
  });

  test('Content-Type: is set without adding a charset', async () => {
    assert.equal(
      (await sends(res => res.set('Content-Type', 'text/html').end())).headers['content-type'],
      'text/html',
    );
  });

  test('line break: sends 500 and never splits the header', async () => {
    assert.equal((await here(res => res.set('X-A', 'a\r\nX-B: c').end())).status, 500);
  });

  test('res.get: returns the value for a name in any case', async () => {
    await same(looking((_req, res) => [res.set('X-A', 'b').get('x-a'), res.get('X-B')]));
  });
});

describe('res.type', () => {
  test('type: sets a media type, also from an extension; res.contentType is an alias', async () => {
    for (const type of words('html .html json png application/x-y text/plain unknown js css')) {
      await sends(res => res.type(type).end());
      await sends(res => res.contentType(type).end());
    }
  });
});

describe('res.vary', () => {
  test('field: is added only once', async () => {
    await sends(res => res.vary('Accept').vary(['Accept', 'Cookie']).vary('accept').end());
    await sends(res => (res as unknown as { vary(): Response }).vary().end());
  });
});

describe('res.attachment', () => {
  test('name: sets its type and disposition', async () => {
    await sends(res => res.attachment().end());
    await sends(res => res.attachment('/a/b/logo.png').end());
    await sends(res => res.attachment('plain').end());
  });
});

describe('res.cookie', () => {
  test('options: match the oracle, with / as the default path', async () => {
    const expires = new Date(0);
    await sends(res => res.cookie('a', 'b c').end());
    await sends(res => res.cookie('a', { b: [1] }).end());
    await sends(res =>
      res.cookie('a', 5, { path: '/p', domain: 'x.com', secure: true, httpOnly: true }).end(),
    );
    await sends(res => res.cookie('a', 'b', { expires }).end());
    const { headers } = await here(res => res.cookie('a', 'b', { maxAge: 1000 }).end());
    assert.match(headers['set-cookie']!, /^a=b; Max-Age=1; Path=\/; Expires=/);
  });

  test('several: each has its own header', async () => {
    const answer = await sends(res =>
      res.cookie('a', '1').cookie('b', '2').clearCookie('c', { path: '/x' }).end(),
    );
    assert.equal(answer.rawHeaders.filter(([name]) => name === 'Set-Cookie').length, 3);
  });

  test('attributes: cannot be injected (CVE-2024-47764)', async () => {
    assert.equal((await here(res => res.cookie('a; Max-Age=1', 'x').end())).status, 500);
    assert.equal((await here(res => res.cookie('a', 'x', { path: '/; Secure' }).end())).status, 500);
  });

  test('signed: fails without a secret', async () => {
    assert.equal((await here(res => res.cookie('a', 'b', { signed: true }).end())).status, 500);
  });
});

describe('res.setHeader', () => {
  test('Set-Cookie: is appended to earlier ones', async () => {
    for (const cookies of [
      ['a=1', 'b=2'],
      ['a=1', ['b=2', 'c=3']],
      [['a=1', 'b=2'], 'c=3'],
      ['a=1', ['a=1', 'b=2']],
      [['a=1', 'b=2'], ['a=1', 'b=2', 'c=3'], 'd=4'],
    ]) {
      await sends(res => {
        for (const cookie of cookies) res.setHeader('Set-Cookie', cookie);
        res.cookie('last', 'x').end();
      });
    }
  });
});

describe('res.headerSent', () => {
  test('before and after: is false, then true, like res.headersSent', async () => {
    for (const build of [
      answering((_req, res) => {
        const before = res.headerSent;
        res.write('x');
        res.end([before, res.headerSent, res.headersSent].join());
      }),
    ]) {
      assert.equal((await same(build)).text, 'xfalse,true,true');
    }
  });
});

describe('event header', () => {
  test('moment: is emitted once before the header block is sent, when headers can still be set', async () => {
    for (const end of [
      (res: Response) => res.send('x'),
      (res: Response) => res.json({ a: 1 }),
      (res: Response) => void res.writeHead(201, { 'X-Early': 'yes' }).end(),
      (res: Response) => (res.write('x'), res.end('y')),
      (res: Response) => res.redirect('/x'),
    ]) {
      await sends(res => {
        let times = 0;
        res.on('header', function (this: unknown) {
          times++;
          res.setHeader('X-Seen', [times, res.headersSent, this === res, res.get('X-Early')].join());
        });
        end(res);
      });
    }
  });

  test('listeners: the last one is called first; once and addListener register them too', async () => {
    const { headers } = await here(res => {
      const seen: string[] = [];
      const note = (name: string) => () => {
        seen.push(name);
        res.setHeader('X-Seen', seen.join());
      };
      res.on('header', note('on'));
      res.once('header', note('once'));
      res.addListener('header', note('added'));
      res.end();
    });
    assert.equal(headers['x-seen'], 'added,once,on');
  });

  test('pages: emits the event for pages of the final handler too', async () => {
    await same(web =>
      web().use((_req: web.Request, res: web.Response, next: web.NextFunction) => {
        res.on('header', () => res.setHeader('X-Seen', 'yes'));
        next();
      }),
    );
  });

  test('other events: are handled by Node.js', async () => {
    const { text } = await here(res => {
      res.on('finish', () => undefined).once('close', () => undefined);
      res.end([res.listenerCount('finish') > 0, Object.hasOwn(res, 'writeHead')].join());
    });
    assert.equal(text, 'true,false');
  });
});

const sendsLinks = (respond: (res: Response) => unknown) => same(answering((_req, res) => void respond(res)));

/** `res.links` of 3.x: appends links to an existing `Link` header. */
describe('res.links', () => {
  test('links: writes <url>; rel="name" for each, separated by commas, after the existing Link value', async () => {
    const { headers } = await sendsLinks(res =>
      res.links({ next: '/?p=2', last: '/?p=5' }).links({ prev: '/?p=1' }).end(),
    );
    assert.equal(headers.link, '</?p=2>; rel="next", </?p=5>; rel="last", </?p=1>; rel="prev"');
    await sendsLinks(res => res.set('Link', '</x>').links({ next: '/y' }).end());
    await sendsLinks(res => res.links({}).end());
  });
});
