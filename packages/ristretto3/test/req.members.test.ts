/** What a request provides about its client, its URL, and what it accepts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto3';
import type { Request, RequestHandler } from 'ristretto3/lib/types/core';
import { found, frameworks, looking, ours, same } from './support/oracle.js';
import type { Build } from './support/oracle.js';

const FORWARDED = {
  Host: 'tobi.ferrets.example.com:3000',
  'X-Forwarded-Host': 'a.b.foo.com:30',
  'X-Forwarded-For': '1.2.3.4, 5.6.7.8',
  'X-Forwarded-Proto': 'https',
};

const network = (settings: Record<string, unknown>) =>
  looking(req => [req.host, req.protocol, req.secure, req.ip, req.ips, req.subdomains], settings);

describe('req.host', () => {
  test('Host: is returned without its port', async () => {
    for (const Host of ['example.com', 'example.com:3000', 'localhost', '[::1]:80', 'EXAMPLE.com']) {
      await same(
        looking(req => req.host),
        { headers: { Host } },
      );
    }
  });

  test('hostname: is available as in 4.x', async () => {
    assert.equal(await found(req => req.hostname === req.host), true);
  });
});

describe('req.ip', () => {
  test('trust proxy: disabled: uses the peer and ignores forwarded headers', async () => {
    await same(network({}), { headers: FORWARDED });
    assert.deepEqual(await found(req => req.ips, { headers: FORWARDED }), []);
  });

  test('trust proxy: enabled: uses the forwarded headers', async () => {
    const answer = await same(network({ 'trust proxy': true }), { headers: FORWARDED });
    assert.match(answer.text, /'a\.b\.foo\.com', 'https', true, '1\.2\.3\.4'/);
  });

  test('trust proxy: a number and addresses work as in 4.x', async () => {
    for (const value of [1, 'loopback', '127.0.0.1, 5.6.7.8']) {
      await same(network({ 'trust proxy': value }), { headers: FORWARDED });
    }
  });
});

describe('req.subdomains', () => {
  test('subdomain offset: follows the setting', async () => {
    for (const offset of [0, 1, 2, 5]) {
      await same(
        looking(req => req.subdomains, { 'subdomain offset': offset }),
        { headers: FORWARDED },
      );
    }
  });
});

describe('req.params', () => {
  const answer: Build = web => {
    const app = web();
    const respond: RequestHandler = (req, res) => {
      const params = req.params as unknown as string[];
      res.send(
        200,
        [Array.isArray(params), params.length, ...params.slice(), ...Object.entries(params).flat()].join(),
      );
    };
    app
      .get('/users/:id/:format?', respond)
      .get('/files/*.*', respond)
      .get(/^\/(\w+)-(\d+)$/, respond);
    return app.get('/x/:a/*', respond);
  };

  test('named: parameters are decoded properties', async () => {
    for (const path of ['/users/7', '/users/7/json', '/users/a%20b%2Fc/x']) await same(answer, path);
  });

  test('groups: are numbered, for patterns with * and for regular expressions', async () => {
    for (const path of ['/files/a/b.txt', '/item-42', '/x/1/y/z']) await same(answer, path);
  });

  test('default: is an empty object in middleware', async () => {
    const build: Build = web => web().use((req: web.Request, res: web.Response) => res.send(req.params));
    assert.equal((await ours(build)).text, '{}');
  });

  test('path: each path of an array uses its own parameter names', async () => {
    const build: Build = web =>
      web().get(['/a/:x', '/b/:y'], (req, res) => res.send(200, `${req.params.x}${req.params.y}`));
    assert.equal((await ours(build, '/b/7')).text, 'undefined7');
  });
});

describe('req.query', () => {
  test('query: parses nested objects and arrays; is empty without a query string', async () => {
    for (const path of ['/', '/?a=1&b[c]=2&d[]=1&d[]=2&e=&f', '/?a=%20+x', '/?a=1&a=2']) {
      await same(
        looking(req => req.query),
        path,
      );
    }
  });
});

describe('req.param', () => {
  test('name: is looked up in params, body and query; else returns the default', async () => {
    const build: Build = web => {
      const app = web();
      app.use(web.json());
      return app.all('/:id', (req, res) => {
        const values = ['id', 'b', 'q', 'none'].map(name => req.param(name));
        res.send(200, [...values, req.param('none', 'default')].join());
      });
    };
    const request = {
      method: 'POST',
      path: '/7?q=1&b=query',
      headers: { 'Content-Type': 'application/json' },
    };
    assert.equal(
      (await same(build, { ...request, body: '{"b":"body","id":"no"}' })).text,
      '7,body,1,,default',
    );
    assert.equal((await same(build, '/7?q=1&b=query')).text, '7,query,1,,default');
  });
});

describe('req.get', () => {
  test('field: is case-insensitive, and Referer has both spellings', async () => {
    const look = looking(req => [
      req.get('Referer'),
      req.get('referrer'),
      req.header('host'),
      req.get('x-none'),
    ]);
    await same(look, { headers: { Referer: '/r', Host: 'h' } });
  });
});

describe('req.auth', () => {
  test('credentials: are name and password of the Basic scheme', async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const [Authorization, expected] of [
      [basic('tobi:fe:rret'), { username: 'tobi', password: 'fe:rret' }],
      [basic('tobi:').replace('Basic', 'basic'), { username: 'tobi', password: '' }],
      [basic(':pw'), { username: '', password: 'pw' }],
      [basic('tobi'), undefined],
      ['Basic', undefined],
      ['Basic !!', undefined],
      ['Bearer x', undefined],
    ] as const) {
      assert.deepEqual(await found(req => req.auth, { headers: { Authorization } }), expected);
      await same(
        looking(req => req.auth),
        { headers: { Authorization } },
      );
    }
  });

  test('credentials: are undefined without the header or with extra content in it', async () => {
    assert.equal(await found(req => req.auth), undefined);
    assert.equal(await found(req => req.auth, { headers: { Authorization: 'Basic YTpi extra' } }), undefined);
  });
});

describe('request', () => {
  test('others: match the oracle', async () => {
    const look = looking(req => [
      ...[req.path, req.url, req.originalUrl, req.method, req.xhr, req.fresh, req.stale],
      ...[req.range(1000), req.protocol, req.secure],
    ]);
    for (const headers of [
      {},
      { 'X-Requested-With': 'XMLHttpRequest' },
      { Range: 'bytes=0-10, 20-' },
      { Range: 'bytes=2000-' },
      { Range: 'nonsense' },
    ] as Record<string, string>[]) {
      await same(look, { path: '/a/b?c=d', headers });
    }
  });

  test('fresh: is true for an entity tag that the client has', async () => {
    const build: Build = web => {
      const app = web();
      return app.get('/', (req, res) => {
        res.set('ETag', '"12345"');
        res.send(200, `${String(req.fresh)} ${String(req.stale)}`);
      });
    };
    for (const tag of ['"12345"', '"other"', '*']) await same(build, { headers: { 'If-None-Match': tag } });
  });

  test('objects: req, res and app reference each other', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      let knows: unknown[] = [];
      app.get('/', (req, res) => {
        knows = [req.res === res, res.req === req, req.app === app, res.app === app, typeof req.next];
        res.end();
      });
      await ours(() => app);
      assert.deepEqual(knows, [true, true, true, true, 'function']);
    }
  });
});

describe('req.matchedPath', () => {
  const matched = async (url: string): Promise<unknown> => {
    const send = (req: web.Request, res: web.Response): unknown => res.send({ matched: req.matchedPath });
    const inner = web();
    inner.get('/', send);
    inner.get('/:id', send);
    inner.get(['/a/:b', '/c/:d'], send);
    inner.use('/e', send);
    const app = web();
    app.use('/api', inner);
    app.get('/', send);
    app.use(send);
    return ((await app.inject(url)).json() as { matched?: string }).matched;
  };

  test('routes: are their patterns, prefixed with the mount paths', async () => {
    const found = [matched('/'), matched('/api'), matched('/api/7'), matched('/api/c/7')];
    assert.deepEqual(await Promise.all(found), ['/', '/api', '/api/:id', '/api/c/:d']);
  });

  test('middleware: is the path it is mounted at', async () => {
    assert.deepEqual([await matched('/api/e/f'), await matched('/x')], ['/api/e', undefined]);
  });
});
const ACCEPT = 'text/*;q=0.5, application/json;level=1, image/png;q=0, */*;q=0.1';

