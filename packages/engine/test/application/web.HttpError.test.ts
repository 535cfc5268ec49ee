/** `web.HttpError`, the settings `error format` and `method not allowed`: errors as problem details (RFC 9457). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rateLimit } from '@ristretto/rate-limit';
import sameOrigin from '@ristretto/same-origin';
import multer from 'multer';
import three from 'ristretto3';
import five from 'ristretto5';
import web from 'ristretto';
import { z } from 'zod';

type App = ReturnType<typeof web>;
type Problem = Record<string, unknown>;

const VERSIONS = {
  ristretto: web,
  ristretto3: three as unknown as typeof web,
  ristretto5: five as unknown as typeof web,
};
const JSON_OR_ANY = { accept: '*/*' };

const failing = (error: () => unknown, make = web, env = 'production'): App =>
  make()
    .set('env', env)
    .set('error logger', () => undefined)
    .get('/', () => {
      throw error();
    });

describe('web.HttpError', () => {
  test('an error: has status, headers, cause and members', () => {
    const cause = new Error('query failed');
    const error = new web.HttpError(409, 'Taken', { cause, headers: { 'X-A': 'b' }, code: 'name.taken' });
    assert.ok(error instanceof Error && error instanceof web.HttpError);
    assert.equal(
      `${error.name} ${error.status} ${error.statusCode} ${error.expose} ${error.message}`,
      'HttpError 409 409 true Taken',
    );
    assert.equal(error.cause, cause);
    assert.deepEqual(error.problem, { code: 'name.taken' });
    assert.equal('cause' in new web.HttpError(404), false);
    assert.equal(new web.HttpError(404).message, 'Not Found');
    assert.equal(new web.HttpError(503).expose, false);
  });

  test('functions: create the usual errors, with the place of the call', () => {
    assert.equal(web.HttpError.notFound('No such user').status, 404);
    assert.equal(
      web.HttpError.tooManyRequests(undefined, { headers: { 'Retry-After': '5' } }).headers!['Retry-After'],
      '5',
    );
    assert.match(web.HttpError.conflict().stack!.split('\n')[1]!, /web\.HttpError\.test/);
  });

  test('a status: that is not 400 to 599 throws', () => {
    for (const status of [200, 399, 600, 404.5, '404' as never]) {
      assert.throws(
        () => new web.HttpError(status),
        /^RangeError: web\.HttpError: expected a status from 400 to 599, got /,
      );
    }
  });

  test('arguments: of another type throw', () => {
    const cases: [unknown[], RegExp][] = [
      [
        [{ code: 'x' }],
        /expected the message as a string, got { code: 'x' }\. Options are the third argument$/,
      ],
      [[new Error('x')], /expected the message as a string, got Error: x/],
      [['x', 'y'], /expected the options as an object, got 'y'$/],
      [['x', { headers: 5 }], /expected headers as an object, such as { 'Retry-After': '5' }, got 5$/],
      [['x', { headers: [['a', 'b']] }], /expected headers as an object, .*, got \[ \[Array\] \]$/],
      [['x', { expose: 'yes' }], /expose must be true or false, got 'yes'$/],
    ];
    for (const [args, message] of cases) {
      assert.throws(() => new web.HttpError(404, ...(args as [])), { name: 'TypeError', message });
      assert.throws(() => web.HttpError.notFound(...(args as [])), { name: 'TypeError', message });
    }
    assert.throws(
      () => (web.HttpError as unknown as (status: number) => void)(404),
      /^TypeError: Class constructor HttpError cannot be invoked without 'new'/,
    );
  });

  test('handling: the default error handler sends status and headers, as of any error', async () => {
    const app = failing(() => new web.HttpError(402, 'No credit', { headers: { 'X-A': 'b' }, balance: 5 }));
    const { status, headers, text } = await app.inject({ url: '/', headers: JSON_OR_ANY });
    assert.deepEqual(
      [status, headers['x-a'], headers['content-type']],
      [402, 'b', 'text/html; charset=utf-8'],
    );
    assert.match(text(), /Payment Required/);
  });
});

