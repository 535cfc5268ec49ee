// runs: slow, twice
/** What warnings learn from the source text of handlers: their parameters, and what they use of the request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  factoryCall,
  isBrokenErrorHandler,
  isLast,
  paramsRead,
  usesBody,
} from '@ristretto/private-engine/lib/dev/handler-source';

/** Returns functions as programs write them: the compiler of the tests would change their text. */
function written(...sources: string[]): ((...args: never[]) => unknown)[] {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text of the functions is what is tested
  return new Function(`return [${sources.join(', ')}];`)() as ((...args: never[]) => unknown)[];
}

describe('handlers, by their source', () => {
  test('a factory: is a function that takes nothing but options', () => {
    const calls = written(
      'function helmet(options) {}',
      'function middlewareWrapper(o) {}',
      '(function (options = {}) {})',
      'function f(req) {}',
      'function f(_req) {}',
      'function f(a, b) {}',
      'function f({ a }) {}',
      'function f(...options) {}',
      'options => options',
      'function f() {}',
      'function f(options) { return arguments.length; }',
      'Array.prototype.push',
    ).map(factoryCall);
    assert.deepEqual(calls.slice(0, 3), ['helmet()', 'cors()', 'f()']);
    assert.deepEqual(new Set(calls.slice(3)), new Set([undefined]));
  });

  test('an error handler without four parameters: has the names of the first three', () => {
    const broken = [
      '(err, req, res) => {}',
      'function (error, request, response) {}',
      'async (_e, _req, rsp) => {}',
    ];
    const others = ['(err, req, res, next) => {}', '(a, b, c) => {}', '(err) => {}', 'err => {}', '() => {}'];
    assert.deepEqual(written(...broken).map(isBrokenErrorHandler), [true, true, true]);
    assert.deepEqual(written(...others).map(isBrokenErrorHandler), [false, false, false, false, false]);
  });

  test('a handler that cannot pass control on: has two names as parameters, and no function that does', () => {
    assert.deepEqual(written('(req, res) => res.end()', 'function (a, b,) {}').map(isLast), [true, true]);
    const others = [
      '(req, res, next) => {}',
      '(req, { send }) => {}',
      '(req, res = {}) => {}',
      '(req, ...rest) => {}',
      '(req, res) => res.sendFile("a")',
      '(req, res) => req.next()',
      'function (req, res) { return f(arguments); }',
    ];
    assert.deepEqual(new Set(written(...others).map(isLast)), new Set([false]));
  });

  test('parameters that are read: are found by the name of the request, once each', () => {
    const read = written(
      '(req, res) => req.params.id + req.params.id + req.params.toString',
      '(request, res) => { const { id, name: own, ...rest } = request.params; }',
      // Node's type stripping turns `(req.params as any).id` into this
      '(req, res) => { const { id } = req.params       ; return (req.params       ).name; }',
      '(req, res) => other.params.id + a.req.params.id',
      '(req, res) => { const { id } = other.params; }',
      '({ params }, res) => params.id',
      'req => req.params.id',
      '(err, req, res, next) => req.params.id',
    ).map(paramsRead);
    assert.deepEqual(read, [['id'], ['id', 'name'], ['name', 'id'], [], [], [], [], []]);
  });

  test('a body that is used: does not warn about a handler that reads the stream', () => {
    const sources = [
      '(req, res) => req.body.a',
      '(req, res) => { const { body, query } = req; }',
      '(req, res) => res.end()',
      '(req, res) => { req.on("data", f); req.body = 1; }',
      '(req, res) => pipeline(req, f(req.body))',
    ];
    assert.deepEqual(written(...sources).map(usesBody), [true, true, false, false, false]);
  });
});
