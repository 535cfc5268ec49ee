/** What a request provides about its client, its URL, and what it accepts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto3';
import type { Request, RequestHandler } from 'ristretto3/lib/types/core';
import { found, frameworks, looking, ours, reads, same } from './support/oracle.js';
import type { Build, Read } from './support/oracle.js';
import { words } from '../../engine/test/support/random.js';

const FORWARDED = {
  Host: 'tobi.ferrets.example.com:3000',
  'X-Forwarded-Host': 'a.b.foo.com:30',
  'X-Forwarded-For': '1.2.3.4, 5.6.7.8',
  'X-Forwarded-Proto': 'https',
};

describe('req.host', () => {
  reads(
    'Host: is returned without its port',
    req => req.host,
    words('example.com example.com:3000 localhost [::1]:80 EXAMPLE.com').map(Host => [{ Host }]),
  );

  test('hostname: is available as in 4.x', async () => {
    assert.equal(await found(req => req.hostname === req.host), true);
  });
});

describe('req.ip', () => {
  const network = (req: Request) => [req.host, req.protocol, req.secure, req.ip, req.ips, req.subdomains];
  const own = "[ 'tobi.ferrets.example.com', 'http', false, '127.0.0.1', [], [ 'ferrets', 'tobi' ] ]";
  const client = "[ 'a.b.foo.com', 'https', true, '1.2.3.4', [ '1.2.3.4', '5.6.7.8' ], [ 'b', 'a' ] ]";

  for (const [value, text] of [
    [undefined, own],
    [true, client],
    [1],
    ['loopback'],
    ['127.0.0.1, 5.6.7.8'],
  ] as const) {
    const settings = value === undefined ? {} : { 'trust proxy': value };
    reads(`trust proxy: ${String(value)}`, network, [[FORWARDED, text]], {}, settings);
  }
});

describe('req.subdomains', () => {
  for (const offset of [0, 1, 2, 5]) {
    const settings = { 'subdomain offset': offset };
    reads(`subdomain offset: ${offset} is followed`, req => req.subdomains, [[FORWARDED]], {}, settings);
  }
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
    for (const path of words('/ /?a=1&b[c]=2&d[]=1&d[]=2&e=&f /?a=%20+x /?a=1&a=2')) {
      await same(
        looking(req => req.query),
        path,
      );
    }
  });

  test('arrays: may have 1000 values, and indexes up to 20', async () => {
    const list = (name: string, length: number) => `/?${Array(length).fill(`${name}=1`).join('&')}`;
    const paths = [list('a', 25), list('a', 1000), list('a[]', 25), list('a[]', 1000), list('a[b][]', 30)];
    for (const path of [
      ...paths,
      ...words('/?a[20]=x /?a[21]=x /?a[0]=x&a[21]=y /?q[34]=1&q[1034]=2&q[7]=3'),
    ]) {
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
  reads(
    'field: is case-insensitive, and Referer has both spellings',
    req => [req.get('Referer'), req.get('referrer'), req.header('host'), req.get('x-none')],
    [[{ Referer: '/r', Host: 'h' }]],
  );
});

describe('req.auth', () => {
  const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  reads('credentials: are name and password of the Basic scheme', req => req.auth, [
    [basic('tobi:fe:rret'), "{ username: 'tobi', password: 'fe:rret' }"],
    [{ Authorization: 'basic dG9iaTo=' }, "{ username: 'tobi', password: '' }"],
    [basic(':pw'), "{ username: '', password: 'pw' }"],
    [{}, 'undefined'],
    [basic('tobi'), 'undefined'],
    ...['Basic', 'Basic !!', 'Bearer x'].map((Authorization): Read => [{ Authorization }, 'undefined']),
  ]);

  test('credentials: are undefined with extra content in the header', async () => {
    assert.equal(await found(req => req.auth, { headers: { Authorization: 'Basic YTpi extra' } }), undefined);
  });
});

describe('request', () => {
  reads(
    'others: match the oracle',
    req => [
      ...[req.path, req.url, req.originalUrl, req.method, req.xhr, req.fresh, req.stale],
      ...[req.range(1000), req.protocol, req.secure],
    ],
    [
      [{}],
      [{ 'X-Requested-With': 'XMLHttpRequest' }],
      ...['bytes=0-10, 20-', 'bytes=2000-', 'nonsense'].map((Range): Read => [{ Range }]),
    ],
    { path: '/a/b?c=d' },
  );

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

/** Content negotiation of requests, in the forms of 3.x. */
describe('req.accepts', () => {
  const ask =
    (...asked: (string | string[])[]) =>
    (req: Request) =>
      asked.map(types => req.accepts(types));

  reads(
    'types: returns the best of a list, also of a comma-separated string',
    ask(
      ...['html', 'text/html', 'html, json', 'html,json', 'text, json'],
      ...[
        ['html', 'json'],
        ['text/html', 'application/json'],
      ],
    ),
    ['text/*;q=0.5, application/json', 'text/html', '*/*', 'text/plain, text/html;q=0.9'].map(Accept => [
      { Accept },
    ]),
  );

  reads('undefined: is returned if nothing is acceptable or given', ask('png', ['xml', 'png'], [], ''), [
    [{ Accept: 'text/html' }, '[ undefined, undefined, undefined, undefined ]'],
  ]);
  test('undefined: is returned without arguments', async () => {
    assert.equal(await found(req => Reflect.apply(req.accepts, req, []) as unknown), undefined);
  });

  reads('no field: returns the first', ask('html, json', ['json', 'html'], 'foo'), [
    [{}, "[ 'html', 'json', 'foo' ]"],
  ]);

  test('several arguments: are treated as a list, as in 4.x', async () => {
    assert.equal(
      await found(req => req.accepts('html', 'json'), { headers: { Accept: 'application/json' } }),
      'json',
    );
  });
});

