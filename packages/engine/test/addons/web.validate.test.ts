/** `web.validate`: validates requests and responses with schemas. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, test } from 'node:test';
import { type } from 'arktype';
import web from 'ristretto';
import * as v from 'valibot';
import { z } from 'zod';
import type { ValidationError } from 'ristretto';
import type { ValidateOptions } from '@ristretto/private-engine/lib/types/validation';
import { number, object, schema, text } from '../support/schemas.js';
import { warningsOf } from '../support/warnings.js';

type Schemas = Parameters<typeof web.validate>[0];
type App = ReturnType<typeof web>;

const make = (env = 'test'): App => web().set('env', env).use(web.json());

/** Returns an application that validates and then responds with what it received. */
const checking = (schemas: Schemas, options?: ValidateOptions): App => {
  const app = make();
  app.all('/users/:id', web.validate(schemas, options), (req: web.Request, res: web.Response) => {
    const { params, query, headers, body } = req;
    const { cookies } = req as { cookies?: unknown };
    res.json({ params, query, body: body as unknown, cookies, n: headers['x-n'], host: headers.host });
  });
  return app;
};

const ask = (app: App, body?: object, url = '/users/7', headers = {}) =>
  app.inject({ method: 'POST', url, headers, ...(body === undefined ? {} : { body }) });

/** Returns what an error handler receives. */
const errorOf = async (app: App, ...rest: [body?: object, url?: string]): Promise<ValidationError> => {
  let seen: ValidationError | undefined;
  app.use((error: ValidationError, _req: web.Request, res: web.Response, _next: web.NextFunction) => {
    seen = error;
    res.sendStatus(error.status);
  });
  const { status } = await ask(app, ...rest);
  assert.ok(seen, `no error, but ${status}`);
  assert.equal(status, seen.status);
  return seen;
};

