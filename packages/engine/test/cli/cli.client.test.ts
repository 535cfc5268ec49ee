// runs: slow
/** `ristretto client`: writes a client, and its types. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import vm from 'node:vm';
import { declarationsOf } from '@ristretto/private-engine/lib/cli/client-types';
import type { OpenApiDocument } from '@ristretto/private-engine/lib/types/openapi';
import ts from 'typescript';
import { inFolder } from '../support/program.js';
import type { Ended } from '../support/program.js';
import { until } from '../support/until.js';
import { compile, programOptions } from '../types/compile.js';

const { folder, run, write } = inFolder();
const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
type Send = (input?: object) => Promise<Result>;

interface Result {
  ok: boolean;
  status: number;
  body: unknown;
  headers: Headers;
}

/** What a generated module exports, without the types that it has for its application. */
interface Generated {
  client(options?: object): Record<string, Record<string, Send>>;
  unwrap(result: Result): unknown;
  ResponseError: new (...args: never[]) => Error;
}

interface App {
  closed: number;
  fetch(request: Request): Promise<Response>;
  listen(port: number): Server;
}

const SCHEMAS = `const { z } = require('zod');
const User = z.object({ id: z.number(), name: z.string().describe('The full name') }).meta({ id: 'User' });
const NewUser = z.object({ name: z.string() });
`;

/** The same application in both versions; only the paths differ. */
const appOf = (framework: string, rest: string): string => `const web = require('${framework}');
${SCHEMAS}const app = web();
app.set('error format', 'problem');
app.set('query parser', 'extended');
const sent = (req, res) => res.json([req.headers['content-type'], Buffer.isBuffer(req.body) ? String(req.body) : req.body]);
app.put('/name', web.json({ strict: false }), web.validate({ body: z.string() }), sent);
app.patch('/merge', web.json({ type: 'application/merge-patch+json' }), web.validate({ body: z.object({ a: z.number() }) }), sent);
app.post('/blob', web.raw(), web.describe({ body: { contentTypes: ['application/octet-stream'] } }), sent);
app.post('/image', web.raw({ type: ['image/*', 'application/octet-stream'] }), web.describe({ body: { contentTypes: ['image/*', 'application/octet-stream'] } }), sent);
const choose = (req, res, next) => req.is('json') ? next() : next('route');
app.post('/types', choose, web.json(), web.validate({ body: z.object({ a: z.number() }) }), sent);
app.post('/types', web.text(), web.validate({ body: z.string() }), sent);
app.post('/note', web.text(), web.validate({ body: z.string() }), sent);
app.post('/xml', web.text({ type: ['application/xml', 'text/xml'] }), web.validate({ body: z.string() }), sent);
app.put('/names', web.json({ strict: false, type: ['application/json', 'application/a+json'] }), web.validate({ body: z.string() }), sent);
app.put('/own', web.json({ type: ['application/b+json', 'application/a+json'] }), web.validate({ body: z.object({ a: z.number() }) }), sent);
app.get('/orders', web.validate({ query: z.object({ items: z.array(z.object({ n: z.string(), m: z.string() })) }) }), (req, res) => res.json(req.query.items));
app.get('/lists', web.validate({ query: z.object({
  lists: z.array(z.array(z.string())).optional(),
  by: z.object({ tags: z.array(z.string()) }).optional(),
  mixed: z.array(z.union([z.string(), z.array(z.string()), z.object({ n: z.string() })])).optional(),
}) }), (req, res) => res.json(req.query));
app.get('/size/${framework === 'ristretto' ? ':width(\\\\d+)' : ':"width"'}x:height', (req, res) => res.json([req.params.width, req.params.height]));
app.get('/empty/:type', (req, res) => res.type(req.params.type).send(''));
app.use(web.json());
app.use(web.text());
app.use(web.urlencoded({ extended: true }));
const users = web.Router();
users.get('/:id', web.describe({ summary: 'Shows a user */', errors: [404] }),
  web.validate({ params: z.object({ id: z.coerce.number() }), response: { 200: User } }),
  (req, res) => {
    if (req.params.id === 9) throw new web.HttpError(404, 'No such user', { code: 'user.missing' });
    res.json({ id: req.params.id, name: 'Ada' });
  });
users.post('/', web.validate({ body: NewUser, query: z.object({ tag: z.array(z.string()).optional(), by: z.object({ name: z.string() }).optional() }), headers: z.object({ 'x-tenant': z.string() }), response: { 201: User } }),
  (req, res) => res.status(201).json({ id: 1, name: [req.body.name, req.headers['x-tenant'], JSON.stringify(req.query)].join() }));
users.delete('/:id', web.describe({ responses: { 204: {} } }), (req, res) => res.status(204).end());
app.use('/api/users', users);
app.get('/text/:name', (req, res) => res.type('text').send(req.params.name));
app.get('/bytes', web.describe({ responses: { 200: { contentTypes: ['image/png'] } } }), (req, res) => res.type('png').send(Buffer.from('png')));
app.get('/flights/:from-:to', (req, res) => res.json(req.params));
app.get('/files/${rest}', (req, res) => res.json(Object.values(req.params).flat().join('/')));
app.get('/items/:id\\\\:archive', (req, res) => res.json([req.path, req.params.id]));
app.get('/events', web.describe({ responses: { 200: { contentTypes: ['text/event-stream'] } } }),
  web.validate({ response: { 200: z.object({ at: z.number() }) } }),
  async (req, res) => {
    const events = res.sse();
    await events.send({ event: 'tick', data: { at: 1 }, id: 5 });
    await events.send('two\\nlines');
    events.close();
  });
app.get('/lines', web.describe({ responses: { 200: { contentTypes: ['application/x-ndjson'] } } }),
  web.validate({ response: { 200: z.object({ n: z.number() }) } }),
  (req, res) => res.type('application/x-ndjson').send((async function* () { yield '{"n":1}\\n{"n"'; yield ':2}\\n\\n'; })()));
app.closed = 0;
const open = (type, text) => (req, res) => {
  res.type(type).write(text);
  res.on('close', () => app.closed++);
};
app.get('/open/events', open('text/event-stream', 'data: 1\\n\\n'));
app.get('/open/lines', open('application/x-ndjson', '1\\n'));
app.post('/echo', (req, res) => res.json([req.headers['content-type'], req.body]));
app.get('/cookie', (req, res) => res.json([req.headers.accept, req.headers.authorization]));
app.get('/broken', (req, res) => res.type('json').send('{'));
app.get(/\\/re+/, (req, res) => res.end());
app.patch('/${rest}', (req, res) => res.end());
app.use('/doc', web.Router().get('/', web.openApi(app, { info: { title: 'Users */', version: '1' }, basePath: '/api' })));
module.exports = app;
`;