/** Content negotiation of requests, in the forms of 3.x. */
describe('req.accepts', () => {
  test('types: returns the best of a list, also of a comma-separated string', async () => {
    for (const Accept of [
      'text/*;q=0.5, application/json',
      'text/html',
      '*/*',
      'text/plain, text/html;q=0.9',
    ]) {
      const look = looking(req => [
        req.accepts('html'),
        req.accepts('text/html'),
        req.accepts('html, json'),
        req.accepts('html,json'),
        req.accepts(['html', 'json']),
        req.accepts('text, json'),
        req.accepts(['text/html', 'application/json']),
      ]);
      await same(look, { headers: { Accept } });
    }
  });

  test('undefined: is returned if nothing is acceptable or given', async () => {
    const look = looking(req => [
      req.accepts('png'),
      req.accepts(['xml', 'png']),
      req.accepts([]),
      req.accepts(''),
    ]);
    const answer = await same(look, { headers: { Accept: 'text/html' } });
    assert.equal(answer.text, '[ undefined, undefined, undefined, undefined ]');
    assert.equal(await found(req => Reflect.apply(req.accepts, req, []) as unknown), undefined);
  });

  test('no field: returns the first', async () => {
    const look = looking(req => [
      req.accepts('html, json'),
      req.accepts(['json', 'html']),
      req.accepts('foo'),
    ]);
    assert.equal((await same(look)).text, "[ 'html', 'json', 'foo' ]");
  });

  test('several arguments: are treated as a list, as in 4.x', async () => {
    assert.equal(
      await found(req => req.accepts('html', 'json'), { headers: { Accept: 'application/json' } }),
      'json',
    );
  });
});