describe('web.validate', () => {
  test('headers: schemas may write names in capitals', async () => {
    const Tenant = z.object({ 'X-Tenant': z.string() });
    const app = make().get('/', web.validate({ headers: Tenant }) as web.RequestHandler, (req, res) =>
      res.json([req.headers['X-Tenant'], req.get('x-tenant'), req.headers.host]),
    );
    const sent = await app.inject({ url: '/', headers: { 'x-tenant': 'a', host: 'b' } });
    assert.deepEqual(sent.json(), ['a', 'a', 'b']);
    assert.equal((await app.inject('/')).status, 400);
  });

  test('query, forms: a value that is given once is a list where only a list matches, in each library', async () => {
    const Text = z.string();
    const schemas = {
      zod: z.object({
        tag: z.array(Text).optional(),
        page: z.coerce.number().optional(),
        text: Text.optional(),
      }),
      'zod, asynchronous': z.object({
        tag: z
          .array(Text)
          .refine(() => Promise.resolve(true))
          .optional(),
        page: z.coerce.number().optional(),
        text: Text.optional(),
      }),
      valibot: v.object({
        tag: v.optional(v.array(v.string())),
        page: v.optional(v.pipe(v.string(), v.decimal(), v.transform(Number))),
        text: v.optional(v.string()),
      }),
      arktype: type({ 'tag?': 'string[]', 'page?': 'string.numeric.parse', 'text?': 'string' }),
    };
    for (const [library, values] of Object.entries(schemas) as [string, typeof schemas.zod][]) {
      const app = make()
        .set('query parser', 'extended')
        .use(web.urlencoded({ extended: true }));
      app.get('/', web.validate({ query: values }) as web.RequestHandler, (req, res) => res.json(req.query));
      app.post('/', web.validate({ body: values }) as web.RequestHandler, (req, res) => res.json(req.body));
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const seen = async (query: string): Promise<unknown> => {
        const { status, json } = await app.inject(`/?${query}`);
        const posted = await app.inject({ url: '/', method: 'POST', headers: form, body: query });
        const paths = (answer: { issues?: { path: string }[] }) =>
          answer.issues?.map(({ path }) => path) ?? answer;
        assert.deepEqual([posted.status, paths(posted.json() as object)], [status, paths(json() as object)]);
        return paths(json() as object);
      };
      assert.deepEqual(await seen('tag=a'), { tag: ['a'] }, library);
      assert.deepEqual(await seen('tag=a&tag=b'), { tag: ['a', 'b'] });
      assert.deepEqual(await seen('tag=a&text=x&page=2'), { tag: ['a'], text: 'x', page: 2 });
      assert.deepEqual(await seen('tag=a&page=x'), ['/page'], library);
      assert.deepEqual(await seen('text[]=x&tag=a'), ['/text']);
      assert.deepEqual(await seen('__proto__=x&tag=a'), { tag: ['a'] });
      assert.equal((await ask(app, { tag: 'a' }, '/')).status, 400, 'JSON has lists');
    }
  });

  test('query: a number that is not coerced is reported in development', () => {
    const program = `
      const { z } = require('zod');
      const app = web();
      const page = schema => app.get('/' + schema.type, web.validate({ query: z.object({ page: schema }) }), (req, res) => res.end());
      page(z.number()); page(z.boolean());
      app.get('/coerced', web.validate({ query: z.object({ page: z.coerce.number() }) }), (req, res) => res.end());
      const urls = ['/number?page=5', '/number?page=x', '/boolean?page=true', '/coerced?page=x'];
      Promise.all(urls.map(url => app.inject(url)));`;
    const codes = warningsOf(program).map(({ code, message }) => `${code} ${message.slice(0, 60)}`);
    assert.deepEqual(codes, [
      'RISTRETTO_UNCOERCED GET /number: the schema expects query.page to be a number, a',
      'RISTRETTO_UNCOERCED GET /boolean: the schema expects query.page to be a boolean,',
    ]);
  });

  test('a request that matches: replaces each part by the output of its schema', async () => {
    const app = checking({
      params: object({ id: number() }),
      query: object({ page: number() }),
      body: object({ name: text() }),
    });
    const { params, query, body } = (
      await ask(app, { name: 'x', more: 1 }, '/users/7?page=2&z=1')
    ).json() as Record<string, unknown>;
    assert.deepEqual([params, query, body], [{ id: 7 }, { page: 2 }, { name: 'x' }]);
  });

  test('a request that matches: merges the output for headers into the headers, and keeps the others', async () => {
    const { n, host } = (
      await ask(checking({ headers: object({ 'x-n': number() }) }), undefined, '/users/7', { 'x-n': '5' })
    ).json() as Record<string, unknown>;
    assert.deepEqual([n, host], [5, 'localhost']);
  });

  test('a request that matches: reads the Cookie header if nothing has parsed it', async () => {
    const app = checking({ cookies: object({ sid: number() }) });
    const { cookies } = (await ask(app, undefined, '/users/7', { cookie: 'sid=4; a=b' })).json() as Record<
      string,
      unknown
    >;
    assert.deepEqual(cookies, { sid: 4 });
    assert.equal((await ask(app)).status, 400);
  });

  test('a request that matches: uses cookies that middleware has parsed', async () => {
    const app = make().use((req, _res, next) => {
      (req as { cookies?: object }).cookies = { sid: '9' };
      next();
    });
    app.get('/', web.validate({ cookies: object({ sid: number() }) }), (req, res) => res.json(req.cookies));
    assert.deepEqual((await app.inject('/')).json(), { sid: 9 });
  });

  test('a request that matches: continues in the same turn if all schemas are synchronous', async () => {
    const app = make();
    let isBehind = false;
    app.use((_req, _res, next) => {
      next();
      isBehind = true;
    });
    app.use(web.validate({ query: object({}) }), (_req, res) => res.json(isBehind));
    assert.equal((await app.inject('/')).json(), false);
  });

  test('a request that matches: waits for asynchronous schemas', async () => {
    const late = schema<number>(value => Promise.resolve({ value: Number(value) + 1 }));
    const app = checking({
      params: object({ id: number() }),
      body: schema(() => Promise.resolve({ value: 'late' })),
    });
    const { params, body } = (await ask(app, {})).json() as Record<string, unknown>;
    assert.deepEqual([params, body], [{ id: 7 }, 'late']);
    const plain = make().post('/', web.validate({ query: late }), (req, res) => res.json(req.query));
    assert.equal((await plain.inject({ method: 'POST', url: '/' })).json(), null);
  });

  test('a request that matches: accepts a schema that is a function, and a path of key objects', async () => {
    const callable = Object.assign(
      () => undefined,
      schema(() => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0] }] })),
    );
    const { issues } = await errorOf(checking({ body: callable }), {});
    assert.deepEqual(issues, [{ location: 'body', path: '/a/0', message: 'no' }]);
  });

  test('a request that matches: works in router.use, in arrays and as a parameter callback', async () => {
    const check = web.validate({ query: object({ page: number() }) });
    const router = web.Router().use(check);
    router.get('/used', (req, res) => res.json(req.query));
    const app = make().use(router);
    app.get('/array', [check], ((req, res) => res.json(req.query)) as web.RequestHandler);
    app.param('p', (req, res, next) => {
      check(req, res, next);
    });
    app.get('/param/:p', (req, res) => res.json(req.query));
    for (const path of ['/used', '/array', '/param/x'])
      assert.deepEqual((await app.inject(`${path}?page=3`)).json(), { page: 3 }, path);
  });

  test('a request that matches: keeps a __proto__ key in the output an own property', async () => {
    const evil = schema(() => ({ value: JSON.parse('{"__proto__":{"polluted":1},"x-n":1}') as object }));
    const app = make().get('/', web.validate({ headers: evil }), (req, res) =>
      res.json(['polluted' in req.headers, Object.hasOwn(req.headers, '__proto__')]),
    );
    assert.deepEqual((await app.inject('/')).json(), [false, true]);
    assert.equal('polluted' in {}, false);
  });

  const all = {
    params: object({ id: number() }),
    query: object({ page: number() }),
    body: object({ a: object({ 'b/~': text() }) }),
  };

  test('a request that does not match: passes one error with the issues of every part', async () => {
    const error = await errorOf(checking(all), { a: {} }, '/users/x');
    assert.equal(error.status, 400);
    assert.equal(error.type, 'validation.failed');
    assert.equal(error.expose, true);
    assert.equal(error.omitted, 0);
    assert.deepEqual(error.issues, [
      { location: 'params', path: '/id', message: 'expected a number, got …' },
      { location: 'query', path: '/page', message: 'expected a number, got undefined' },
      { location: 'body', path: '/a/b~1~0', message: 'expected text' },
    ]);
    assert.equal(error.message, 'params/id: expected a number, got … (and 2 more)');
  });

  test('a request that does not match: replaces nothing', async () => {
    const app = checking(all);
    let params: unknown;
    app.use((_error: Error, req: web.Request, res: web.Response, _next: web.NextFunction) => {
      ({ params } = req);
      res.json([req.query, req.body]);
    });
    assert.deepEqual((await ask(app, { a: 1 }, '/users/7?page=x')).json(), [{ page: 'x' }, { a: 1 }]);
    assert.notDeepEqual(params, { id: 7 });
  });

  test('a request that does not match: gets the status of the option, such as 422', async () => {
    assert.equal((await errorOf(checking(all, { status: 422 }), {})).status, 422);
  });

  test('a request that does not match: quotes no value, unless the option is set', async () => {
    const secrets = ['hunter2', "it's a secret", 'a', '$&', 12345, ''];
    const quoting = (form: (value: string) => string): Schemas => ({
      body: schema(value => ({
        issues: [{ message: `got ${form(String((value as { pin: unknown }).pin))} instead`, path: ['pin'] }],
      })),
    });
    for (const pin of secrets) {
      for (const form of [JSON.stringify, (text: string) => `'${text}'`, (text: string) => text]) {
        const [issue] = (await errorOf(checking(quoting(form)), { pin })).issues;
        assert.equal(issue!.message, pin === '' ? `got ${form('')} instead` : 'got … instead');
        assert.equal('value' in issue!, false);
      }
    }
    const sentence = 'Too small: expected "a"|"b", or >=1 characters';
    const explaining: Schemas = { body: schema(() => ({ issues: [{ message: sentence, path: ['pin'] }] })) };
    for (const pin of [' ', '  ', ', ', '|', '>=', '"', 'mall', 'c']) {
      const [issue] = (await errorOf(checking(explaining), { pin })).issues;
      assert.equal(issue!.message, sentence, pin);
    }
    const [issue] = (await errorOf(checking(quoting(String), { includeValues: true }), { pin: 'hunter2' }))
      .issues;
    assert.deepEqual(issue, {
      location: 'body',
      path: '/pin',
      message: 'got hunter2 instead',
      value: 'hunter2',
    });
  });

  test('a request that does not match: has at most maxIssues issues, and says how many were omitted', async () => {
    const many = schema(() => ({
      issues: Array.from({ length: 250 }, (_, at) => ({ message: 'no', path: [at] })),
    }));
    const error = await errorOf(checking({ query: many, body: many }), {});
    assert.deepEqual([error.issues.length, error.omitted], [100, 400]);
    const few = await errorOf(checking({ query: many, body: many }, { maxIssues: 1 }), {});
    assert.deepEqual([few.issues.length, few.omitted], [1, 499]);
  });

  test('a request that does not match: cuts long paths and messages', async () => {
    const long = 'k'.repeat(10_000);
    const app = checking({ body: schema(() => ({ issues: [{ message: long, path: [long] }] })) });
    const [issue] = (await errorOf(app, {})).issues;
    assert.deepEqual([issue!.path.length, issue!.message.length], [300, 300]);
  });

  test('a request that does not match: reads values from own properties only', async () => {
    const app = checking(
      { body: schema(() => ({ issues: [{ message: 'no', path: ['constructor', 'name'] }] })) },
      { includeValues: true },
    );
    const [issue] = (await errorOf(app, {})).issues;
    assert.equal(issue!.value, undefined);
  });

  test('a request that does not match: is rejected even if the list of issues is empty', async () => {
    const error = await errorOf(checking({ body: schema(() => ({ issues: [] })) }), {});
    assert.equal(error.message, 'The request is not valid');
  });

  const silent = [
    schema(() => Promise.reject()),
    schema(() => {
      throw undefined as unknown as Error;
    }),
  ];

  test('a request that does not match: passes errors that a schema throws or rejects with to the error handlers', async () => {
    const thrown = new Error('schema');
    const throwing = schema(() => {
      throw thrown;
    });
    const rejecting = schema(() => Promise.reject(thrown));
    for (const [body, message] of [
      [throwing, 'schema'],
      [rejecting, 'schema'],
      ...silent.map(each => [each, 'A schema failed without a reason (undefined)'] as const),
      [schema(() => Promise.reject(false as never)), 'A schema failed without a reason (false)'],
    ] as const) {
      const app = checking({ body });
      app.use((error: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
        res.json(error.message),
      );
      assert.equal((await ask(app, {})).json(), message);
    }
  });

  test('a request that does not match: is an error if a schema returns neither a value nor issues', async () => {
    for (const returned of [undefined, null, true, false, 'x', {}]) {
      for (const given of [returned, Promise.resolve(returned)]) {
        const app = checking({ body: schema(() => given as { value: unknown }) });
        app.use((error: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
          res.status(500).json(error.message),
        );
        const response = await ask(app, {});
        assert.equal(response.status, 500);
        assert.match(
          String(response.json()),
          /^web\.validate\(\): the schema for body returned .+\. Expected \{ value/,
        );
      }
    }
  });

  test('a request that does not match: a throwing and a rejecting schema cause a single error', async () => {
    const rejecting = schema(() => Promise.reject(new Error('rejected')));
    const throwing = schema(() => {
      throw new Error('thrown');
    });
    const app = checking({ params: rejecting, headers: rejecting, body: throwing });
    app.use((error: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
      res.json(error.message),
    );
    assert.equal((await ask(app, {})).json(), 'thrown');
    // An unhandled rejection would be reported by now, and fail the test.
    await new Promise(setImmediate);
  });

  test('a request that does not match: passes an application error if outputs cannot be assigned', async () => {
    const app = make();
    app.use((req, _res, next) => {
      Object.defineProperty(req, 'query', { value: {}, writable: false });
      next();
    });
    app.get('/', web.validate({ query: schema(() => Promise.resolve({ value: 1 })) }), (_req, res) =>
      res.end(),
    );
    assert.equal((await app.inject('/')).status, 500);
  });

  test('a request that does not match: is a 503 when an asynchronous schema takes too long', async () => {
    const never = schema(() => new Promise<never>(() => undefined));
    const app = checking({ body: never }, { timeout: 20 });
    app.use((error: ValidationError, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
      res.status(error.status).json([error.type, error.message]),
    );
    const response = await ask(app, {});
    assert.equal(response.status, 503);
    assert.deepEqual(response.json(), ['validation.timeout', 'Validation took longer than 20 ms']);
  });

  test('a request that does not match: is ignored if the client disconnects while a schema runs', async () => {
    let settle: (() => void) | undefined;
    const slow = schema(() => new Promise<{ value: 1 }>(resolve => (settle = () => resolve({ value: 1 }))));
    const calls: unknown[] = [];
    const app = make();
    const closed = new Promise<void>(resolve => {
      app.use((_req, res, next) => {
        res.once('close', resolve);
        next();
      });
    });
    app.use(web.validate({ query: slow }), () => calls.push('handler'));
    app.use((error: Error, _req: web.Request, _res: web.Response, _next: web.NextFunction) =>
      calls.push(error),
    );
    const gone = new AbortController();
    const response = app.fetch(new Request('http://x/', { signal: gone.signal }));
    await new Promise(setImmediate);
    gone.abort();
    await closed;
    settle?.();
    await response;
    await new Promise(setImmediate);
    assert.deepEqual(calls, []);
  });

  test('a request that does not match: names the missing parser', async () => {
    const app = web().set('env', 'test');
    app.post('/users/:id', web.validate({ body: object({}) }), (_req, res) => res.end());
    app.use((error: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
      res.send(error.message),
    );
    assert.equal(
      (await ask(app, { a: 1 })).text(),
      'POST /users/:id: web.validate() needs req.body, which no body parser has set. Register a body parser before it, for example app.use(web.json()), or multer for forms with files.',
    );
    const used = web()
      .set('env', 'test')
      .use('/a', web.validate({ body: object({}) }));
    used.use((error: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
      res.send(error.message),
    );
    assert.match((await ask(used, { a: 1 }, '/a/b')).text(), /^POST \/a\/b: /);
  });

  test('schemas of several middlewares: for the same part see the same input, and their outputs are merged', async () => {
    const tenant = web.validate({ query: object({ tenant: text() }), headers: object({ 'x-n': number() }) });
    const page = web.validate({ query: object({ page: number() }), headers: object({ 'x-n': number() }) });
    const app = make();
    app.use(
      web
        .Router()
        .use(tenant as web.RequestHandler)
        .get('/', page as web.RequestHandler, (req, res) => res.json([req.query, req.headers['x-n']])),
    );
    const { text: sent } = await app.inject({ url: '/?tenant=a&page=2&more=1', headers: { 'x-n': '5' } });
    assert.equal(sent(), '[{"tenant":"a","page":2},5]');
    const strange = await app.inject({ url: '/?tenant=a&page=2&__proto__=1', headers: { 'x-n': '5' } });
    assert.equal(strange.text(), '[{"tenant":"a","page":2},5]');
  });

  test('schemas of several middlewares: validate the values that earlier middleware assigned', async () => {
    const query = web.validate({ query: object({ a: text() }) }) as web.RequestHandler;
    const app = make().get(
      '/',
      query,
      (req, _res, next) => {
        Object.defineProperty(req, 'query', { value: { a: 'other' }, configurable: true, writable: true });
        next();
      },
      query,
      (req, res) => res.json(req.query),
    );
    assert.equal((await app.inject('/?a=first')).text(), '{"a":"other"}');
  });

  test('parameters of the mount: are validated with mergeParams', async () => {
    const router = web.Router({ mergeParams: true });
    router.get(
      '/:issueId',
      web.validate({ params: object({ projectId: number(), issueId: number() }) }) as web.RequestHandler,
      (req, res) => res.json(req.params),
    );
    const app = make().use('/projects/:projectId/issues', router);
    assert.equal((await app.inject('/projects/1/issues/2')).text(), '{"projectId":1,"issueId":2}');
    assert.equal((await app.inject('/projects/a/issues/2')).status, 400);
  });

  test('bodies: an optional body may be missing, behind a parser too', async () => {
    const optional = schema<object | undefined>(value =>
      value === undefined || typeof value === 'object'
        ? { value: value as object }
        : { issues: [{ message: 'no' }] },
    );
    const app = make().post('/', web.validate({ body: optional }) as web.RequestHandler, (req, res) =>
      res.json({ body: req.body === undefined ? 'none' : req.body }),
    );
    assert.equal((await app.inject({ method: 'POST', url: '/' })).text(), '{"body":"none"}');
    assert.equal((await app.inject({ method: 'POST', url: '/', body: {} })).text(), '{"body":{}}');
  });

  test('bodies: of a type that no parser reads are a 415 with the type', async () => {
    const app = make().post('/', web.validate({ body: object({}) }) as web.RequestHandler, (_req, res) =>
      res.end(),
    );
    const of = (type: string) =>
      app.inject({
        method: 'POST',
        url: '/',
        body: 'a=1',
        headers: { 'content-type': type, accept: 'application/json' },
      });
    const { status, json, headers } = await of('application/x-www-form-urlencoded');
    assert.equal(status, 415);
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(
      (json() as { detail: string }).detail,
      'No parser reads a body of type application/x-www-form-urlencoded',
    );
    assert.equal((await of('application/json')).status, 400);
  });

  test('onInvalid: changes or replaces the error', async () => {
    const shaped = (onInvalid: ValidateOptions['onInvalid']): App => {
      const app = make().post(
        '/users/:id',
        web.validate({ body: object({ a: text() }) }, { onInvalid }) as web.RequestHandler,
        (_req, res) => res.end(),
      );
      return app.use(
        (error: Error & { tag?: string }, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
          res.send(`${error.message} ${String(error.tag)}`),
      );
    };
    assert.equal(
      (
        await ask(
          shaped(() => new Error('other')),
          {},
        )
      ).text(),
      'other undefined',
    );
    const changed = await ask(
      shaped((error, req) => void Object.assign(error, { tag: req.method })),
      {},
    );
    assert.equal(changed.text(), 'body/a: expected text POST');
    const failing = shaped(() => {
      throw new Error('mistake');
    });
    assert.equal((await ask(failing, {})).text(), 'mistake undefined');
    const later = shaped(async error => {
      await Promise.resolve();
      error.message = 'changed later';
    });
    assert.equal((await ask(later, {})).text(), 'changed later undefined');
    const rejecting = shaped(() => Promise.reject(new Error('mistake')));
    assert.equal((await ask(rejecting, {})).text(), 'mistake undefined');
    const empty = shaped(() => false as never);
    assert.equal((await ask(empty, {})).text(), 'body/a: expected text undefined');
  });

  test('onInvalid: an error without a reason is one behind asynchronous schemas too', async () => {
    const wrong = schema(() => Promise.resolve({ issues: [{ message: 'wrong' }] }));
    const onInvalid = (): never => {
      throw undefined as unknown as Error;
    };
    assert.equal((await ask(checking({ body: wrong }, { onInvalid }), {})).status, 500);
  });

  test('a request that does not match: validates a missing body as undefined, even without a parser', async () => {
    const app = web()
      .set('env', 'test')
      .use(web.validate({ body: text() }));
    const response = await app.inject({ method: 'POST', url: '/' });
    assert.deepEqual((response.json() as ValidationError).issues, [
      { location: 'body', path: '', message: 'expected text' },
    ]);
  });

  const app = checking({ body: object({ a: text() }) });

  test('problem details: are sent if the client accepts JSON', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      'application/problem+json',
      'text/html;q=0.5, application/json',
    ]) {
      const response = await ask(app, {}, '/users/7', { accept });
      assert.equal(response.headers['content-type'], 'application/problem+json');
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.deepEqual(response.json(), {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'body/a: expected text',
        code: 'validation.failed',
        issues: [{ location: 'body', path: '/a', message: 'expected text' }],
        omitted: 0,
      });
    }
  });

  test('problem details: have no value that JSON cannot represent', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const issues = ['number', 'cycle', 'text'].map(name => ({ message: 'no', path: [name] }));
    for (const answer of [{ issues }, Promise.resolve({ issues })]) {
      const app = make();
      app.use((req, _res, next) => {
        req.body = { number: 1n, cycle, text: 'x' };
        next();
      });
      app.use(web.validate({ body: schema(() => answer as never) }, { includeValues: true }));
      const response = await ask(app, {});
      assert.equal(response.status, 400);
      assert.deepEqual((response.json() as { issues: unknown }).issues, [
        { location: 'body', path: '/number', message: 'no' },
        { location: 'body', path: '/cycle', message: 'no' },
        { location: 'body', path: '/text', message: 'no', value: 'x' },
      ]);
    }
  });

  test('problem details: that JSON cannot represent at all have only the usual members', async () => {
    const failing = checking({ body: object({ a: text() }) });
    failing.use(((error: { omitted: unknown }, _req, _res, next) => {
      error.omitted = error;
      next(error);
    }) as web.ErrorRequestHandler);
    const { status, json } = await ask(failing, {});
    const detail = 'body/a: expected text';
    assert.deepEqual([status, json()], [400, { type: 'about:blank', title: 'Bad Request', status, detail }]);
  });

  test('problem details: are not sent to browsers, or if JSON is not accepted', async () => {
    for (const accept of [
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'text/html',
      'image/png',
    ]) {
      const response = await ask(app, {}, '/users/7', { accept });
      assert.equal(response.status, 400);
      assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
    }
  });

  test('problem details: have no body for HEAD, and no content headers that were set before', async () => {
    const begun = make().use((_req, res, next) => {
      res.set({ ETag: '"x"', 'Content-Encoding': 'gzip', 'X-Kept': '1' });
      next();
    });
    begun.use(web.validate({ query: object({ a: number() }) }));
    const response = await begun.inject({ method: 'HEAD', url: '/' });
    const { etag, 'content-encoding': coding, 'x-kept': kept, 'content-type': type } = response.headers;
    assert.deepEqual(
      [response.text(), etag, coding, kept, type],
      ['', undefined, undefined, '1', 'application/problem+json'],
    );
  });

  test('problem details: are not sent after the headers have been sent', async () => {
    const begun = make().use((_req, res, next) => {
      res.write('x');
      next();
    });
    begun.use(web.validate({ query: object({ a: number() }) }));
    await assert.rejects(begun.inject('/'));
  });

  test('problem details: are final errors for subscribers of ristretto.request', async () => {
    const seen: unknown[] = [];
    const note = (message: unknown): void => void seen.push((message as { error: Error }).error.message);
    subscribe('tracing:ristretto.request:error', note);
    try {
      assert.equal((await ask(app, {})).status, 400);
    } finally {
      unsubscribe('tracing:ristretto.request:error', note);
    }
    assert.deepEqual(seen, ['body/a: expected text']);
  });

  test('problem details: are sent for validation errors only', async () => {
    for (const error of [
      { type: 'validation.failed', issues: [] },
      Object.assign(new Error('x'), { type: 'validation.failed' }),
    ]) {
      const other = make().use((_req, _res, next) => {
        next(error);
      });
      assert.equal((await other.inject('/')).headers['content-type'], 'text/html; charset=utf-8');
    }
  });

  const of = (
    response: Schemas['response'],
    send: (res: web.Response) => unknown,
    env?: string,
    options?: ValidateOptions,
  ): App =>
    make(env).get(
      '/',
      web.validate({ response: response! }, options),
      ((_req, res) => void send(res)) as web.RequestHandler,
    );
  const User = object({ email: text() });

  test('responses: that match are sent as the output of the schema, in every environment', async () => {
    for (const env of ['production', 'development']) {
      for (const send of [
        (res: web.Response) => res.json({ email: 'x', passwordHash: 'secret' }),
        (res: web.Response) => res.send({ email: 'x', passwordHash: 'secret' }),
        (res: web.Response) => res.status(200).jsonp({ email: 'x', passwordHash: 'secret' }),
      ]) {
        const { status, text: sent } = await of({ 200: User }, send, env).inject('/');
        assert.deepEqual([status, sent()], [200, '{"email":"x"}']);
      }
    }
  });

  test('responses: of a schema compiled by zod are the same, and so is the document', async () => {
    const Plain = z.object({ id: z.int(), name: z.string().optional(), tags: z.array(z.string()) });
    const answers = async (schema: typeof Plain): Promise<unknown[]> => {
      const app = make('production');
      app.get('/:at', web.validate({ response: { 200: schema } }), ((req, res) => {
        const { at } = req.params as { at: string };
        res.json(
          [
            { id: 1, tags: ['a'], secret: 1 },
            { id: 1, name: 'x', tags: [] },
            { id: 'x', tags: [1] },
          ][+at],
        );
      }) as web.RequestHandler);
      app.get('/openapi.json', web.openApi(app, { info: { title: 'Users', version: '1' } }));
      return Promise.all(
        ['/0', '/1', '/2', '/openapi.json'].map(async url => {
          const { status, text: sent } = await app.inject(url);
          return [status, sent()];
        }),
      );
    };
    const compiled = await answers(z.compile(Plain, { strict: true }));
    assert.deepEqual(compiled.slice(0, 2), [
      [200, '{"id":1,"tags":["a"]}'],
      [200, '{"id":1,"name":"x","tags":[]}'],
    ]);
    assert.deepEqual(compiled, await answers(Plain));
  });

  test('responses: of several middlewares are checked by the schema closest to the handler', async () => {
    const outer = web.validate({
      response: { 200: text(), 404: object({ error: text() }) },
    }) as web.RequestHandler;
    const app = make()
      .use(outer)
      .get('/', web.validate({ response: { 200: User } }) as web.RequestHandler, (_req, res) =>
        res.json({ email: 'x', a: 1 }),
      )
      .get('/none', web.validate({ response: { 200: User } }) as web.RequestHandler, (_req, res) =>
        res.status(404).json({ error: 'none', a: 1 }),
      );
    assert.equal((await app.inject('/')).text(), '{"email":"x"}');
    assert.equal((await app.inject('/none')).text(), '{"error":"none"}');
  });

  test('responses: that do not match are a 500 that says what differs and where', async () => {
    const app = of({ 201: User }, res => res.status(201).json({ email: 1 }));
    const response = await app.inject('/');
    assert.equal(response.status, 500);
    assert.match(
      response.text(),
      /GET \/ sent 201 with a body that does not match its schema:<br> &nbsp;\/email: expected text/,
    );
    const all = await of({ default: text() }, res => res.json(1)).inject('/');
    assert.match(all.text(), /\(whole value\): expected text/);
  });

  test('responses: that do not match have no value in the message in production', async () => {
    const quoting = object({
      pin: schema(value => ({ issues: [{ message: `"${String(value)}" is no pin` }] })),
    });
    const seen: string[] = [];
    for (const env of ['production', 'development']) {
      const app = of({ 200: quoting }, res => res.json({ pin: 'hunter2' }), env);
      app.use((error: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) => {
        seen.push(error.message);
        res.sendStatus(500);
      });
      await app.inject('/');
    }
    assert.match(seen[0]!, /^GET \/ sent 200 with a body that does not match its schema:\n {2}\/pin: /);
    assert.doesNotMatch(seen[0]!, /hunter2/);
    assert.match(seen[1]!, /hunter2/);
    const { status, text: sent } = await of(
      { 200: quoting },
      res => res.json({ pin: 'hunter2' }),
      'production',
    ).inject('/');
    assert.equal(status, 500);
    assert.doesNotMatch(sent(), /hunter2|pin/);
  });

  test('responses: are looked up by status, by its class, and by default', async () => {
    const response = { '2XX': User, 204: text(), default: object({ error: text() }) };
    assert.equal((await of(response, res => res.status(202).json({ email: 'x' })).inject('/')).status, 202);
    assert.equal((await of(response, res => res.status(404).json({ email: 'x' })).inject('/')).status, 500);
    assert.equal((await of(response, res => res.status(404).json({ error: 'x' })).inject('/')).status, 404);
    assert.equal((await of({ 200: User }, res => res.status(404).json(1)).inject('/')).status, 404);
  });

  test('responses: a successful status without a schema becomes a 500 that names the route and the status', async () => {
    const sends: ((res: web.Response) => unknown)[] = [
      res => res.json({ email: 'x', passwordHash: 'secret' }),
      res => res.status(202).send({ email: 'x', passwordHash: 'secret' }),
      res => res.jsonp({ email: 'x', passwordHash: 'secret' }),
    ];
    for (const env of ['production', 'development'])
      for (const send of sends) {
        const { status, text: sent } = await of({ 201: User, 404: text() }, send, env).inject('/');
        assert.equal(status, 500);
        assert.doesNotMatch(sent(), /secret/);
        assert.equal(
          /GET \/ sent 20[02], for which .* no response schema/.test(sent()),
          env === 'development',
        );
      }
    const unchecked = { 201: User, '2XX': 'unchecked' } as const;
    assert.deepEqual((await of(unchecked, res => res.json({ a: 1 })).inject('/')).json(), { a: 1 });
    const created = await of(unchecked, res => res.status(201).json({ email: 'x', a: 1 })).inject('/');
    assert.deepEqual(created.json(), { email: 'x' });
  });

  test('responses: of error handlers are not checked by default, only by a schema of their status', async () => {
    const failing: web.RequestHandler = () => {
      throw new Error('broken');
    };
    const handle: web.ErrorRequestHandler = (error: Error, _req, res, _next) => {
      res.status(500).json({ error: error.message });
    };
    const sending = (response: Schemas['response'], handler: web.RequestHandler): App[] => {
      const valid = web.validate({ response: response! }) as web.RequestHandler;
      return [
        make().get('/', valid, handler).use(handle),
        make().get('/', valid, handler, handle),
        make().use(web.Router().use(valid).get('/', handler)).use(handle),
      ];
    };
    for (const app of sending({ default: User }, failing)) {
      assert.deepEqual((await app.inject('/')).json(), { error: 'broken' });
    }
    for (const app of sending({ default: User }, (_req, res) => void res.json({ email: 1 }))) {
      const { error } = (await app.inject('/')).json() as { error: string };
      assert.match(error, /^GET \/ sent 200 with a body that does not match its schema/);
    }
    const [named] = sending({ '5XX': User }, failing);
    assert.match((await named!.inject('/')).text(), /GET \/ sent 500 with a body that does not match/);
  });

  test("responses: of handlers after next('route') are checked by default", async () => {
    const app = make()
      .use(web.validate({ response: { default: User } }) as web.RequestHandler)
      .get('/', (_req, _res, next) => next('route'))
      .get('/', (_req, res) => void res.json({ email: 1 }));
    assert.equal((await app.inject('/')).status, 500);
  });

  test('responses: may match in serialized form', async () => {
    const at = of({ 200: object({ at: text() }) }, res => res.json({ at: new Date(0) }));
    assert.deepEqual((await at.inject('/')).json(), { at: '1970-01-01T00:00:00.000Z' });
    assert.equal((await of({ 200: text() }, res => res.json(undefined)).inject('/')).status, 500);
  });

  test('responses: in the deprecated forms are checked too', async () => {
    interface Old {
      json: (first: unknown, second: unknown) => unknown;
    }
    const forms = [(res: Old) => res.json(201, { email: 'x' }), (res: Old) => res.json({ email: 'x' }, 201)];
    for (const send of forms) {
      const response = await of({ 201: User, 200: text() }, res => send(res as unknown as Old)).inject('/');
      assert.deepEqual([response.status, response.json()], [201, { email: 'x' }]);
    }
  });

  test('responses: are checked by asynchronous schemas', async () => {
    const later = schema(value => Promise.resolve(User['~standard'].validate(value)));
    assert.equal((await of({ 200: later }, res => res.json({ email: 'x' })).inject('/')).status, 200);
    assert.equal((await of({ 200: later }, res => res.json({ email: 1 })).inject('/')).status, 500);
    const failing = schema(() => Promise.reject(new Error('schema')));
    assert.equal((await of({ 200: failing }, res => res.json(1)).inject('/')).status, 500);
    for (const each of silent) {
      const app = of({ 200: each }, res => res.json(1));
      app.get('/', (_req, res) => res.send('the next route'));
      assert.equal((await app.inject('/')).status, 500);
    }
    let calls = 0;
    const second = schema(() =>
      calls++ === 0 ? { issues: [{ message: 'no' }] } : Promise.resolve({ value: 1 }),
    );
    assert.equal((await of({ 200: second }, res => res.json(1)).inject('/')).status, 200);
    calls = 0;
    const late = schema(() =>
      calls++ === 0 ? { issues: [{ message: 'no' }] } : Promise.reject(new Error('schema')),
    );
    assert.equal((await of({ 200: late }, res => res.json(1)).inject('/')).status, 500);
    // An unhandled rejection would be reported by now, and fail the test.
    await new Promise(setImmediate);
  });

  const wrong: [name: string, call: () => unknown, message: RegExp][] = [
    [
      'nothing',
      () => web.validate(undefined as never),
      /expected the schemas as an object with params, .*, got undefined/,
    ],
    ['no schema', () => web.validate({}), /needs at least one schema/],
    ['a schema alone', () => web.validate(text() as never), /expected the schemas as an object/],
    [
      'an unknown part',
      () => web.validate({ bdy: text() } as never),
      /unknown schema 'bdy'; the schemas are params, /,
    ],
    ['what is no schema', () => web.validate({ body: {} } as never), /needs a schema for body.*Got \{\}/s],
    [
      'undefined',
      () => web.validate({ body: undefined } as never),
      /needs a schema for body.*Got undefined/s,
    ],
    [
      'undefined for responses',
      () => web.validate({ response: undefined } as never),
      /expected response schemas by status.*got undefined/,
    ],
    ['null', () => web.validate({ body: null } as never), /needs a schema for body.*Got null/s],
    [
      'another version',
      () => web.validate({ body: { '~standard': { validate() {}, version: 2 } } } as never),
      /has version 2/,
    ],
    [
      'a status',
      () => web.validate({ body: text() }, { status: 418 as never }),
      /status must be 400 or 422, got 418/,
    ],
    [
      'maxIssues',
      () => web.validate({ body: text() }, { maxIssues: 0 }),
      /maxIssues must be a positive integer, got 0/,
    ],
    [
      'timeout',
      () => web.validate({ body: text() }, { timeout: NaN }),
      /the timeout of web\.validate\(\) .*, got NaN/,
    ],
    [
      'a response without a status',
      () => web.validate({ response: text() as never }),
      /response schemas by status/,
    ],
    ['a bad status of a response', () => web.validate({ response: { 20: text() } }), /got '20'/],
    [
      'a bad schema of a response',
      () => web.validate({ response: { 200: 1 as never } }),
      /for response 200.*Got 1/s,
    ],
  ];
  for (const [name, call, message] of wrong) {
    test(`arguments: ${name}: throws when the middleware is created`, () => {
      assert.throws(
        call,
        error =>
          /^(?:Type|Range)Error$/.test((error as Error).name) &&
          error instanceof Error &&
          message.test(error.message),
      );
    });
  }

  test('arguments: the middleware carries its schemas', () => {
    const schemas = { body: text() };
    assert.equal(web.validate(schemas)['~schemas'], schemas);
  });
});