for (const [name, make] of Object.entries(VERSIONS)) {
  describe('setting error format', () => {
    test(`problem: errors are problem details in production, without messages and members of server errors (${name})`, async () => {
      const sent = async (error: () => unknown): Promise<Problem> => {
        const app = failing(error, make).set('error format', 'problem');
        const { headers, status, text } = await app.inject({ url: '/', headers: JSON_OR_ANY });
        assert.equal(headers['content-type'], 'application/problem+json');
        const problem = JSON.parse(text()) as Problem;
        assert.equal(problem.status, status);
        return problem;
      };
      assert.deepEqual(
        await sent(
          () =>
            new web.HttpError(402, 'No credit', { type: 'https://e.test/credit', title: 'Poor', balance: 5 }),
        ),
        {
          type: 'https://e.test/credit',
          title: 'Poor',
          status: 402,
          detail: 'No credit',
          balance: 5,
        },
      );
      const server = { type: 'about:blank', title: 'Internal Server Error', status: 500 };
      assert.deepEqual(await sent(() => new Error('password=hunter2')), server);
      assert.deepEqual(await sent(() => new web.HttpError(500, 'hunter2', { password: 'hunter2' })), server);
      assert.deepEqual(await sent(() => 'text'), server);
      assert.equal((await sent(() => new web.HttpError(500, 'Down', { expose: true }))).detail, 'Down');
      assert.equal(
        (await sent(() => Object.assign(new Error('Too large'), { status: 413, expose: true }))).detail,
        'Too large',
      );
      assert.equal((await sent(() => web.HttpError.badRequest('x', { value: 5n }))).status, 400);
    });

    test(`problem: a request that no handler responds to is a 404 (${name})`, async () => {
      const app = make().set('env', 'production').set('error format', 'problem');
      const { status, text, headers } = await app.inject({ url: '/none?a=1', headers: JSON_OR_ANY });
      assert.equal(headers['content-type'], 'application/problem+json');
      assert.deepEqual(
        [status, JSON.parse(text())],
        [
          404,
          {
            type: 'about:blank',
            title: 'Not Found',
            status: 404,
            detail: 'Cannot GET /none',
            code: 'path.unknown',
          },
        ],
      );
    });

    test(`problem: browsers get the page, and headers of the error are sent (${name})`, async () => {
      const app = failing(() => new web.HttpError(503, 'x', { headers: { 'Retry-After': '5' } }), make).set(
        'error format',
        'problem',
      );
      const { headers } = await app.inject({ url: '/', headers: { accept: 'text/html,*/*;q=0.8' } });
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal((await app.inject({ url: '/', headers: JSON_OR_ANY })).headers['retry-after'], '5');
    });

    test(`problem: only server errors are logged (${name})`, async () => {
      const logged: unknown[] = [];
      const app = make().set('env', 'production').set('error format', 'problem');
      app.set('error logger', (entry: { error: unknown }) => logged.push(entry.error));
      const down = new Error('down');
      app.get('/4', () => {
        throw web.HttpError.notFound();
      });
      app.get('/5', () => {
        throw down;
      });
      for (const url of ['/4', '/5', '/none']) await app.inject({ url, headers: JSON_OR_ANY });
      assert.deepEqual(logged, [down]);
    });

    test(`problem: errors of multer are 413 and 400 with their message, not logged (${name})`, async () => {
      const logged: unknown[] = [];
      const app = make().set('env', 'production').set('error format', 'problem');
      app.set('error logger', (entry: { error: unknown }) => logged.push(entry.error));
      app.post('/', multer({ limits: { fileSize: 3, files: 2 } }).single('a'), (_req, res) => res.send('ok'));
      const sent = async (field: string, text: string, accept = '*/*'): Promise<[number, string]> => {
        const body = new FormData();
        body.set(field, new Blob([text]), 'a.txt');
        const answer = await app.fetch(
          new Request('http://a/', { method: 'POST', body, headers: { accept } }),
        );
        const received = await answer.text();
        const isJson = accept === '*/*';
        return [answer.status, isJson ? (JSON.parse(received) as { detail: string }).detail : received];
      };
      assert.deepEqual(await sent('a', 'long'), [413, 'File too large']);
      assert.deepEqual(await sent('b', 'abc'), [400, 'Unexpected file field']);
      const malformed = await app.inject({
        method: 'POST',
        url: '/',
        headers: { ...JSON_OR_ANY, 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut',
      });
      assert.equal(malformed.status, 400);
      assert.deepEqual(logged, []);
      assert.equal((await sent('a', 'long', 'text/html'))[0], 413);
    });

    test(`problem: errors of the framework and its middleware have codes of the same form (${name})`, async () => {
      const app = make().set('env', 'production').set('error format', 'problem');
      app.set('error logger', () => undefined).enable('method not allowed');
      app.get('/late', web.deadline(1), () => new Promise<void>(() => undefined));
      app.post('/body', web.json());
      app.post('/valid', web.json(), web.validate({ body: z.object({ a: z.string() }) }));
      app.post('/origin', sameOrigin());
      app.get('/limited', rateLimit({ limit: 0, validate: false }));
      app.get('/message', rateLimit({ limit: 0, validate: false, message: 'Slow down' }));
      app.post('/upload', multer({ limits: { fileSize: 1 } }).single('a'));
      app.get('/own', () => {
        throw web.HttpError.conflict('Out of stock', { code: 'stock.empty' });
      });
      const codeOf = async (method: string, url: string, body?: string, more = {}): Promise<unknown[]> => {
        const headers = { ...JSON_OR_ANY, 'content-type': 'application/json', ...more };
        const { status, text } = await app.inject({ method, url, headers, body: body! });
        return [status, text().startsWith('{') ? (JSON.parse(text()) as { code: string }).code : text()];
      };
      const form = '--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nlong\r\n--x--\r\n';
      assert.deepEqual(
        [
          await codeOf('GET', '/none'),
          await codeOf('GET', '/body'),
          await codeOf('GET', '/late'),
          await codeOf('POST', '/body', '{'),
          await codeOf('POST', '/valid', '{}'),
          await codeOf('POST', '/origin', '{}', { 'sec-fetch-site': 'cross-site' }),
          await codeOf('GET', '/limited'),
          await codeOf('GET', '/message'),
          await codeOf('POST', '/upload', form, { 'content-type': 'multipart/form-data; boundary=x' }),
          await codeOf('GET', '/own'),
        ],
        [
          [404, 'path.unknown'],
          [405, 'method.unsupported'],
          [503, 'request.deadline'],
          [400, 'entity.parse.failed'],
          [400, 'validation.failed'],
          [403, 'origin.rejected'],
          [429, 'rate.exceeded'],
          [429, 'Slow down'],
          [413, 'limit.file.size'],
          [409, 'stock.empty'],
        ],
      );
    });

    test(`code: is a member of the error if it is a string (${name})`, () => {
      assert.equal(web.HttpError.conflict('Taken', { code: 'name.taken' }).code, 'name.taken');
      assert.equal('code' in web.HttpError.conflict('Taken'), false);
    });

    test(`other values: throw (${name})`, () => {
      assert.throws(
        () => make().set('error format', 'json' as never),
        /^TypeError: Expected 'problem' or 'html' for the setting 'error format', got 'json'/,
      );
    });
  });

  describe('app.onSend', () => {
    test(`hooks: run before every response is sent, in their order, also for a 404 and errors (${name})`, async () => {
      const app = failing(() => new Error('x'), make);
      app.get('/text', (_req, res) => void res.send('text'));
      app.get('/end', (_req, res) => {
        res.setHeader('X-Own', '1');
        res.end('end');
      });
      app.onSend((body, res) => void res.setHeader('X-Hooks', `first ${typeof body}`));
      app.onSend(body => (body === 'text' ? 'changed' : undefined));
      const seen = async (url: string): Promise<unknown[]> => {
        const { status, headers, text } = await app.inject({ url, headers: JSON_OR_ANY });
        return [status, headers['x-hooks'], status === 200 ? text() : ''];
      };
      assert.deepEqual(await seen('/text'), [200, 'first string', 'changed']);
      assert.deepEqual(await seen('/end'), [200, 'first string', 'end']);
      assert.deepEqual(await seen('/none'), [404, 'first string', '']);
      assert.deepEqual(await seen('/'), [500, 'first string', '']);
    });

    test(`an argument that is not a function: throws (${name})`, () => {
      assert.throws(
        () => make().onSend('x' as never),
        /^TypeError: app\.onSend\(\): expected a function, got 'x'/,
      );
    });
  });
}

describe('setting error format', () => {
  test('problem: has name, stack and hints in development; members of an HttpError take precedence', async () => {
    process.env.NODE_ENV = 'development';
    try {
      const app = failing(() => new TypeError('x is not a function'), web, 'development').set(
        'error format',
        'problem',
      );
      const { text } = await app.inject({ url: '/', headers: JSON_OR_ANY });
      const { name, detail, stack } = JSON.parse(text()) as Problem;
      assert.deepEqual([name, detail, Array.isArray(stack)], ['TypeError', 'x is not a function', true]);
      const members = { name: 'Ada', hints: ['Ask Ada'], stack: 3 };
      const taken = failing(() => new web.HttpError(409, 'Taken', members), web, 'development');
      taken.set('error format', 'problem');
      const { causes, ...own } = JSON.parse(
        (await taken.inject({ url: '/', headers: JSON_OR_ANY })).text(),
      ) as Problem;
      assert.deepEqual(
        [causes, own],
        [undefined, { type: 'about:blank', title: 'Conflict', status: 409, detail: 'Taken', ...members }],
      );
    } finally {
      process.env.NODE_ENV = 'test';
    }
  });

  test('problem: has the status that the handler set before it failed, if it is an error status', async () => {
    const app = web()
      .set('env', 'production')
      .set('error format', 'problem')
      .set('error logger', () => undefined);
    app.get('/:status', ({ params: { status } }, res) => {
      res.statusCode = Number(status);
      throw new Error('secret');
    });
    const statuses = [];
    for (const status of ['503', '404', '201', '600']) {
      const answer = await app.inject({ url: `/${status}`, headers: JSON_OR_ANY });
      statuses.push([answer.status, (JSON.parse(answer.text()) as { status: number }).status]);
      assert.doesNotMatch(answer.text(), /secret/);
    }
    assert.deepEqual(
      statuses,
      [503, 404, 500, 500].map(status => [status, status]),
    );
  });

  test('problem: an error that cannot be read is a 500 with the page', async () => {
    const unreadable = {
      get status() {
        throw new Error('unreadable');
      },
    };
    const app = failing(() => unreadable as never, web, 'production').set('error format', 'problem');
    app.set('error logger', () => undefined);
    const { status, text } = await app.inject({ url: '/', headers: JSON_OR_ANY });
    assert.equal(status, 500);
    assert.doesNotMatch(text(), /unreadable/);
  });

  test('html: a body that cannot be parsed is a problem only for a route with schemas', async () => {
    const any = {
      '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
    };
    const app = web().set('env', 'production').use(web.json());
    const api = web.Router();
    api.post('/checked/:id', web.validate({ body: any }), (_req, res) => void res.end());
    app.use('/api', api).post('/plain', (_req, res) => void res.end());
    const post = (url: string) =>
      app.inject({
        method: 'POST',
        url,
        body: '{',
        headers: { ...JSON_OR_ANY, 'content-type': 'application/json' },
      });
    const checked = await post('/api/checked/1');
    assert.deepEqual([checked.status, checked.headers['content-type']], [400, 'application/problem+json']);
    const { code, title } = JSON.parse(checked.text()) as Problem;
    assert.deepEqual([title, code], ['Bad Request', 'entity.parse.failed']);
    assert.equal((await post('/plain')).headers['content-type'], 'text/html; charset=utf-8');
  });
});

for (const [name, make] of Object.entries({ ristretto: web, ristretto5: VERSIONS.ristretto5 })) {
  describe('setting method not allowed', () => {
    test(`a path with handlers for other methods: is a 405 with Allow, also below mounts (${name})`, async () => {
      const app = make().set('env', 'production').set('method not allowed', true);
      app.use(
        '/api',
        make.Router().get('/users/:id', (_req, res) => void res.send('x')),
      );
      app.put('/api/users/:id', (_req, res) => void res.send('x'));
      const { status, headers } = await app.inject({ method: 'POST', url: '/api/users/1' });
      assert.deepEqual([status, headers.allow], [405, 'GET,HEAD,PUT']);
      assert.equal((await app.inject({ method: 'POST', url: '/api/none' })).status, 404);
      app.set('method not allowed', false);
      assert.equal((await app.inject({ method: 'POST', url: '/api/users/1' })).status, 404);
    });
  });
}