describe('req.accepted', () => {
  test('items: have value, quality, type and subtype, best first', async () => {
    const look = looking(req => req.accepted.map(item => ({ ...item, params: { ...item.params } })));
    const answer = await same(look, { headers: { Accept: ACCEPT } });
    assert.match(
      answer.text,
      /^\[ \{ value: 'application\/json', quality: 1, .*type: 'application', subtype: 'json' \}/,
    );
    assert.equal((await same(look)).text, '[]');
  });
});

describe('req.acceptedLanguages', () => {
  test('order: is by quality; empty without the header', async () => {
    const look = looking(req => req.acceptedLanguages);
    const answer = await same(look, { headers: { 'Accept-Language': 'en;q=0.8, es, pt;q=0, de;q=0.8' } });
    assert.equal(answer.text, "[ 'es', 'en', 'de' ]");
    assert.equal((await same(look)).text, '[]');
  });
});

describe('req.acceptedCharsets', () => {
  test('order: is by quality; empty without the header', async () => {
    const look = looking(req => req.acceptedCharsets);
    const answer = await same(look, { headers: { 'Accept-Charset': 'utf-8;q=.2, utf-7, iso-8859-5;q=.8' } });
    assert.equal(answer.text, "[ 'utf-7', 'iso-8859-5', 'utf-8' ]");
    assert.equal((await same(look)).text, '[]');
  });
});

describe('req.acceptedEncodings', () => {
  test('order: is by quality, with identity; empty without the header', async () => {
    const request = { headers: { 'Accept-Encoding': 'gzip;q=0.5, br' } };
    assert.deepEqual(await found(req => req.acceptedEncodings, request), ['br', 'gzip', 'identity']);
    assert.deepEqual(await found(req => req.acceptedEncodings), []);
  });
});

describe('req.acceptsCharset', () => {
  test('charset: returns true or false', async () => {
    const look = looking(req => [
      req.acceptsCharset('utf-8'),
      req.acceptsCharset('x'),
      req.acceptsCharset(''),
    ]);
    const answer = await same(look, { headers: { 'Accept-Charset': 'utf-8;q=.5, iso-8859-1' } });
    assert.equal(answer.text, '[ true, false, false ]');
    assert.equal((await same(looking(req => req.acceptsCharset('utf-8')))).text, 'true');
  });

  test('charset: a wildcard and another case are acceptable, which Express 3 rejected', async () => {
    const accepts = (req: Request) => req.acceptsCharset('UTF-8');
    for (const value of ['utf-8', '*']) {
      assert.equal(await found(accepts, { headers: { 'Accept-Charset': value } }), true);
    }
    assert.equal(await found(accepts, { headers: { 'Accept-Charset': 'utf-8;q=0' } }), false);
  });
});

describe('req.acceptsLanguage', () => {
  test('lang: returns true or false', async () => {
    const look = looking(req => [
      req.acceptsLanguage('en'),
      req.acceptsLanguage('jp'),
      req.acceptsLanguage(''),
    ]);
    const answer = await same(look, { headers: { 'Accept-Language': 'en;q=0.8, de' } });
    assert.equal(answer.text, '[ true, false, false ]');
    assert.equal((await same(looking(req => req.acceptsLanguage('en')))).text, 'true');
  });
});

describe('req.acceptsEncoding', () => {
  test('encoding: returns true or false', async () => {
    const request = { headers: { 'Accept-Encoding': 'gzip;q=0.5, br' } };
    const look = (req: Request) => ['gzip', 'br', 'zip', ''].map(name => req.acceptsEncoding(name));
    assert.deepEqual(await found(look, request), [true, true, false, false]);
  });
});

describe('req.is', () => {
  const is = (type: string, types: string[], method = 'POST') =>
    same(
      looking(req => types.map(one => req.is(one))),
      { method, headers: { 'Content-Type': type }, ...(method === 'POST' && { body: 'x' }) },
    );

  test('type: returns true or false for a media type, an extension and a wildcard', async () => {
    const types = ['json', '.json', 'application/json', 'application/*', '*/json', 'html', 'text/*'];
    for (const type of ['application/json', 'application/json; charset=utf-8']) await is(type, types);
    assert.deepEqual((await is('text/html', types)).text.match(/\w+/g), [
      ...Array<string>(5).fill('false'),
      'true',
      'true',
    ]);
  });

  test('no body: checks the header alone; returns false without it', async () => {
    assert.equal((await is('application/json', ['json', 'html'], 'GET')).text, '[ true, false ]');
    assert.equal(
      (
        await same(
          looking(req => req.is('json')),
          { method: 'POST', body: 'x' },
        )
      ).text,
      'false',
    );
  });

  test('list, case: accepts several types, and types in any case, unlike Express 3', async () => {
    const request = { headers: { 'Content-Type': 'Application/JSON' } };
    assert.equal(await found(req => req.is(['html', 'json']), request), true);
    assert.equal(await found(req => req.is('application/json'), request), true);
  });
});
