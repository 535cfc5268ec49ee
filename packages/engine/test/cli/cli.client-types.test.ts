// runs: slow
/** `ristretto client`: the types that JSON Schemas, bodies and statuses become. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { declarationsOf } from '@ristretto/private-engine/lib/cli/client-types';
import type { OpenApiDocument } from '@ristretto/private-engine/lib/types/openapi';

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
  return /export interface Client \{\n([^]*)\}\n$/.exec(text)![1]!.replace(/\s+/g, ' ').trim();
}

const withContent = (type: string, schema?: object): object => ({ content: { [type]: { schema } } });

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
    ];
    for (const [schema, type] of table) assert.equal(typeOf(schema), type, JSON.stringify(schema));
  });

  test('bodies of requests: by media type', () => {
    const bytes = 'Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>';
    for (const [body, type] of [
      [withContent('application/json', { type: 'string' }), 'string'],
      [withContent('application/merge-patch+json'), 'unknown'],
      [withContent('multipart/form-data'), 'FormData'],
      [withContent('application/x-www-form-urlencoded'), 'URLSearchParams'],
      [withContent('text/plain'), `string | ${bytes}`],
      [withContent('image/png'), bytes],
      [{}, 'unknown'],
    ] as const)
      assert.ok(operationOf({ requestBody: body }).includes(`Common & { body?: ${type}; }`), type);
    assert.match(
      operationOf({ requestBody: { required: true } }),
      /^"\/a": \{ get\(input: Common & \{ body: /,
    );
  });

  test('responses: by status and media type', () => {
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
