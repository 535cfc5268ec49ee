/** `web.openApi`: which operations a document has, what it says about them, and how it is sent. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import multer from '@ristretto/multer';
import express from 'express';
import web from 'ristretto';
import type { OpenApiDocument, OpenApiOptions, RouteDescription } from 'ristretto';
import { ask } from '../support/http.js';
import { described, schema, text } from '../support/schemas.js';
import { warningsOf } from '../support/warnings.js';

type App = Parameters<typeof web.openApi>[0];
interface Operation extends Record<string, unknown> {
  operationId: string;
  tags?: string[];
  parameters?: { name: string; in: string; schema: { type?: string } }[];
  requestBody?: { content: Record<string, object>; required?: boolean; description?: string };
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>;
}

const INFO = { title: 'Test', version: '1.0.0' };
const show: web.RequestHandler = (_req, res) => void res.json({});

const documentOf = (app: App, options: Partial<OpenApiOptions> = {}): OpenApiDocument =>
  web.openApi(app, { info: INFO, ...options }).document();

/** Returns `GET /users/{id}` and the like for each operation. */
const operationsOf = (app: App, options?: Partial<OpenApiOptions>): string[] =>
  Object.entries(documentOf(app, options).paths).flatMap(([path, item]) =>
    Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
  );

const operation = (document: OpenApiDocument, path: string, method = 'get'): Operation =>
  document.paths[path]![method] as Operation;

const describing = (description: RouteDescription) => web.describe(description);
const object = (properties: object, required: string[] = []) =>
  described({ type: 'object', properties, required });

/** Middleware that may choose another registration of the path. */
const choose: web.RequestHandler = (_req, _res, next) => {
  next('route');
};