describe('req.accepted', () => {
  reads(
    'items: have value, quality, type and subtype, best first; empty without the header',
    req => req.accepted.map(({ value, quality, type, subtype }) => [value, quality, type, subtype].join()),
    [
      [
        { Accept: 'text/*;q=0.5, application/json;level=1, image/png;q=0, */*;q=0.1' },
        "[ 'application/json,1,application,json', 'text/*,0.5,text,*', '*/*,0.1,*,*' ]",
      ],
      [{}, '[]'],
    ],
  );
  reads(
    'items: have parameters',
    req => req.accepted.map(item => ({ ...item, params: { ...item.params } })),
    [[{ Accept: 'application/json;level=1' }]],
  );
});

describe('req.acceptedLanguages', () => {
  reads('order: is by quality; empty without the header', req => req.acceptedLanguages, [
    [{ 'Accept-Language': 'en;q=0.8, es, pt;q=0, de;q=0.8' }, "[ 'es', 'en', 'de' ]"],
    [{}, '[]'],
  ]);
});

describe('req.acceptedCharsets', () => {
  reads('order: is by quality; empty without the header', req => req.acceptedCharsets, [
    [{ 'Accept-Charset': 'utf-8;q=.2, utf-7, iso-8859-5;q=.8' }, "[ 'utf-7', 'iso-8859-5', 'utf-8' ]"],
    [{}, '[]'],
  ]);
});

describe('req.acceptedEncodings', () => {
  test('order: is by quality, with identity; empty without the header', async () => {
    const request = { headers: { 'Accept-Encoding': 'gzip;q=0.5, br' } };
    assert.deepEqual(await found(req => req.acceptedEncodings, request), ['br', 'gzip', 'identity']);
    assert.deepEqual(await found(req => req.acceptedEncodings), []);
  });
});

describe('req.acceptsCharset', () => {
  reads(
    'charset: returns true or false',
    req => ['utf-8', 'x', ''].map(charset => req.acceptsCharset(charset)),
    [[{ 'Accept-Charset': 'utf-8;q=.5, iso-8859-1' }, '[ true, false, false ]']],
  );
  reads('charset: any is acceptable without the header', req => req.acceptsCharset('utf-8'), [[{}, 'true']]);

  test('charset: a wildcard and another case are acceptable, which Express 3 rejected', async () => {
    const accepts = (req: Request) => req.acceptsCharset('UTF-8');
    for (const value of ['utf-8', '*']) {
      assert.equal(await found(accepts, { headers: { 'Accept-Charset': value } }), true);
    }
    assert.equal(await found(accepts, { headers: { 'Accept-Charset': 'utf-8;q=0' } }), false);
  });
});

describe('req.acceptsLanguage', () => {
  reads('lang: returns true or false', req => ['en', 'jp', ''].map(lang => req.acceptsLanguage(lang)), [
    [{ 'Accept-Language': 'en;q=0.8, de' }, '[ true, false, false ]'],
  ]);
  reads('lang: any is acceptable without the header', req => req.acceptsLanguage('en'), [[{}, 'true']]);
});

describe('req.acceptsEncoding', () => {
  test('encoding: returns true or false', async () => {
    const request = { headers: { 'Accept-Encoding': 'gzip;q=0.5, br' } };
    const look = (req: Request) => ['gzip', 'br', 'zip', ''].map(name => req.acceptsEncoding(name));
    assert.deepEqual(await found(look, request), [true, true, false, false]);
  });
});

describe('req.is', () => {
  const types = ['json', '.json', 'application/json', 'application/*', '*/json', 'html', 'text/*'];
  reads(
    'type: returns true or false for a media type, an extension and a wildcard',
    req => types.map(type => req.is(type)).join(),
    [
      [{ 'Content-Type': 'application/json' }],
      [{ 'Content-Type': 'application/json; charset=utf-8' }],
      [{ 'Content-Type': 'text/html' }, "'false,false,false,false,false,true,true'"],
      [{}, "'false,false,false,false,false,false,false'"],
    ],
    { method: 'POST', body: 'x' },
  );

  reads('parameters: are not read, whether valid or not', req => [req.is('json'), req.is('html')], [
    [{ 'Content-Type': 'application/json;' }, '[ true, false ]'],
    [{ 'Content-Type': 'application/json; charset' }, '[ true, false ]'],
    [{ 'Content-Type': 'application/json;charset="utf-8' }, '[ true, false ]'],
  ]);

  reads('no body: checks the header alone', req => [req.is('json'), req.is('html')], [
    [{ 'Content-Type': 'application/json' }, '[ true, false ]'],
  ]);

  test('list, case: accepts several types, and types in any case, unlike Express 3', async () => {
    const request = { headers: { 'Content-Type': 'Application/JSON' } };
    assert.equal(await found(req => req.is(['html', 'json']), request), true);
    assert.equal(await found(req => req.is('application/json'), request), true);
  });
});
