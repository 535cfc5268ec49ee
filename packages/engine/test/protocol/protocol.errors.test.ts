/** Errors with an HTTP status: their properties and causes, and how existing errors are extended. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import vm from 'node:vm';
import createError from 'http-errors';
import { causeOf, httpError } from '@ristretto/private-engine/lib/protocol/errors';

describe('protocol.errors', () => {
  test('status: determines the name, the message and whether to expose it', () => {
    const client = httpError(413);
    assert.ok(createError.isHttpError(client));
    assert.deepEqual(
      [client.status, client.statusCode, client.name, client.message, client.expose],
      [413, 413, 'PayloadTooLargeError', 'Payload Too Large', true],
    );
    assert.equal(httpError(500).expose, false);
  });

  test('message and properties: are own properties', () => {
    const error = httpError(400, 'no', { type: 'a.type', limit: 5 });
    assert.deepEqual([error.message, error.type, error.limit], ['no', 'a.type', 5]);
  });

  test('error: is extended with the status, unless it already has one, and returned', () => {
    const cause = new TypeError('bad');
    assert.equal(httpError(400, cause, { type: 'a.type' }), cause);
    assert.deepEqual(Object.fromEntries(Object.entries(cause)), {
      expose: true,
      statusCode: 400,
      status: 400,
      type: 'a.type',
    });
    assert.equal(httpError(400, Object.assign(new Error('x'), { status: 409 })).status, 409);
  });

  test('error of another realm: copies its properties to a new error, as in Express', () => {
    const cause = vm.runInNewContext(
      'Object.assign(new Error("open /secret"), { code: "ENOENT", status: 418 })',
    ) as Error;
    const error = httpError(404, cause, { type: 'a.type' });
    assert.ok(error instanceof Error);
    assert.deepEqual(
      [error.status, error.message, error.code, error.type],
      [404, 'Not Found', 'ENOENT', 'a.type'],
    );
  });

  test('causeOf: is the cause of an error, or undefined if there is none or reading it throws', () => {
    const cause = new Error('first');
    const hostile = {
      get cause(): never {
        throw new Error('not for you');
      },
    };
    assert.equal(causeOf(new Error('second', { cause })), cause);
    for (const error of [new Error('alone'), hostile, 'text', null, undefined]) {
      assert.equal(causeOf(error), undefined);
    }
  });

  test('causes that accept no properties, or are not errors: are kept as the cause', () => {
    const readOnly = Object.defineProperty(new Error('x'), 'status', {
      get: () => {
        throw new Error('getter');
      },
    });
    const foreign = vm.runInNewContext(
      'Object.defineProperty(new Error("x"), "code", { enumerable: true, get() { throw new Error("getter"); } })',
    ) as Error;
    for (const cause of [
      Object.freeze(new Error('frozen')),
      readOnly,
      foreign,
      7,
      Symbol('s'),
      () => undefined,
    ]) {
      const error = httpError(403, cause as Error, { type: 'a.type' });
      assert.deepEqual([error.status, error.type, error.message], [403, 'a.type', 'Forbidden']);
      assert.equal(error.cause, cause);
    }
  });
});
