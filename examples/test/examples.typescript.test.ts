/** The examples in TypeScript. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Application, InjectOptions, InjectResponse } from 'ristretto';
import request from 'supertest';
import ts from 'typescript';
import { createApp } from '../api-typescript/app.js';
import library from '../typescript/index.js';

const HOME = path.join(__dirname, '../api-typescript');
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const ID = /^[\w-]{36}$/;
let app: Application;
let token: string;

/** Sends a request as the user that `register` created. */
const send = (method: string, url: string, options: InjectOptions = {}): Promise<InjectResponse> =>
  app.inject({ method, url, ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } });

async function registered(email: string): Promise<string> {
  const { json } = await app.inject({ url: '/users', body: { email, name: 'Ada' } });
  return (json() as { token: string }).token;
}

/** Asserts that a response is problem details with this status and detail. */
function assertProblem(response: InjectResponse, status: number, detail: RegExp): void {
  assert.equal(response.status, status, response.text());
  assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
  const problem = response.json() as Record<string, unknown>;
  assert.match(String(problem.detail), detail);
  assert.deepEqual([problem.type, problem.status], ['about:blank', status]);
  assert.match(String(problem.requestId), ID);
  assert.equal(problem.requestId, response.headers['x-request-id']);
}

describe('example api-typescript', () => {
  before(async () => {
    app = createApp();
    token = await registered('ada@example.com');
  });

  test('creates, reads, updates and deletes', async () => {
    const added = await send('POST', '/pets', { body: { name: 'Tom', kind: 'cat', admin: true } });
    const pet = added.json() as { id: number };
    assert.deepEqual(
      [added.status, added.headers.location, pet],
      [201, `/pets/${pet.id}`, { name: 'Tom', kind: 'cat', id: pet.id, owner: 1 }],
    );
    const url = `/pets/${pet.id}`;
    assert.deepEqual((await app.inject(url)).json(), pet);
    const changed = await send('PATCH', url, { body: { name: 'Thomas' } });
    assert.deepEqual(changed.json(), { ...pet, name: 'Thomas' });
    assert.equal((await send('DELETE', url)).status, 204);
    assertProblem(await app.inject(url), 404, /there is no pet/);
  });
  test('lists pets page by page', async () => {
    for (const name of ['a', 'b', 'c']) await send('POST', '/pets', { body: { name, kind: 'bird' } });
    const first = (await app.inject('/pets?kind=bird&limit=2')).json();
    const second = (await app.inject(`/pets?kind=bird&limit=2&cursor=${first.next}`)).json();
    const names = [first, second].map(({ items }) => items.map((pet: { name: string }) => pet.name).join());
    assert.deepEqual([names, second.next], [['a,b', 'c'], undefined]);
    for (const query of ['limit=0', 'limit=x', 'cursor=%21', 'cursor=eA', 'kind=fish']) {
      assertProblem(await app.inject(`/pets?${query}`), 400, /^query\/(?:limit|cursor|kind): /);
    }
  });
  test('requires a token', async () => {
    const none = await app.inject('/users/me');
    assertProblem(none, 401, /token is needed/);
    assert.equal(none.headers['www-authenticate'], 'Bearer');
    const wrong = await send('GET', '/users/me', { headers: { authorization: 'Bearer wrong' } });
    assertProblem(wrong, 401, /not valid/);
    assert.equal(wrong.headers['www-authenticate'], 'Bearer error="invalid_token"');
    assert.equal((await send('GET', '/users/me')).json().email, 'ada@example.com');
  });
  test('protects the pets of other users', async () => {
    const { id } = (await send('POST', '/pets', { body: { name: 'Rex', kind: 'dog' } })).json();
    const headers = { authorization: `Bearer ${await registered('eve@example.com')}` };
    assertProblem(await send('DELETE', `/pets/${id}`, { headers }), 403, /not yours/);
  });
  test('accepts pictures, and checks their content', async () => {
    const { id } = (await send('POST', '/pets', { body: { name: 'Pic', kind: 'dog' } })).json();
    const url = `/pets/${id}/picture`;
    assertProblem(await app.inject(url), 404, /no picture/);
    const text = { body: Buffer.from('<script>'), headers: { 'content-type': 'image/png' } };
    assertProblem(await send('PUT', url, text), 415, /image\/png/);
    assertProblem(await send('PUT', url), 415, /image\/png/);
    assertProblem(await send('PUT', url, { body: Buffer.alloc(200_000) }), 413, /too large/);
    const gif = { body: PNG, headers: { 'content-type': 'image/gif' } };
    assert.equal((await send('PUT', url, gif)).status, 204);
    const { headers, bytes } = await app.inject(url);
    assert.deepEqual([headers['content-type'], Buffer.from(bytes())], ['image/png', PNG]);
  });
  test('sends problem details for every error', async () => {
    assertProblem(await app.inject('/nowhere'), 404, /\/nowhere/);
    const twice = { url: '/users', body: { email: 'ADA@example.com', name: 'Ada' } };
    assertProblem(await app.inject(twice), 409, /taken/);
    const broken = { url: '/users', body: '{', headers: { 'content-type': 'application/json' } };
    assertProblem(await app.inject(broken), 400, /JSON/);
    const xml = { url: '/users', body: '<a/>', headers: { 'content-type': 'text/xml' } };
    assertProblem(await app.inject(xml), 415, /application\/json/);
    assertProblem(await app.inject({ url: '/users', body: { name: 'x'.repeat(20_000) } }), 413, /large/);
    const both = (await app.inject({ url: '/users', body: { name: '' } })).json();
    assert.deepEqual(
      both.issues.map((issue: { path: string }) => issue.path),
      ['/email', '/name'],
    );
  });
  test('reports its health, and serves a page', async () => {
    assert.equal((await app.inject('/readyz')).text(), '{"status":"ok","checks":{}}');
    assert.match((await app.inject('/docs')).text(), /<title>Pets<\/title>/);
  });
  test('has an OpenAPI document without errors', async () => {
    const { text } = await app.inject('/openapi.json');
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text(), absoluteRef: 'openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });
});

type Call = (
  path: string,
  options: object,
) => Promise<{ data?: unknown; error?: { title: string }; response: Response }>;

interface Client {
  GET: Call;
  DELETE: Call;
}

/** What client/index.ts exports: its own types are generated. */
interface ClientModule {
  connect(url: string): Client;
  register(url: string, email: string, name: string): Promise<Client>;
  adopt(client: Client, pet: object, picture: Blob): Promise<unknown>;
  allPets(client: Client, limit: number): AsyncIterable<{ name: string }>;
}

describe('client of example api-typescript', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'client-'));
  /** Compiles a file of the folder to JavaScript; returns the compiler's diagnostics. */
  function compile(name: string): string[] {
    const options: ts.CompilerOptions = {
      ...{ strict: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022 },
      ...{ module: ts.ModuleKind.NodeNext, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
    };
    const program = ts.createProgram([path.join(folder, name)], options);
    program.emit();
    return ts.getPreEmitDiagnostics(program).map(({ file: at, start = 0, messageText }) => {
      const line = at?.text.slice(0, start).split('\n').length;
      return `${at && path.basename(at.fileName)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  }
  before(async () => {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript');
    const document = (await createApp().inject('/openapi.json')).text();
    fs.writeFileSync(path.join(folder, 'api.d.ts'), astToString(await openapiTypescript(document)));
    fs.copyFileSync(path.join(HOME, 'client/index.ts'), path.join(folder, 'index.ts'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const modules = path.join(HOME, '../../node_modules');
    fs.symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  test('compiles with the types that openapi-typescript generates', () => {
    assert.deepEqual(compile('index.ts'), []);
  });
  test('reports members that the API does not have', () => {
    const program = `import { connect } from './index.js';
const client = connect('http://localhost');
const { data, error } = await client.GET('/pets/{id}', { params: { path: { id: 1 } } });
export const shown: [string | undefined, string | undefined] = [data?.name, error?.requestId];
await client.GET('/pet/{id}', { params: { path: { id: 1 } } });
await client.GET('/pets/{id}', { params: { path: { id: 'x' } } });
await client.POST('/pets', { body: { name: 'Tom', kind: 'fish' } });
console.log(data?.title);`;
    fs.writeFileSync(path.join(folder, 'program.ts'), program);
    assert.deepEqual(
      compile('program.ts').map(line => line.replace(/ .*/s, '')),
      ['program.ts:5', 'program.ts:6', 'program.ts:7', 'program.ts:8'],
    );
  });
  test('registers, adds pets with pictures, and reads them page by page', async t => {
    const { adopt, allPets, connect, register } = (await import(
      pathToFileURL(path.join(folder, 'index.js')).href
    )) as ClientModule;
    const server = createApp().listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = await register(baseUrl, 'ada@example.com', 'Ada');
    const picture = new Blob([PNG], { type: 'image/png' });
    for (const name of ['Tom', 'Kit', 'Rex']) await adopt(client, { name, kind: 'cat' }, picture);
    const names: string[] = [];
    for await (const { name } of allPets(connect(baseUrl), 2)) names.push(name);
    assert.deepEqual(names, ['Tom', 'Kit', 'Rex']);
    const params = { path: { id: 2 } };
    const shown = await client.GET('/pets/{id}/picture', { params, parseAs: 'arrayBuffer' });
    assert.deepEqual(Buffer.from(shown.data as ArrayBuffer), PNG);
    const refused = await connect(baseUrl).DELETE('/pets/{id}', { params });
    assert.deepEqual([refused.response.status, refused.error?.title], [401, 'Unauthorized']);
    await assert.rejects(
      register(baseUrl, 'ada@example.com', 'Ada'),
      /Conflict: this email address is taken/,
    );
  });
});

describe('example typescript', () => {
  test('passes parameters, of which one is optional', async () => {
    assert.deepEqual((await request(library).get('/books/1-2/pages')).body, { isbn: '1-2', page: '1' });
    assert.deepEqual((await request(library).get('/books/1-2/pages/7')).body, { isbn: '1-2', page: '7' });
  });
  test('validates bodies', async () => {
    assert.deepEqual((await request(library).post('/books').send({ title: 'T', pages: 2 })).body, {
      title: 'T',
      pages: 2,
    });
    assert.equal((await request(library).post('/books').send({ title: 7 })).status, 400);
    assert.equal((await request(library).post('/books')).status, 400);
  });
  test('adds members to the request', async () => {
    assert.equal((await request(library).get('/me').set('X-User', 'ada')).text, 'Ada (admin)');
    const nobody = await request(library).get('/me');
    assert.deepEqual([nobody.status, nobody.text], [401, 'log in first']);
  });
});
