/**
 * OpenAPI: the document is valid for any names of routes and schemas; its paths, parameters, names and references are
 * consistent.
 */
import assert from 'node:assert/strict';
import web from 'ristretto';
import type { OpenApiDocument, Router, StandardSchema } from 'ristretto';
import { allowing, assertSame } from '../target.js';
import type { Target } from '../target.js';

const MOST_LINES = 12;
/** A whole request is slow, so it is sent only for every 16th text. */
const REQUEST_EACH = 16;
let turn = 0;

type Json = Record<string, unknown>;
type Handler = web.RequestHandler;
const show: Handler = (_req, res) => void res.json({});

function schema(json: Json): StandardSchema {
  const convert = (): Json => json;
  const properties = {
    version: 1 as const,
    vendor: 'fuzz',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: convert, output: convert },
  };
  return { '~standard': properties };
}

/** Returns an object with one own property of any name. */
const entry = (name: string, value: unknown): Json => Object.fromEntries([[name, value]]);
const pointer = (name: string): string =>
  encodeURIComponent(
    name
      .replaceAll('~', '~0')
      .replaceAll('/', '~1')
      .replace(/\p{Surrogate}/gu, '?'),
  );

/** The parts that a line adds to a router: its kind, a path, and a name used wherever one is needed. */
const KINDS: ((router: Router, path: string, name: string) => Router | undefined)[] = [
  router => void router.use(web.describe({ tags: ['all'] })),
  (router, path) => void router.get(path, show),
  (router, path, name) => {
    const json = { title: name, type: 'object', properties: entry(name, { title: name, type: 'string' }) };
    router.post(path, web.validate({ body: schema(json), response: { 200: schema(json) } }), show);
    return undefined;
  },
  (router, path, name) => {
    const json = schema({ type: 'object', properties: entry(name, { type: 'string' }), required: [name] });
    router.put(path, web.validate({ params: json, query: json, headers: json, cookies: json }), show);
    return undefined;
  },
  (router, path, name) => {
    const $defs = entry(name, { title: path, type: 'object', properties: { next: { $ref: '#' } } });
    const json = schema({ $defs, anyOf: [{ $ref: `#/$defs/${pointer(name)}` }, { type: 'null' }] });
    router.patch(path, web.validate({ body: json, response: { '2XX': json } }), show);
    return undefined;
  },
  (router, path, name) => {
    const json = schema({ type: 'object', title: path, properties: { a: { $ref: name } } });
    router.delete(path, web.validate({ query: json, response: { default: json } }), show);
    return undefined;
  },
  (router, path, name) => {
    router.all(path, web.describe({ operationId: name, summary: name }), show);
    return undefined;
  },
  (router, path) => {
    const inner = web.Router();
    router.use(path, inner);
    return inner;
  },
];

/** Returns a router with the routes described by the lines of a text, without those whose pattern is rejected. */
function routerOf(text: string): Router {
  const root = web.Router();
  let router = root;
  for (const line of text.split('\n', MOST_LINES)) {
    const [path = '', name = ''] = line.slice(1).split('\t', 2);
    const kind = KINDS[line.charCodeAt(0) & 7];
    if (kind === undefined) router = root;
    else router = allowing(() => kind(router, path, name), isBadPattern) ?? router;
  }
  return root;
}

const isBadPattern = (error: Error): boolean => error instanceof SyntaxError;

/** Whether a schema cannot be described; a bug in describing it does not count. */
function isRefusal({ message, cause }: Error): boolean {
  const isMistake = cause instanceof TypeError || cause instanceof RangeError;
  return message.startsWith("web.openApi() can't describe these.") && !isMistake;
}

/** Asserts that the reference leads to an object in the document. */
function assertLeadsSomewhere(document: OpenApiDocument, reference: string): void {
  assert.match(reference, /^#\/components\/schemas\//);
  let at: unknown = document;
  for (const token of reference.slice(2).split('/')) {
    const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    assert.ok(typeof at === 'object' && at !== null && Object.hasOwn(at, key), reference);
    at = (at as Json)[key];
  }
}

function assertReferences(document: OpenApiDocument, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as Json;
  if (Object.hasOwn(value, '$ref') && typeof $ref === 'string') assertLeadsSomewhere(document, $ref);
  for (const inner of Object.values(value)) assertReferences(document, inner);
}

function assertOperation(path: string, operation: Json): void {
  const all = (operation.parameters ?? []) as { name: string; in: string; required?: boolean }[];
  const names = all.filter(parameter => parameter.in === 'path').map(({ name }) => name);
  const templates = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
  assertSame(names, templates);
  const keys = all.map(({ in: place, name }) => `${place} ${name}`);
  assert.equal(new Set(keys).size, keys.length, keys.join());
  assert.ok(Object.keys(operation.responses as Json).length > 0);
}

/** Section 4.8.8 of OpenAPI 3.1: paths are templates, and no two differ only in their parameter names. */
function assertPaths({ paths }: OpenApiDocument): void {
  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(paths)) {
    assert.match(path, /^\/(?:[^{}]|\{\w+\})*$/);
    for (const [method, operation] of Object.entries(item)) {
      assert.match(method, /^(?:get|put|post|delete|patch)$/);
      assertOperation(path, operation);
      assert.ok(!ids.has(operation.operationId), String(operation.operationId));
      ids.add(operation.operationId);
    }
  }
  const shapes = Object.keys(paths).map(path => path.replace(/\{\w+\}/g, '{}'));
  assert.equal(new Set(shapes).size, shapes.length, shapes.join());
}

export const target: Target = {
  cost: 10,
  characters: 'unicode',
  maxLength: 400,
  seeds: [
    '1/users/:id?\n2/users\tUser\n3/users/:id\tid\n4/users/:id\tUser',
    '7/api\n0\n2/:a(\\d+)/*\tUser\n1/:b/:a\n6/x\tshow',
    '2/a\t__proto__\n3/:__proto__\t__proto__\n4/b\t__proto__\n6/c\t__proto__',
    '2/a\ta/b~c\n4/a\ta/b~c %\n5/b\t#/properties/a\n5/c\t#/$defs/x',
    '1/a\\{b\\}/{c}\n1/:a-:b.:c?\n1*\n1\n7\n1/',
  ],
  dictionary: [
    ...['/', ':a', ':b?', ':a(\\d+)', '*', '{a}', '\\{', '~1', '%2F', '%zz', '__proto__', 'constructor'],
    ...['\n1', '\n2', '\n3', '\n4', '\n5', '\n6', '\n7', '\n0', '\t', '#', '#/$defs/a', '#/properties/a'],
  ],
  async run(text) {
    const app = web().set('env', 'test');
    app.use(routerOf(text));
    const handler = web.openApi(app, { info: { title: text, version: '1' } });
    const document = allowing(() => handler.document(), isRefusal);
    if (document === undefined) return;
    assertSame(JSON.parse(JSON.stringify(document)), document);
    assertPaths(document);
    for (const name of Object.keys(document.components?.schemas ?? {})) assert.match(name, /^[\w.-]+$/);
    assertReferences(document, document);
    if (turn++ % REQUEST_EACH !== 0) return;
    const served = web().get('/', web.openApi(app, { info: document.info as never }));
    const { status, headers, text: sent } = await served.inject('/');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^application\/json/);
    assertSame(JSON.parse(sent()), document);
  },
};