describe('web.openApi', () => {
  test('routes: are listed from the whole tree, in the order of registration', () => {
    const inner = web.Router().get('/:id', show).delete('/:id', show);
    const outer = web.Router().use('/items', inner).get('/', show);
    const app = web().get('/plain', show).use('/shops/:shop', outer);
    app.use('/admin', web().post('/users', show));
    assert.deepEqual(operationsOf(app), [
      'GET /plain',
      'GET /shops/{shop}/items/{id}',
      'DELETE /shops/{shop}/items/{id}',
      'GET /shops/{shop}',
      'POST /admin/users',
    ]);
    assert.deepEqual(documentOf(app).info, INFO);
    assert.equal(documentOf(app).openapi, '3.1.0');
    assert.deepEqual(operation(documentOf(app), '/plain'), {
      operationId: 'getPlain',
      responses: { default: { description: 'The response' } },
    });
  });

  test('routes: include routes of routers and of an Express application', () => {
    assert.deepEqual(operationsOf(web.Router().get('/a', show)), ['GET /a']);
    const old = express().get('/old/:id', (_req, res) => res.send('x'));
    assert.deepEqual(operationsOf(old as unknown as App), ['GET /old/{id}']);
    assert.deepEqual(operationsOf(web()), []);
  });

  test('routes: HEAD and OPTIONS are listed only if registered, and a method once for each path', () => {
    const app = web().head('/a', show).options('/a', show).get('/a', show).get('/a', show);
    assert.deepEqual(operationsOf(app), ['HEAD /a', 'OPTIONS /a', 'GET /a']);
  });

  test('routes: those for all methods become the usual five, or middleware if there are others', () => {
    const app = web()
      .all('/a', show)
      .all('/b', describing({ tags: ['b'] }), show);
    app.get('/b', show);
    app.route('/c').all(show);
    const five = (path: string) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(name => `${name} ${path}`);
    assert.deepEqual(operationsOf(app), [...five('/a'), 'GET /b', ...five('/c')]);
    assert.deepEqual(operation(documentOf(app), '/b').tags, ['b']);
  });

  test('routes: omit the ones that send the document or its page', () => {
    const app = web().get('/a', show);
    app.get('/openapi.json', web.openApi(app, { info: INFO }));
    app.use('/docs', web.openApiPage('/openapi.json'));
    app.get('/docs-too', web.openApiPage('/openapi.json'));
    app.use(web.openApi(app, { info: INFO }), web.openApiPage('/openapi.json'));
    app.get('/b', show);
    assert.deepEqual(operationsOf(app), ['GET /a', 'GET /b']);
  });

  test('routes: filter gets the entries of app.routes()', () => {
    const app = web().get('/a', show).post('/a', show).get('/b/:id', show);
    const seen: unknown[] = [];
    const filter = (route: web.RouteInfo): boolean => {
      seen.push(route);
      return route.path === '/a' && route.method === 'GET';
    };
    assert.deepEqual(operationsOf(app, { filter }), ['GET /a']);
    assert.deepEqual(
      seen,
      app.routes().filter(({ kind }) => kind === 'route'),
    );
  });

  test('routes: basePath is removed, and becomes the server', () => {
    const app = web().get('/api', show).get('/api/users', show).get('/apix', show).get('/', show);
    assert.deepEqual(operationsOf(app, { basePath: '/api' }), ['GET /', 'GET /users']);
    assert.deepEqual(documentOf(app, { basePath: '/api' }).servers, [{ url: '/api' }]);
    const servers = [{ url: 'https://api.example' }];
    assert.deepEqual(documentOf(app, { basePath: '/api', servers }).servers, servers);
    assert.equal(documentOf(app).servers, undefined);
  });

  test('routes: a route without handlers is omitted', () => {
    const app = web();
    app.route('/none');
    assert.deepEqual(operationsOf(app), []);
  });

  const pathsOf = (...paths: (string | RegExp)[]): string[] => {
    const app = web();
    for (const path of paths) app.get(path, show);
    return Object.keys(documentOf(app).paths);
  };

  test('paths: optional parameters become several paths', () => {
    assert.deepEqual(pathsOf('/a/:b?'), ['/a/{b}', '/a']);
    assert.deepEqual(pathsOf('/:a?/:b?'), ['/{a}/{b}', '/{a}', '/']);
    assert.deepEqual(pathsOf('/x.:format?'), ['/x.{format}', '/x']);
    assert.deepEqual(pathsOf('/a/:from-:to'), ['/a/{from}-{to}']);
    assert.deepEqual(pathsOf('/a\\.b/c.json'), ['/a.b/c.json']);
    assert.deepEqual(pathsOf('/:a?'), ['/{a}', '/']);
  });

  test('paths: begin with a slash, even if an optional first parameter is left out', () => {
    assert.deepEqual(pathsOf('/:a?*'), ['/{a}{splat}', '/{splat}']);
    assert.deepEqual(pathsOf('/:a?b', '/:c?:d'), ['/{a}b', '/{c}{d}']);
  });

  test('paths: the rest of a path becomes a parameter with a name that clients can use', () => {
    assert.deepEqual(pathsOf('/files/*', '/more/:name*'), ['/files/{splat}', '/more/{name}']);
    const [parameter] = operation(documentOf(web().get('/f/*', show)), '/f/{splat}').parameters!;
    assert.deepEqual(parameter, {
      name: 'splat',
      in: 'path',
      required: true,
      'x-rest': true,
      description: 'The rest of the path, slashes included.',
      schema: { type: 'string' },
    });
    assert.deepEqual(pathsOf('/*/a/*', '/:splat/*'), ['/{splat}/a/{splat2}', '/{splat}/{splat2}']);
    const params = object({ 0: { type: 'string', maxLength: 9 } }, ['0']);
    const described = documentOf(web().get('/f/*', web.validate({ params }), show));
    assert.deepEqual(operation(described, '/f/{splat}').parameters![0]!.schema, {
      type: 'string',
      maxLength: 9,
    });
  });

  test('paths: the expression of a parameter becomes its pattern', () => {
    const [parameter] = operation(documentOf(web().get('/:id(\\d+)', show)), '/{id}').parameters!;
    assert.deepEqual(parameter!.schema, { type: 'string', pattern: '^(?:\\d+)$' });
  });

  test('paths: that differ only in parameter names become one path, with the names of the first', () => {
    const params = object({ name: { type: 'integer' } }, ['name']);
    const app = web().get('/users/:id', show).post('/users/:name', web.validate({ params }), show);
    const document = documentOf(app);
    assert.deepEqual(Object.keys(document.paths), ['/users/{id}']);
    const [parameter] = operation(document, '/users/{id}', 'post').parameters!;
    assert.deepEqual([parameter!.name, parameter!.schema], ['id', { type: 'integer' }]);
  });

  test('paths: lists the ones that OpenAPI cannot express, with the reason', () => {
    const app = web();
    const paths = [/^\/re/, /fly/, '*', '/ab?cd', '/a(b)', '/{id}', '/:a/:a', '/\\d', '/:a(x(y))', '/\\{a'];
    for (const path of paths) app.get(path, show);
    app.get('/:a?/:b?/:c?/:d?/:e?', show);
    app.use(/^\/mount/, web.Router().get('/x', show));
    app.report('/a', show);
    const document = documentOf(app);
    assert.deepEqual(document.paths, {});
    assert.deepEqual(
      document['x-unlisted']!.map(({ method, path, reason }) => `${method} ${path}: ${reason}`),
      [
        'GET /^\\/re/: a regular expression',
        'GET /fly/: a regular expression',
        'GET *: matches paths of any form',
        'GET /ab?cd: "/ab?cd" is part of a regular expression',
        'GET /a(b): "/a(b)" is part of a regular expression',
        'GET /{id}: "/{id}" is part of a regular expression',
        'GET /:a/:a: two parameters have the same name',
        'GET /\\d: "\\d" is part of a regular expression',
        'GET /:a(x(y)): ")" is part of a regular expression',
        'GET /\\{a: "\\{" is part of a regular expression',
        'GET /:a?/:b?/:c?/:d?/:e?: more than 4 optional parameters',
        'GET /^\\/mount/x: a regular expression',
        'REPORT /a: OpenAPI 3.1 does not support the method',
      ],
    );
  });

  test('parameters: come from the schemas of params, query, headers and cookies', () => {
    const app = web().get(
      '/users/:id',
      web.validate({
        params: object({ id: { type: 'integer' } }),
        query: object({ page: { type: 'integer', description: 'From 1' }, deep: { type: 'object' } }, [
          'page',
        ]),
        headers: object({ 'x-tenant': { type: 'string', deprecated: true }, Authorization: {}, accept: {} }),
        cookies: object({ sid: true }),
      }),
      show as never,
    );
    assert.deepEqual(operation(documentOf(app), '/users/{id}').parameters, [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'page', in: 'query', required: true, description: 'From 1', schema: { type: 'integer' } },
      { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
      { name: 'x-tenant', in: 'header', deprecated: true, schema: { type: 'string' } },
      { name: 'sid', in: 'cookie', schema: {} },
    ]);
  });

  test('parameters: include those validated by earlier middleware; the first of a name wins', () => {
    const headers = (name: string, type: string) => web.validate({ headers: object({ [name]: { type } }) });
    const router = web.Router().use(headers('x-a', 'integer')).get('/x', headers('x-a', 'string'), show);
    const app = web()
      .use('/other', headers('x-other', 'string'))
      .use('/api', headers('x-b', 'string'))
      .use('/api', router)
      .use('*', headers('x-c', 'string'))
      .get('/api/y', show)
      .use(headers('x-late', 'string'));
    const names = (path: string) =>
      operation(documentOf(app), path).parameters!.map(({ name, schema: { type } }) => `${name} ${type}`);
    assert.deepEqual(names('/api/x'), ['x-b string', 'x-a integer']);
    assert.deepEqual(names('/api/y'), ['x-b string', 'x-a integer', 'x-c string']);
  });

  test("routes: of one path, between which a handler chooses with next('route'), become alternatives", () => {
    const [first, second, third] = ['a', 'b', 'c'].map(name => ({ ...object({ [name]: {} }, [name]) }));
    const app = web()
      .use('/x', web.validate({ query: object({ all: {} }, ['all']) }))
      .post(
        '/x',
        choose,
        web.validate({ query: first!, body: first!, response: { 200: first!, 201: first! } }),
        show,
      )
      .post('/x', web.validate({ body: second!, response: { 200: second! } }), show)
      .post('/y', web.validate({ body: first! }), show)
      .post('/y', choose, web.validate({ body: second! }), show)
      .post('/y', choose, web.validate({ body: third! }), show)
      // All of these must match
      .post('/z', web.validate({ body: first! }), web.validate({ body: second! }))
      .post('/z', choose, web.validate({ body: third! }), show);
    const document = documentOf(app);
    const { parameters, requestBody, responses } = operation(document, '/x', 'post') as unknown as {
      parameters: { name: string; required?: boolean }[];
      requestBody: { content: Record<string, { schema: object }> };
      responses: Record<number, { content: Record<string, { schema: object }> }>;
    };
    assert.deepEqual(
      parameters.map(({ name, required }) => [name, required]),
      [
        ['all', true],
        ['a', undefined],
      ],
    );
    const shape = (content: Record<string, { schema: object }>): string =>
      JSON.stringify(content['application/json']!.schema, (_key, value: unknown) => {
        const { $ref } = Object(value) as { $ref?: string };
        if ($ref === undefined) return value;
        return document.components!.schemas![$ref.split('/').at(-1)!];
      }).replace(/\{"type":"object","properties":\{"(.)":\{\}\},"required":\["."\]\}/g, '$1');
    assert.equal(shape(requestBody.content), '{"anyOf":[a,b]}');
    assert.equal(shape(responses[200]!.content), '{"anyOf":[a,b]}');
    assert.equal(shape(responses[201]!.content), 'a');
    const bodyOf = (path: string): string =>
      shape(operation(document, path, 'post').requestBody!.content as Record<string, { schema: object }>);
    assert.equal(bodyOf('/y'), '{"anyOf":[{"allOf":[a,b]},{"allOf":[a,c]}]}');
    assert.equal(bodyOf('/z'), '{"allOf":[a,b,c]}');
  });

  const first = object({ a: {} }, ['a']);
  const second = object({ b: {} }, ['b']);
  const ofFirst = { type: 'object', properties: { a: {} }, required: ['a'] };
  const ofSecond = { type: 'object', properties: { b: {} }, required: ['b'] };

  /** Returns a document as text, with the schemas in place of their names. */
  const inlined = (document: OpenApiDocument): OpenApiDocument =>
    JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
      const { $ref } = Object(value) as { $ref?: string };
      return $ref === undefined ? value : document.components!.schemas![$ref.split('/').at(-1)!];
    }) as OpenApiDocument;

  test('alternatives: each has the media types, files and examples of its own registration', () => {
    const app = web()
      .post('/types', choose, web.json(), web.validate({ body: first }), show)
      .post('/types', web.text(), web.validate({ body: described({ type: 'string' }) }), show)
      .post('/parsed', web.json(), choose, web.validate({ body: first }), show)
      .post('/parsed', web.urlencoded({ extended: false }), web.validate({ body: second }), show)
      .post('/files', choose, multer().single('photo'), web.validate({ body: first }), show)
      .post('/files', multer().single('photo'), web.validate({ body: first }), show)
      .post(
        '/described',
        choose,
        describing({ body: { contentTypes: ['image/*'], examples: { one: { value: 1 } } } }),
        web.validate({ query: first }),
        show,
      )
      .post('/described', web.validate({ body: first }), show);
    app.use('/global', web.json());
    app
      .post('/global', choose, web.validate({ body: first }), show)
      .post('/global', web.text(), web.validate({ body: described({ type: 'string' }) }), show);
    const document = inlined(documentOf(app));
    const content = (path: string) => operation(document, path, 'post').requestBody!.content;
    const textual = {
      'application/json': { schema: ofFirst },
      'text/plain': { schema: { type: 'string' } },
    };
    assert.deepEqual(content('/types'), textual);
    assert.deepEqual(content('/global'), textual);
    assert.deepEqual(content('/parsed'), {
      'application/json': { schema: { anyOf: [ofFirst, ofSecond] } },
      'application/x-www-form-urlencoded': { schema: ofSecond },
    });
    assert.equal(JSON.stringify(content('/files')).match(/"photo"/g)!.length, 1);
    assert.deepEqual(content('/described'), {
      'image/*': { examples: { one: { value: 1 } } },
      'application/json': { schema: ofFirst },
    });
  });

  test('alternatives: a status that one of them may send without a schema has none', () => {
    const respond = (response: web.Schemas['response']) => web.validate({ query: first, response });
    const app = web()
      .get('/none', choose, respond({ 200: first }), show)
      .get('/none', web.validate({ query: second }), show)
      .get('/errors', choose, respond({ 200: first, 404: first }), show)
      .get('/errors', respond({ 404: second }), show)
      .get('/others', choose, respond({ 200: first, 404: first }), show)
      .get('/others', respond({ 201: second }), show)
      .get('/ranges', choose, respond({ 200: first, 404: first }), show)
      .get('/ranges', respond({ '2XX': second, default: second }), show);
    const document = inlined(documentOf(app));
    const schemas = (path: string) =>
      Object.entries(operation(document, path).responses)
        .filter(([status]) => status !== '400')
        .map(([status, { content }]) => [status, content!['application/json']!.schema]);
    const both = { anyOf: [ofFirst, ofSecond] };
    assert.deepEqual(schemas('/none'), [['200', undefined]]);
    assert.deepEqual(schemas('/errors'), [
      ['200', undefined],
      ['404', both],
    ]);
    assert.deepEqual(schemas('/others'), [
      ['200', ofFirst],
      ['201', ofSecond],
      ['404', undefined],
    ]);
    assert.deepEqual(schemas('/ranges'), [
      ['200', both],
      ['404', both],
      ['2XX', ofSecond],
      ['default', undefined],
    ]);
  });

  test('alternatives: include a last registration without schemas, and those of app.all', () => {
    const app = web()
      .get('/last', choose, web.validate({ query: first, response: { 200: first } }), show)
      .get('/last', show)
      .get('/405', choose, web.validate({ query: first, response: { 200: first } }), show)
      .all('/405', show)
      .all('/all', choose, web.validate({ body: first }), show)
      .all('/all', web.validate({ body: second }), show);
    const document = inlined(documentOf(app));
    const { parameters, responses } = operation(document, '/last');
    assert.deepEqual(parameters, [{ name: 'a', in: 'query', schema: {} }]);
    assert.deepEqual(responses[200]!.content, { 'application/json': {} });
    assert.deepEqual(operation(document, '/405').parameters, [
      { name: 'a', in: 'query', required: true, schema: {} },
    ]);
    assert.deepEqual(operation(document, '/all', 'put').requestBody!.content, {
      'application/json': { schema: { anyOf: [ofFirst, ofSecond] } },
    });
  });

  test('alternatives: hidden ones are left out; without a choice, one hides the path', () => {
    const hidden = describing({ hidden: true });
    const app = web()
      .get('/first', hidden, choose, web.validate({ query: first }), show)
      .get('/first', web.validate({ query: second }), show)
      .get('/second', choose, web.validate({ query: first }), show)
      .get('/second', hidden, web.validate({ query: second }), show)
      .get('/both', choose, hidden, web.validate({ query: first }), show)
      .get('/both', hidden, show)
      .get('/passed', hidden, web.validate({ query: first }))
      .get('/passed', show)
      .all('/all', hidden)
      .get('/all', choose, web.validate({ query: first }), show)
      .get('/all', show);
    const document = documentOf(app);
    const names = Object.keys(document.paths).map(path => [
      path,
      ...operation(document, path).parameters!.map(({ name }) => name),
    ]);
    assert.deepEqual(names, [
      ['/first', 'b'],
      ['/second', 'a'],
    ]);
  });

  test('parameters: of alternatives are the properties of all, required if each requires them', () => {
    const choice = (properties: object, required: string[]) => ({ type: 'object', properties, required });
    const query = described({
      $defs: { One: choice({ a: { type: 'string' }, b: { type: 'string' } }, ['a', 'b']) },
      allOf: [choice({ c: {} }, ['c']), choice({ c: { minLength: 1 } }, [])],
      oneOf: [
        { $ref: '#/$defs/One' },
        choice({ a: { type: 'integer' }, b: { type: 'string' }, e: {} }, ['a', 'e']),
      ],
      properties: { odd: true },
    });
    const app = web().get('/', web.validate({ query }), show as never);
    assert.deepEqual(operation(documentOf(app), '/').parameters, [
      { name: 'odd', in: 'query', schema: {} },
      { name: 'c', in: 'query', required: true, schema: { allOf: [{}, { minLength: 1 }] } },
      {
        name: 'a',
        in: 'query',
        required: true,
        schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      { name: 'b', in: 'query', schema: { type: 'string' } },
      { name: 'e', in: 'query', schema: {} },
    ]);
    const none = web().get('/', web.validate({ query: described({ type: 'object' }) }), show as never);
    assert.equal(operation(documentOf(none), '/').parameters, undefined);
  });

  test('bodies: have the media types of the parsers before the route', () => {
    const body = object({ a: {} });
    const textual = described({ type: 'string' });
    const app = web();
    app.post('/none', web.validate({ body }), show);
    app.post('/text', web.text(), web.validate({ body: textual }), show);
    app.post('/raw', web.raw(), web.validate({ body }), show);
    app.post('/plain', web.validate({ body: textual }), show);
    app.use(web.json());
    app.post('/json', web.text(), web.validate({ body }), show);
    app.post('/both', web.urlencoded({ extended: false }), web.validate({ body }), show);
    app.post('/own', describing({ body: { contentTypes: ['multipart/form-data'] } }), show);
    const document = documentOf(app);
    const types = (path: string) => Object.keys(operation(document, path, 'post').requestBody!.content);
    assert.deepEqual(types('/none'), ['application/json']);
    assert.deepEqual(types('/text'), ['text/plain']);
    assert.deepEqual(types('/raw'), ['application/json']);
    assert.deepEqual(types('/plain'), ['application/json']);
    assert.deepEqual(types('/json'), ['application/json']);
    assert.deepEqual(types('/both'), ['application/json', 'application/x-www-form-urlencoded']);
    assert.deepEqual(types('/own'), ['multipart/form-data']);
  });

  test('bodies: have the types of the option `type`, and minified parsers are recognized', () => {
    const body = object({ a: {} });
    const textual = describing({ body: { required: true } });
    const minified = <Parser>(parser: Parser) => Object.defineProperty(parser, 'name', { value: 'a' });
    const app = web();
    app.post('/merge', web.json({ type: 'application/merge-patch+json' }), web.validate({ body }), show);
    app.post(
      '/list',
      web.json({ type: ['json', '+json', 'text/json', 5 as never] }),
      web.validate({ body }),
      show,
    );
    app.post('/pattern', web.json({ type: '*/*' }), web.validate({ body }), show);
    app.post('/function', web.json({ type: () => true }), web.validate({ body }), show);
    app.post(
      '/csv',
      web.text({ type: 'text/csv' }),
      web.validate({ body: described({ type: 'string' }) }),
      show,
    );
    app.post('/png', web.raw({ type: 'image/png' }), textual, show);
    app.post(
      '/any',
      web.json(),
      web.text({ type: 'text/csv' }),
      web.raw({ type: 'image/png' }),
      textual,
      show,
    );
    app.post('/form', minified(web.urlencoded({ extended: false })), web.validate({ body }), show);
    app.post('/photo', minified(multer().single('photo')), web.validate({ body }), show);
    const document = documentOf(app);
    const found = Object.keys(document.paths).map(path => [
      path,
      ...Object.keys(operation(document, path, 'post').requestBody!.content),
    ]);
    assert.deepEqual(found, [
      ['/merge', 'application/merge-patch+json'],
      ['/list', 'application/json', 'text/json'],
      ['/pattern', 'application/json'],
      ['/function', 'application/json'],
      ['/csv', 'text/csv'],
      ['/png', 'image/png'],
      ['/any', 'application/json'],
      ['/form', 'application/x-www-form-urlencoded'],
      ['/photo', 'multipart/form-data'],
    ]);
  });

  test('paths: a route whose path is that of another one in the document is listed as missing', () => {
    const app = web();
    app.get('/users/:id(\\d+)', show).get('/users/:name([a-z]+)', show).post('/users/:name', show);
    app.get('/files/:name', show).get('/files/*', show).get('/a', show).get('/:b?', show).get('/', show);
    const document = documentOf(app);
    assert.deepEqual(document['x-unlisted'], [
      {
        method: 'GET',
        path: '/users/:name([a-z]+)',
        reason: '/users/{id} is also the path of an earlier route',
      },
      { method: 'GET', path: '/files/*', reason: '/files/{name} is also the path of an earlier route' },
      { method: 'GET', path: '/', reason: '/ is also the path of an earlier route' },
    ]);
  });

  test('bodies: of forms have the files that @ristretto/multer accepts', () => {
    const app = web();
    const upload = multer();
    app.post('/one', upload.single('photo'), web.validate({ body: object({ a: {} }) }), show);
    app.post('/list', upload.array('photos'), show);
    app.post('/named', upload.fields([{ name: 'a', maxCount: 1 }, { name: 'b' }]), show);
    app.post('/none', upload.none(), show);
    const component = described({ type: 'object', title: 'Form' });
    app.post('/component', web.urlencoded(), upload.single('a'), web.validate({ body: component }), show);
    const document = documentOf(app);
    const content = (path: string) => operation(document, path, 'post').requestBody?.content;
    const file = { type: 'string', format: 'binary' };
    const form = (properties: object, others = {}) => ({
      'multipart/form-data': { schema: { type: 'object', properties, ...others } },
    });
    assert.deepEqual(content('/one'), form({ a: {}, photo: file }, { required: [] }));
    assert.deepEqual(content('/list'), form({ photos: { type: 'array', items: file } }));
    assert.deepEqual(content('/named'), form({ a: file, b: { type: 'array', items: file } }));
    assert.equal(content('/none'), undefined);
    const schema = { $ref: '#/components/schemas/Form' };
    assert.deepEqual(content('/component'), {
      'application/x-www-form-urlencoded': { schema },
      'multipart/form-data': { schema: { allOf: [schema, { type: 'object', properties: { a: file } }] } },
    });
  });

  test('bodies: are required if the schema rejects a missing body', () => {
    const optional = described({ type: 'object' });
    const json = Reflect.get(optional['~standard'], 'jsonSchema') as object;
    const with_ = (validate: () => unknown) => {
      const made = schema(validate as never);
      Object.assign(made['~standard'], { jsonSchema: json });
      return made;
    };
    const required = (body: ReturnType<typeof schema>): unknown =>
      operation(documentOf(web().post('/', web.validate({ body }), show)), '/', 'post').requestBody!.required;
    assert.equal(required(optional), undefined);
    assert.equal(required(with_(() => ({ issues: [{ message: 'no' }] }))), true);
    assert.equal(required(with_(() => Promise.reject(new Error('late')))), true);
    const throwing = with_(() => {
      throw new Error('no');
    });
    assert.equal(required(throwing), true);
  });

  test('bodies: a description determines whether they are required', () => {
    const app = web();
    app.put('/picture', describing({ body: { contentTypes: ['image/png'], required: true } }), show);
    app.put('/none', describing({ body: { contentTypes: ['image/png'] } }), show);
    app.put('/json', web.describe({ body: { required: false } }), web.validate({ body: object({}) }), show);
    const document = documentOf(app);
    const required = (path: string) => operation(document, path, 'put').requestBody!.required;
    assert.deepEqual(
      [required('/picture'), required('/none'), required('/json')],
      [true, undefined, undefined],
    );
  });

  test('responses: come from the schemas by status', () => {
    const response = {
      201: described({ type: 'integer' }),
      202: 'unchecked' as const,
      '4XX': described({}),
      default: described({}),
    };
    const app = web().get('/', web.validate({ response }), show);
    const json = (shape: object) => ({ 'application/json': { schema: shape } });
    assert.deepEqual(operation(documentOf(app), '/').responses, {
      201: { description: 'Created', content: json({ type: 'integer' }) },
      202: { description: 'Accepted', content: { 'application/json': {} } },
      '4XX': { description: 'The response', content: json({}) },
      default: { description: 'The response', content: json({}) },
    });
  });

  test('responses: a validated route has the 400 with problem details, or the 422', () => {
    const query = object({});
    const app = web().use(web.validate({ headers: object({}) }));
    app.get('/', web.validate({ query }, { status: 422 }), show as never);
    app.get('/own', web.validate({ response: { 400: described({ type: 'null' }) } }), show);
    const document = documentOf(app);
    const { responses } = operation(document, '/');
    assert.deepEqual(Object.keys(responses), ['400', '422', 'default']);
    assert.deepEqual(responses[422]!.content, {
      'application/problem+json': { schema: { $ref: '#/components/schemas/ValidationProblem' } },
    });
    assert.deepEqual(operation(document, '/own').responses[400]!.content, {
      'application/json': { schema: { type: 'null' } },
    });
    const without = documentOf(app, { problems: false });
    assert.deepEqual(Object.keys(operation(without, '/').responses), ['default']);
    assert.equal(without.components, undefined);
  });

  test('responses: the schema of the problem details matches what the framework sends', async () => {
    const app = web().get(
      '/',
      web.validate({ query: schema(() => ({ issues: [{ message: 'no' }] })) }),
      show as never,
    );
    const sent = (await app.inject({ url: '/', headers: { accept: 'application/json' } })).json() as object;
    const other = web().get('/', web.validate({ query: object({}) }), show as never);
    const { ValidationProblem: problem } = documentOf(other).components!.schemas!;
    assert.deepEqual(Object.keys(problem!.properties as object), Object.keys(sent));
  });

  test('describe: adds what schemas cannot express', () => {
    const examples = { ada: { summary: 'A user', value: { name: 'Ada' } } };
    const description: RouteDescription = {
      summary: 'Creates a user',
      description: '*Really*',
      operationId: 'createUser',
      tags: ['users'],
      deprecated: true,
      externalDocs: { url: 'https://example.com' },
      body: { description: 'The user', examples },
      responses: {
        201: { description: 'Made', examples, headers: { Location: { schema: { type: 'string' } } } },
        404: {},
        204: { contentTypes: ['text/html'] },
      },
    };
    const app = web().post('/users', web.describe(description), web.validate({ body: object({}) }), show);
    const { responses, requestBody, parameters, ...rest } = operation(documentOf(app), '/users', 'post');
    const { body, responses: _, ...same } = description;
    assert.deepEqual(rest, same);
    assert.equal(parameters, undefined);
    assert.equal(requestBody!.description, body!.description);
    assert.deepEqual(requestBody!.content['application/json'], {
      schema: { type: 'object', properties: {}, required: [] },
      examples,
    });
    const { 400: problem, ...others } = responses;
    assert.ok(problem);
    assert.deepEqual(others, {
      201: {
        description: 'Made',
        headers: { Location: { schema: { type: 'string' } } },
        content: { 'application/json': { examples } },
      },
      204: { description: 'No Content', content: { 'text/html': {} } },
      404: { description: 'Not Found' },
    });
  });

  test('describe: in router.use, applies to all routes of the router; a route’s own description takes precedence', () => {
    const router = web.Router().use(describing({ tags: ['a'], summary: 'outer', responses: { 404: {} } }));
    router.get('/x', describing({ summary: 'inner', responses: { 200: {} } }), show);
    router.get('/hidden', describing({ hidden: true }), show);
    const document = documentOf(web().use('/r', router).get('/y', show));
    assert.deepEqual(Object.keys(document.paths), ['/r/x', '/y']);
    const { tags, summary, responses } = operation(document, '/r/x');
    assert.deepEqual([tags, summary, Object.keys(responses)], [['a'], 'inner', ['200', '404']]);
    assert.equal(operation(document, '/y').tags, undefined);
  });

  test('describe: does not affect requests, and throws for invalid parts', async () => {
    const app = web().get('/', describing({ summary: 'x' }), show);
    assert.equal((await app.inject('/')).status, 200);
    for (const [bad, message] of [
      ['text', /expected an object with options, got 'text'/],
      [{ errors: [200] }, /errors must be an array of statuses from 400 to 599, got \[ 200 \]/],
      [
        { body: { contentType: 'a/b' } },
        /^body of web.describe\(\): unknown option 'contentType'; the options are /,
      ],
      [
        { responses: { abc: {} } },
        /expected a status from 100 to 599, '2XX' or 'default' for a response, got 'abc'/,
      ],
      [
        { responses: { 200: 'OK' } },
        /^response 200 of web.describe\(\): expected an object with options, got 'OK'/,
      ],
      [
        { responses: { 200: { contentTypes: 'a/b' } } },
        /contentTypes must be an array of media types, got 'a\/b'/,
      ],
      [
        { body: { contentTypes: ['json'] } },
        /contentTypes must be an array of media types, got \[ 'json' \]/,
      ],
      [
        { body: { examples: { ada: { name: 'Ada' } } } },
        /examples must be an object of objects such as \{ value: 'Ada' \}, got \{ ada: /,
      ],
      [
        { responses: { 200: { headers: { ETag: 'text' } } } },
        /headers must be an object of Header Objects, got/,
      ],
      [
        { security: [{ bearer: true }] },
        /security must be an array of objects such as \{ bearer: \[\] \}, got/,
      ],
      [{ externalDocs: { description: 'more' } }, /externalDocs must be an object with a url, got/],
    ] as const) {
      assert.throws(() => web.describe(bad as never), { name: 'TypeError', message });
    }
  });

  test('operationId: is unique', () => {
    const app = web().get('/a-b', show).get('/a/b', show).get('/', show);
    app.get(['/one', '/two'], describing({ operationId: 'both' }), show);
    const ids = Object.values(documentOf(app).paths).map(({ get }) => get!.operationId);
    assert.deepEqual(ids, ['getAB', 'getAB2', 'get', 'both', 'both2']);
  });

  test('operationId: that two descriptions set is an error', () => {
    const app = web()
      .get('/a', describing({ operationId: 'list' }), show)
      .get('/b', describing({ operationId: 'list' }), show);
    assert.throws(() => documentOf(app), /\n {2}GET \/b: the operation id 'list' is that of GET \/a$/);
    const shared = describing({ operationId: 'list' });
    assert.equal(
      Object.keys(documentOf(web().get('/a', shared, show).get('/b', shared, show)).paths).length,
      2,
    );
  });

  test('security: names schemes, which must exist', () => {
    const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
    const security = [{ bearer: [] }];
    const app = web()
      .get('/a', describing({ security: [] }), show)
      .get('/b', show);
    const document = documentOf(app, { securitySchemes, security, tags: [{ name: 'a' }] });
    assert.deepEqual(document.security, security);
    assert.deepEqual(document.components, { securitySchemes });
    assert.deepEqual(document.tags, [{ name: 'a' }]);
    assert.deepEqual(operation(document, '/a').security, []);
    assert.throws(() => documentOf(app, { security }), /GET \/b: the option securitySchemes lacks 'bearer'/);
  });

  test('options: invalid values throw', () => {
    const make = (options: unknown, app: unknown = web()) =>
      web.openApi(app as App, options as OpenApiOptions);
    for (const [options, message] of [
      [undefined, /info must be \{ title: 'Users', version: '1.0.0' \} and the like, got undefined/],
      [{ info: { title: 'x' } }, /info must be/],
      [
        { info: INFO, servers: [{ description: 'live' }] },
        /servers must be an array of objects with a url, got/,
      ],
      [{ info: INFO, tags: [{}] }, /tags must be an array of objects with a name, got \[ \{\} \]/],
      [
        { info: INFO, securitySchemes: { bearer: 'http' } },
        /securitySchemes must be an object of objects, got/,
      ],
      [{ info: INFO, security: [{ bearer: 'read' }] }, /security must be an array of objects such as/],
      [{ info: INFO, externalDocs: {} }, /externalDocs must be an object with a url, got \{\}/],
      [{ info: INFO, basePath: '/api/' }, /basePath must be a path such as '\/api\/v1', got '\/api\/'/],
    ] as const) {
      assert.throws(() => make(options), { name: 'TypeError', message });
    }
    for (const app of [null, {}, () => undefined])
      assert.throws(() => make({ info: INFO }, app), /expected an application or a router, got/);
  });

  test('document: is a new copy each time, and prototype keys stay data', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"}}') as object;
    const app = web().get(
      '/',
      web.validate({ query: described({ type: 'object', properties }) }),
      show as never,
    );
    const handler = web.openApi(app, { info: INFO });
    const [parameter] = operation(handler.document(), '/').parameters!;
    assert.deepEqual(parameter, { name: '__proto__', in: 'query', schema: { type: 'string' } });
    handler.document().info.title = 'changed';
    assert.equal(handler.document().info.title, 'Test');
    assert.equal(Reflect.get({}, 'type'), undefined);
  });

  const make = () => {
    const app = web().get('/a', show);
    app.get('/openapi.json', web.openApi(app, { info: INFO }));
    return app;
  };

  test('response: is JSON with an ETag, and a 304 if the client has it', async () => {
    const app = make();
    const first = await ask(app, '/openapi.json');
    assert.equal(first.status, 200);
    assert.equal(first.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(first.headers['cache-control'], 'no-cache');
    assert.deepEqual(Object.keys((JSON.parse(first.text) as OpenApiDocument).paths), ['/a']);
    const headers = { 'if-none-match': first.headers.etag! };
    const second = await ask(app, { path: '/openapi.json', headers });
    assert.deepEqual([second.status, second.text], [304, '']);
    const head = await ask(app, { method: 'HEAD', path: '/openapi.json' });
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(first.body.length)]);
  });

  test('response: is rebuilt only when routes have changed', async () => {
    let made = 0;
    const counting = described(() => {
      made++;
      return { type: 'object' };
    });
    const app = web().post('/a', web.validate({ body: counting }), show);
    const router = web.Router();
    app.use('/r', router);
    app.get('/openapi.json', web.openApi(app, { info: INFO }));
    const paths = async () =>
      Object.keys(((await app.inject('/openapi.json')).json() as OpenApiDocument).paths);
    assert.deepEqual(await paths(), ['/a']);
    assert.deepEqual(await paths(), ['/a']);
    assert.equal(made, 1);
    router.get('/b', show);
    assert.deepEqual(await paths(), ['/a', '/r/b']);
    app.remove('/a');
    assert.deepEqual(await paths(), ['/r/b']);
    router.stack.length = 0;
    assert.deepEqual(await paths(), []);
    router.use(router);
    assert.deepEqual(await paths(), []);
    assert.equal(made, 2);
  });

  test('response: other methods call next()', async () => {
    const app = web().use(web.openApi(web(), { info: INFO }), (_req, res) => void res.send('next'));
    assert.equal((await app.inject({ method: 'POST', url: '/' })).text(), 'next');
  });

  test('response: leaves out what cannot be described, and document() throws', async () => {
    let tried = 0;
    const failing = described(() => {
      throw new Error(`no ${++tried}`);
    });
    const app = make();
    const handler = web.openApi(app, { info: INFO });
    app.get('/described.json', handler);
    app.post('/b', web.validate({ body: text(), response: { 201: text() } }), show);
    app.get('/c', web.validate({ query: failing, response: { 200: described({ type: 'integer' }) } }), show);
    for (let i = 0; i < 2; i++) {
      const { status, text: sent } = await app.inject('/described.json');
      const document = JSON.parse(sent()) as OpenApiDocument;
      const { requestBody, responses } = operation(document, '/b', 'post');
      const get = operation(document, '/c');
      assert.deepEqual([status, requestBody], [200, { required: true, content: { 'application/json': {} } }]);
      assert.deepEqual(responses[201], { description: 'Created', content: { 'application/json': {} } });
      assert.equal(get.parameters, undefined);
      assert.deepEqual(get.responses[200]!.content, {
        'application/json': { schema: { type: 'integer' } },
      });
    }
    assert.equal(tried, 1);
    assert.throws(() => handler.document(), /no 2$/);
  });

  test('response: one warning names everything that cannot be described, in production too', () => {
    const program = `
      const standard = { version: 1, vendor: 'test', validate: value => ({ value }) };
      const app = web();
      app.get('/openapi.json', web.openApi(app, { info: { title: 'x', version: '1' } }));
      app.post('/b', web.validate({ body: { '~standard': standard } }), (req, res) => res.end());
      app.inject('/openapi.json').then(() => app.inject('/openapi.json'));`;
    const [warning, ...others] = warningsOf(program, { env: { NODE_ENV: 'production' } });
    assert.deepEqual([warning!.code, others], ['RISTRETTO_OPENAPI', []]);
    assert.match(
      warning!.message,
      /\n {2}POST \/b, body \(test\): the library does not support JSON Schema\n/,
    );
  });

  test('response: in development, the warning comes when the program starts', () => {
    const program = `
      const app = web();
      const openapi = web.openApi(app, { info: { title: 'x', version: '1' } });
      app.get('/a', web.describe({ operationId: 'a' }), (req, res) => res.end());
      app.get('/b', web.describe({ operationId: 'a' }), (req, res) => res.end());`;
    const [warning, ...others] = warningsOf(program);
    assert.deepEqual([warning!.code, others], ['RISTRETTO_OPENAPI', []]);
    assert.match(warning!.message, /\n {2}GET \/b: the operation id 'a' is that of GET \/a\n/);
    assert.deepEqual(warningsOf(program, { env: { NODE_ENV: 'production' } }), []);
  });
});