/** Loads the text of a generated module. */
function load(text: string): Generated {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported = {};
  (vm.runInThisContext(`(function (exports) {${outputText}\n})`) as (exports: object) => void)(exported);
  return exported as Generated;
}

const VERSIONS: Record<string, string> = { ristretto: '*', ristretto5: '*splat' };

/** Generates the client of a version. */
async function generate(framework: string) {
  write(`${framework}.cjs`, appOf(framework, VERSIONS[framework]!));
  const { code, err } = await run({}, 'client', `${framework}.cjs`, '--out', `${framework}.api.ts`);
  assert.deepEqual([code, err], [0, '']);
  const text = read(`${framework}.api.ts`);
  const app = require(path.join(folder, `${framework}.cjs`)) as App;
  return { framework, text, app, ...load(text) };
}

let generated: Awaited<ReturnType<typeof generate>>[] = [];

/** Runs a test on the generated client of both versions. */
function onEach(title: string, act: (one: (typeof generated)[number]) => Promise<void>): void {
  test(title, async () => {
    for (const one of generated) await act(one);
  });
}

async function all(values: unknown): Promise<unknown[]> {
  const found = [];
  for await (const value of values as AsyncIterable<unknown>) found.push(value);
  return found;
}

describe('ristretto client', () => {
  before(async () => {
    generated = await Promise.all(Object.keys(VERSIONS).map(generate));
  });

  onEach('requests: have the paths, queries, headers and bodies that the routes read', async one => {
    const api = one.client({ fetch: one.app.fetch });
    const send = async (method: string, path: string, input?: object) =>
      one.unwrap(await api[path]![method]!(input));
    assert.deepEqual(await send('get', '/api/users/:id', { params: { id: 7 } }), { id: 7, name: 'Ada' });
    const query = { tag: ['a', 'b c'], by: { name: 'ü&' }, none: undefined };
    assert.deepEqual(
      await send('post', '/api/users', { body: { name: 'Bo' }, query, headers: { 'x-tenant': 't' } }),
      { id: 1, name: 'Bo,t,{"tag":["a","b c"],"by":{"name":"ü&"}}' },
    );
    assert.equal(await send('delete', '/api/users/:id', { params: { id: 1 } }), undefined);
    assert.equal(await send('get', '/text/:name', { params: { name: 'a/b?c%2e#é' } }), 'a/b?c%2e#é');
    assert.deepEqual(await send('get', '/flights/:from-:to', { params: { from: 'LAX', to: 'SFO' } }), {
      from: 'LAX',
      to: 'SFO',
    });
    assert.equal(await send('get', '/files/*splat', { params: { splat: 'a b/c?d' } }), 'a b/c?d');
    assert.deepEqual(await send('get', '/size/:width\\x:height', { params: { width: 3, height: 4 } }), [
      '3',
      '4',
    ]);
    const items = [
      { n: '1', m: 'a' },
      { n: '2', m: 'b' },
    ];
    for (const some of [items, items.slice(1)])
      assert.deepEqual(await send('get', '/orders', { query: { items: some } }), some);
    const queries = [
      { lists: [['a', 'b'], ['c']] },
      { lists: [['a'], ['b']] },
      { by: { tags: ['a'] } },
      { mixed: ['a', ['b'], { n: 'c' }] },
    ];
    for (const each of queries) assert.deepEqual(await send('get', '/lists', { query: each }), each);
    assert.deepEqual(await send('get', '/lists', { query: { lists: [] } }), {});
    assert.deepEqual(await send('get', '/items/:id\\:archive', { params: { id: 3 } }), [
      '/items/3:archive',
      '3',
    ]);
  });

  onEach('bodies: are JSON, text, forms or bytes', async ({ client, unwrap, app }) => {
    const api = client({ fetch: app.fetch });
    const echo = async (body: unknown, headers = {}) => unwrap(await api['/echo']!.post!({ body, headers }));
    assert.deepEqual(await echo({ at: new Date(0) }), [
      'application/json',
      { at: '1970-01-01T00:00:00.000Z' },
    ]);
    assert.deepEqual(await echo([1]), ['application/json', [1]]);
    assert.deepEqual(await echo('x'), ['text/plain;charset=UTF-8', 'x']);
    assert.deepEqual(await echo(new URLSearchParams({ a: '1' })), [
      'application/x-www-form-urlencoded;charset=UTF-8',
      { a: '1' },
    ]);
    const stream = new Blob(['{"a":2}']).stream();
    assert.deepEqual(await echo(stream, { 'Content-Type': 'application/json' }), [
      'application/json',
      { a: 2 },
    ]);
    const put = async (method: string, path: string, body: unknown) =>
      unwrap(await api[path]![method]!({ body }));
    assert.deepEqual(await put('put', '/name', 'Ada'), ['application/json', 'Ada']);
    assert.deepEqual(await put('patch', '/merge', { a: 1 }), ['application/merge-patch+json', { a: 1 }]);
    for (const bytes of [new TextEncoder().encode('ab'), new Blob(['ab'], { type: 'a/b' })])
      assert.deepEqual(await put('post', '/blob', bytes), ['application/octet-stream', 'ab']);
    const image = (type: string) => put('post', '/image', new Blob(['ab'], { type }));
    assert.deepEqual(await image('image/png'), ['image/png', 'ab']);
    for (const type of ['', 'text/css'])
      assert.deepEqual(await image(type), ['application/octet-stream', 'ab']);
    assert.deepEqual(await put('post', '/types', { a: 1 }), ['application/json', { a: 1 }]);
    assert.deepEqual(await put('post', '/types', 'ab'), ['text/plain;charset=UTF-8', 'ab']);
    const text = (): unknown[] => [
      new TextEncoder().encode('ab'),
      new Blob(['ab']),
      new Blob(['ab']).stream(),
    ];
    for (const body of text()) assert.deepEqual(await put('post', '/note', body), ['text/plain', 'ab']);
    assert.deepEqual(await put('post', '/note', 'ab'), ['text/plain;charset=UTF-8', 'ab']);
    for (const body of ['ab', ...text()])
      assert.deepEqual(await put('post', '/xml', body), ['application/xml', 'ab']);
    const typed = new Blob(['ab'], { type: 'text/xml' });
    assert.deepEqual(await put('post', '/xml', typed), ['text/xml', 'ab']);
    assert.deepEqual(await put('put', '/names', 'Ada'), ['application/json', 'Ada']);
    assert.deepEqual(await put('put', '/own', { a: 1 }), ['application/b+json', { a: 1 }]);
    const [type] = (await echo(new FormData())) as string[];
    assert.match(type!, /^multipart\/form-data; boundary=/);
  });

  onEach('responses: have the status, and the body as its type says', async ({ client, app }) => {
    const api = client({ fetch: app.fetch });
    const missing = await api['/api/users/:id']!.get!({ params: { id: 9 } });
    assert.deepEqual([missing.ok, missing.status], [false, 404]);
    assert.deepEqual(missing.body, {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'No such user',
      code: 'user.missing',
    });
    const invalid = await api['/api/users']!.post!({ body: {} });
    assert.equal((invalid.body as { code: string }).code, 'validation.failed');
    const empty = async (type: string) => (await api['/empty/:type']!.get!({ params: { type } })).body;
    assert.deepEqual([await empty('text/plain'), await empty('json')], ['', undefined]);
    assert.deepEqual(await all(await empty('application/x-ndjson')), []);
    assert.equal(await new Response((await empty('bin')) as ReadableStream).text(), '');
    const { body } = await api['/bytes']!.get!();
    assert.equal(await new Response(body as ReadableStream).text(), 'png');
  });

  onEach('streams: events and lines are read as they arrive', async ({ client, unwrap, app }) => {
    const api = client({ fetch: app.fetch });
    const [tick, text] = (await all(unwrap(await api['/events']!.get!()))) as { json(): unknown }[];
    const { json, ...rest } = tick!;
    assert.deepEqual([rest, json()], [{ event: 'tick', data: '{"at":1}', id: '5' }, { at: 1 }]);
    assert.deepEqual({ ...text, json: 0 }, { event: 'message', data: 'two\nlines', id: '5', json: 0 });
    assert.deepEqual(await all(unwrap(await api['/lines']!.get!())), [{ n: 1 }, { n: 2 }]);
  });

  onEach('streams: one that is returned is closed, read or not', async ({ client, unwrap, app }) => {
    const api = client({ fetch: app.fetch });
    for (const path of ['/open/events', '/open/lines']) {
      for (const isRead of [false, true]) {
        const stream = unwrap(await api[path]!.get!()) as AsyncGenerator<unknown, void>;
        const before = app.closed;
        if (isRead) assert.equal((await stream.next()).done, false);
        assert.deepEqual(await stream.return(), { value: undefined, done: true });
        await until(() => app.closed > before);
        assert.equal((await stream.next()).done, true);
      }
    }
  });

  onEach(
    'streams: one that is returned while a loop waits for the server is closed, and ends the loop',
    async one => {
      const { client, unwrap, app } = one;
      const api = client({ fetch: app.fetch });
      for (const path of ['/open/events', '/open/lines']) {
        const stream = unwrap(await api[path]!.get!()) as AsyncGenerator<unknown, void>;
        const before = app.closed;
        await stream.next();
        const waiting = stream.next();
        assert.deepEqual(await stream.return(), { value: undefined, done: true });
        assert.deepEqual(await waiting, { value: undefined, done: true });
        await until(() => app.closed > before);
      }
    },
  );

  onEach('pages: a rest parameter cannot name another host', async ({ client }) => {
    const href = 'http://page.test/a/';
    const targets: string[] = [];
    const scope = globalThis as { location?: object; Request: unknown };
    const { Request } = scope;
    Object.assign(scope, {
      location: { href },
      Request: function (url: string) {
        targets.push(new URL(url, href).href);
        return new (Request as typeof globalThis.Request)(href);
      },
    });
    try {
      for (const baseUrl of [undefined, '', '/']) {
        const api = client({ baseUrl, fetch: () => Promise.resolve(new Response('{}')) });
        await api['/*splat']!.patch!({ params: { splat: '/evil.test/a' } });
      }
    } finally {
      delete scope.location;
      scope.Request = Request;
    }
    assert.deepEqual(targets, Array(3).fill('http://page.test//evil.test/a'));
  });

  onEach('another origin: gets headers and a base URL with a path', async ({ client, unwrap, app }) => {
    const server = app.listen(0);
    after(() => server.close());
    const { port } = server.address() as { port: number };
    let count = 0;
    const headers = async () => Promise.resolve({ Authorization: `Bearer ${++count}` });
    const baseUrl = new URL(`http://localhost:${port}`);
    const api = client({ baseUrl, headers, credentials: 'include' });
    const accept = 'application/json, */*;q=0.5';
    assert.deepEqual(unwrap(await api['/cookie']!.get!()), [accept, 'Bearer 1']);
    assert.deepEqual(unwrap(await api['/cookie']!.get!({ headers: { Authorization: undefined } })), [
      accept,
      null,
    ]);
    const below = client({ baseUrl: `http://localhost:${port}/api/` });
    assert.deepEqual(unwrap(await below['/users/:id']!.get!({ params: { id: 2 } })), { id: 2, name: 'Ada' });
    const aborted = api['/cookie']!.get!({ signal: AbortSignal.abort() });
    await assert.rejects(aborted, { name: 'AbortError' });
    server.close();
  });

  onEach('mistakes: say what was expected', async ({ client, unwrap, app, ResponseError }) => {
    const api = client({ fetch: app.fetch });
    const path = '/api/users/:id';
    const cases: [() => unknown, RegExp][] = [
      [
        () => api[path]!.get!(),
        /^GET \/api\/users\/:id: expected a value for the parameter id, got undefined$/,
      ],
      [() => api[path]!.get!({ params: { id: '' } }), /for the parameter id, got ""$/],
      [() => api[path]!.get!({ params: { id: {} } }), /for the parameter id, got \{\}$/],
      [() => api[path]!.get!({ params: { id: '..' } }), /must not be '\.' or '\.\.', got \{"id":"\.\."\}$/],
      [() => api[path]!.get!({ params: { id: 1, ID: 2 } }), /^GET \/api\/users\/:id has no parameter "ID"$/],
      [
        () => api['/lists']!.get!({ query: { by: { name: null } } }),
        /^GET \/lists: expected a value for by\[name\] in the query, got null\. Leave it out instead$/,
      ],
      [() => api[path]!.get!({ param: {} }), /unknown option "param"\. Options are params, query, headers,/],
      [() => api[path]!.get!(null as never), /expected an object with params, query, headers/],
      [() => api['users/:id']!.get!(), /^Expected a path such as '\/users\/:id', got "users\/:id"$/],
      [
        () => api['/files/*splat']!.get!({ params: {} }),
        /expected a path for the parameter splat, got undef/,
      ],
      [
        () => client({ baseURL: '' }),
        /^client\(\): unknown option "baseURL"\. Options are baseUrl, headers,/,
      ],
      [() => client({ fetch: {} }), /expected the option fetch to be a function, got \{\}$/],
      [() => client(), /^client\(\): expected a baseUrl such as .*, got undefined\. Only pages in browsers/],
      [() => client({ baseUrl: '/api' }), /got "\/api"\. Only pages/],
      [
        () => client({ baseUrl: 'http://a/?b' }),
        /^client\(\): expected a baseUrl such as .* got "http:\/\/a\/\?b"$/,
      ],
      [() => client({ baseUrl: 5 }), /got 5$/],
      [() => api['/broken']!.get!(), /^GET \/broken: the body of the 200 is not JSON: /],
    ];
    for (const [act, message] of cases) await assert.rejects(async () => act(), { message });
    const missing = await api[path]!.get!({ params: { id: 9 } });
    assert.throws(
      () => unwrap(missing),
      (error: Error) => {
        assert.ok(error instanceof ResponseError);
        const { name, status, message, problem } = error as unknown as Record<string, unknown>;
        assert.deepEqual(
          [name, status, message],
          ['ResponseError', 404, 'The response has the status 404: Not Found: No such user'],
        );
        assert.equal((problem as { code: string }).code, 'user.missing');
        return true;
      },
    );
  });

  onEach('module: imports nothing, and lists routes that it does not have', async ({ text }) => {
    assert.doesNotMatch(text, /\b(?:import|require)\b\s*[({'"]/);
    assert.match(text, /^\/\/ Not in this client: GET .*\/re\+\/.* \(a regular expression\)$/m);
    assert.match(
      text,
      /^ {2}"\/api\/users\/:id": \{\n {4}\/\*\* Shows a user \*\\\/ \*\/\n {4}get\(input: Common & \{$/m,
    );
  });

  onEach('types: accept what the routes accept, and tell statuses apart', async ({ framework, text }) => {
    const name = `${framework}.use.ts`;
    const unchecked = '// @ts-nocheck\n';
    assert.ok(text.includes(unchecked));
    write(`${framework}.checked.ts`, text.replace(unchecked, ''));
    write(
      name,
      `import { client, unwrap } from './${framework}.checked';
      import type { Schemas } from './${framework}.checked';
      const api = client({ baseUrl: 'https://example.com' });
      export async function use(): Promise<void> {
        const found = await api['/api/users/:id'].get({ params: { id: 1 } });
        if (found.status === 200) { const user: Schemas['User'] = found.body; user.name.trim(); }
        else if (found.status === 404) found.body.detail?.trim();
        else if (found.status === 400) found.body.issues?.[0]?.path.trim();
        else { const other: unknown = found.body; other; }
        if (found.ok) found.body.id.toFixed();
        const made = unwrap(await api['/api/users'].post({ body: { name: 'a' }, query: { tag: undefined }, headers: { 'x-tenant': 't' } }));
        made.id.toFixed();
        const nothing: undefined = unwrap(await api['/api/users/:id'].delete({ params: { id: 'a' } }));
        nothing;
        for await (const event of unwrap(await api['/events'].get())) event.json().at.toFixed();
        for await (const line of unwrap(await api['/lines'].get())) line.n.toFixed();
        unwrap(await api['/bytes'].get()).getReader();
        const text: unknown = unwrap(await api['/text/:name'].get({ params: { name: 'a' } }));
        text;
        await api['/types'].post({ body: 'ab' });
        await api['/types'].post({ body: { a: 1 } });
        // @ts-expect-error -- the path is unknown
        api['/api/user/:id'].get({ params: { id: 1 } });
        // @ts-expect-error -- the method is not that of the route
        api['/api/users/:id'].put({ params: { id: 1 } });
        // @ts-expect-error -- the parameter is missing
        api['/api/users/:id'].get();
        // @ts-expect-error -- the parameter is a number
        api['/api/users/:id'].get({ params: { id: 'a' } });
        // @ts-expect-error -- the header is missing
        api['/api/users'].post({ body: { name: 'a' } });
        // @ts-expect-error -- the member is unknown
        api['/api/users'].post({ body: { nme: 'a' }, headers: { 'x-tenant': 't' } });
        // @ts-expect-error -- the option is unknown
        api['/events'].get({ singal: null });
        // @ts-expect-error -- the status decides the body
        found.body.name;
      }\n`,
    );
    // In browsers, and in Node.js.
    const lib =
      framework === 'ristretto'
        ? ['lib.es2020.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']
        : ['lib.es2023.d.ts'];
    const types = framework === 'ristretto' ? [] : ['node'];
    const options = { ...programOptions, lib, types, exactOptionalPropertyTypes: true };
    const strict = { noUncheckedIndexedAccess: true, isolatedModules: true, erasableSyntaxOnly: true };
    assert.deepEqual(compile([path.join(folder, name)], { ...options, ...strict }).mistakes, []);
  });

  test('guide: its program runs', async () => {
    const guide = fs.readFileSync(path.join(__dirname, '../../../../docs/guide/client.md'), 'utf8');
    const block = (language: string) =>
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(guide)![1]!;
    write('guide.mjs', block('js'));
    assert.equal((await run({}, 'client', 'guide.mjs', '--out', 'guide.api.ts')).err, '');
    const program = block('typescript');
    write('guide.api.mts', read('guide.api.ts'));
    const options = {
      ...programOptions,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    };
    write('guide.use.mts', program.replace('./api.ts', './guide.api.mjs'));
    assert.deepEqual(
      compile([path.join(folder, 'guide.use.mts')], { ...options, lib: ['lib.es2023.d.ts'] }).mistakes,
      [],
    );
    const { outputText } = ts.transpileModule(program, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const printed: unknown[] = [];
    const { default: app } = (await import(path.join(folder, 'guide.mjs'))) as { default: App };
    const { client, unwrap } = load(read('guide.api.ts'));
    const body = outputText.replace(/^import.*$/m, '').replace(/\{ baseUrl: .* \}/, '{ fetch }');
    const act = vm.runInThisContext(`(async (client, unwrap, fetch, console) => {${body}})`) as (
      ...args: unknown[]
    ) => Promise<void>;
    await act(client, unwrap, app.fetch, { log: (value: unknown) => printed.push(value) });
    assert.deepEqual(printed, ['Ada', 8]);
  });

  test('--check: fails if the file differs from the application', async () => {
    const check = () => run({}, 'client', 'ristretto.cjs', '--out', 'checked.ts', '--check');
    const message =
      'checked.ts is not what ristretto.cjs describes. Update it: npx ristretto client ristretto.cjs --out checked.ts\n';
    const missing = await check();
    assert.deepEqual([missing.code, missing.out, missing.err], [1, '', message]);
    assert.ok(!fs.existsSync(path.join(folder, 'checked.ts')));
    const { out } = await run({}, 'client', 'ristretto.cjs');
    // Git may have changed the line ends.
    for (const text of [out, out.replaceAll('\n', '\r\n')]) {
      write('checked.ts', text);
      assert.deepEqual(await check(), { code: 0, out: '', err: '' });
    }
    write('checked.ts', out.replace('/text/', '/texts/'));
    assert.equal((await check()).err, message);
  });

  test('--watch: writes the file again when the application has changed', async () => {
    const app = (route: string) =>
      `const web = require('ristretto');\nmodule.exports = web().get('/${route}', () => {});\n`;
    write('watched.cjs', app('first'));
    // The program of both packages is the same
    const program = path.join(path.dirname(require.resolve('ristretto5/package.json')), 'bin/ristretto.js');
    const args = [program, 'client', 'watched.cjs', '--out', 'watched.ts', '--watch'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true });
    try {
      await untilContains('watched.ts', '"/first"');
      write('watched.cjs', app('second'));
      await untilContains('watched.ts', '"/second"');
    } finally {
      if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
      else process.kill(-child.pid!, 'SIGTERM');
    }
  });

  test('errors: say what is wrong, and exit with code 1', async () => {
    write('folder', '');
    const cases: [Promise<Ended>, RegExp][] = [
      [run({}, 'client'), /^Expected one file\.\n\nUsage: ristretto client <file>/],
      [run({}, 'client', 'a', 'b'), /^Expected one file\./],
      [run({}, 'client', 'nowhere.js'), /^There is no file .*nowhere\.js\.\n$/],
      [run({}, 'client', 'a', '--check'), /^--check needs --out\.\n/],
      [run({}, 'client', 'a', '--watch'), /^--watch needs --out\.\n/],
      [
        run({}, 'client', 'a', '--out=a.ts', '--watch', '--check'),
        /^Expected --check or --watch, got both\.\n/,
      ],
      [
        run({}, 'client', 'a', '--out', 'api.js'),
        /^Expected a file such as api\.ts for --out, got api\.js\n/,
      ],
      [run({}, 'client', 'ristretto.cjs', '--out', 'folder/a.ts'), /^folder\/a\.ts can't be written: E/],
    ];
    for (const [ended, message] of cases) {
      const { code, out, err } = await ended;
      assert.match(err, message);
      assert.deepEqual([code, out], [1, ''], err);
    }
  });

  test('help: lists the options', async () => {
    const { code, out } = await run({}, 'client', '--help');
    assert.match(out, /^Usage: ristretto client <file> \[--out <file>\] \[--check\] \[--watch\]/);
    assert.equal(code, 0);
  });
});

/** Waits until a file of the folder contains a text. */
const untilContains = (name: string, text: string): Promise<void> => until(() => read(name).includes(text));

const documentOf = (part: object): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {},
  ...part,
});

/** Returns the type of a schema. */
function typeOf(schema: unknown): string {
  const text = declarationsOf(documentOf({ components: { schemas: { S: schema } } }));
  return / {2}S: ([^]*?);\n\}\n/.exec(text)![1]!.replace(/\s+/g, ' ');
}

/** Returns the declaration of one operation. */
function operationOf(operation: object, path = '/a'): string {
  const text = declarationsOf(documentOf({ paths: { [path]: { get: { responses: {}, ...operation } } } }));
  return /export interface Client \{\n([^]*?)\n\}\n/.exec(text)![1]!.replace(/\s+/g, ' ').trim();
}

const withContent = (type: string, schema?: object): object => ({ content: { [type]: { schema } } });

/** `ristretto client`: the types that JSON Schemas, bodies and statuses become. */
describe('ristretto client: types', () => {
  test('schemas: get a wider type, never a narrower one, where TypeScript has no equivalent', () => {
    const table: [schema: unknown, type: string][] = [
      [false, 'never'],
      [true, 'unknown'],
      [{}, 'unknown'],
      [{ type: 'integer' }, 'number'],
      [{ type: ['string', 'null'] }, 'string | null'],
      [{ type: ['string', 'odd'] }, 'unknown'],
      [{ const: 'a', type: 'string' }, '"a"'],
      [{ enum: [1, 'b', 1] }, '1 | "b"'],
      [{ $ref: '#/components/schemas/S' }, 'Schemas["S"]'],
      [{ $ref: '#/components/schemas/S/properties/a' }, 'unknown'],
      [{ $ref: 'https://example.org/s' }, 'unknown'],
      [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
      [
        { allOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { const: 'a' }] },
        '(string | null) & "a"',
      ],
      [{ items: { type: 'string' } }, 'Array<string>'],
      [{ type: 'array' }, 'Array<unknown>'],
      [{ prefixItems: [{ type: 'string' }], items: false }, '[string]'],
      [{ type: 'array', prefixItems: [{}], items: { type: 'null' } }, '[unknown, ...Array<null>]'],
      [{ type: 'object' }, '{ [name: string]: unknown }'],
      [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
      [{ additionalProperties: { type: 'string' } }, '{ [name: string]: string }'],
      [{ patternProperties: { '^x': { type: 'null' } } }, '{ [name: string]: null }'],
      [
        { properties: { 'a-b': { type: 'null' } }, required: ['a-b'], additionalProperties: {} },
        '{ "a-b": null; } & { [name: string]: unknown }',
      ],
      [{ properties: { a: {} }, required: 'a' }, '{ a?: unknown; }'],
      [
        {
          properties: { a: { type: 'number' }, b: { type: 'null' } },
          required: ['a'],
          additionalProperties: { type: 'string' },
        },
        '{ a: number; b?: null; [name: string]: number | null | undefined | string; }',
      ],
      [
        { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 },
        '[string, (number)?]',
      ],
    ];
    for (const [schema, type] of table) assert.equal(typeOf(schema), type, JSON.stringify(schema));
  });

  test('bodies of requests: have a type for each media type', () => {
    const bytes = 'Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>';
    for (const [body, type] of [
      [withContent('application/json', { type: 'string' }), 'string'],
      [withContent('application/merge-patch+json'), 'unknown'],
      [withContent('multipart/form-data'), 'FormData'],
      [withContent('application/x-www-form-urlencoded'), 'URLSearchParams'],
      [withContent('text/plain'), `string | ${bytes}`],
      [withContent('application/xml', { type: 'string' }), `string | ${bytes}`],
      [withContent('image/png', { type: 'string', format: 'binary' }), bytes],
      [withContent('image/png'), bytes],
      [{}, 'unknown'],
    ] as const)
      assert.ok(operationOf({ requestBody: body }).includes(`Common & { body?: ${type}; }`), type);
    assert.match(
      operationOf({ requestBody: { required: true } }),
      /^"\/a": \{ get\(input: Common & \{ body: /,
    );
  });

  test('responses: have a type for each status and media type', () => {
    for (const [responses, type] of [
      [{}, 'Failed<Failure, unknown>'],
      [{ 204: withContent('text/plain') }, 'Ok<204, undefined> | Failed<Failure, unknown>'],
      [{ 200: withContent('text/html') }, 'Ok<200, string> | Failed<Failure, unknown>'],
      [
        { 200: withContent('application/x-ndjson') },
        'Ok<200, AsyncGenerator<unknown, void>> | Failed<Failure, unknown>',
      ],
      [
        { 200: withContent('text/event-stream') },
        'Ok<200, AsyncGenerator<ServerEvent<unknown>, void>> | Failed<Failure, unknown>',
      ],
      [
        { '200': withContent('image/png'), '2XX': {}, '404': {}, '4XX': {}, '5XX': {} },
        'Ok<200, ReadableStream<Uint8Array>> | Failed<404, unknown> | Ok<Exclude<Success, 200 | 404>, unknown> | ' +
          'Failed<Exclude<ClientFailure, 200 | 404>, unknown> | Failed<Exclude<ServerFailure, 200 | 404>, unknown> | ' +
          'Failed<Exclude<Failure, ClientFailure | ServerFailure | 404>, unknown>',
      ],
      [
        { default: withContent('application/json', { type: 'null' }) },
        'Ok<Success, null> | Failed<Failure, null>',
      ],
    ] as const)
      assert.ok(operationOf({ responses }).includes(`Promise<${type}>;`), operationOf({ responses }));
  });

  test('parameters: of the path are text or numbers, of several segments text; headers may be others', () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'The id' },
      { name: 'rest', in: 'path', required: true, schema: { type: 'string' }, 'x-rest': true },
      { name: 'n', in: 'query', schema: { type: 'number' } },
      { name: 'x-tenant', in: 'header', required: true },
    ];
    assert.equal(
      operationOf({ parameters, deprecated: true }, '/u/{id}/{rest}'),
      '"/u/:id/*rest": { /** @deprecated */ get(input: Common & { params: { /** The id */ id: string | number; rest: string; }; ' +
        'query?: { n?: number | undefined; }; headers: { "x-tenant": string; [name: string]: string | undefined; }; }): ' +
        'Promise<Failed<Failure, unknown>>; };',
    );
  });

  test('unlisted routes: are comments of one line', () => {
    const text = declarationsOf(
      documentOf({ 'x-unlisted': [{ method: 'GET', path: '/a\n/b', reason: 'a regular expression' }] }),
    );
    assert.match(text, /\n\/\/ Not in this client: GET \/a \/b \(a regular expression\)\n$/);
  });
});
