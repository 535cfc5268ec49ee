/** The functions that programs import from `lib/utils`. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import ours from 'ristretto3/lib/utils';
import './support/oracle.js';
import { words } from '../../engine/test/support/random.js';

type Utils = typeof ours;

const theirs = createRequire(__filename)('express3/lib/utils') as Utils;

/** Asserts that both give the same result; returns ours. */
function same(look: (utils: Utils) => unknown): unknown {
  const [mine, expected] = [ours, theirs].map(utils => JSON.parse(JSON.stringify([look(utils)]))[0]);
  assert.deepEqual(mine, expected);
  return mine;
}

const ACCEPTS = [
  ...['text/html, application/json;q=.5, */*;q=.1', 'text/*', 'text/html;level=1;q=0.4,text/html'],
  ...['application/json;q=0', 'a/b;q=.5,c/d;q=.5,e/f', 'gzip, deflate;q=.4', 'text/html;q=foo, x/y', '*', ''],
];

describe('utils', () => {
  test('names: match Express 3', () => {
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
  });

  test('accepts and acceptsArray: choose what the client prefers', () => {
    for (const header of [...ACCEPTS, undefined]) {
      for (const types of ['json', 'text/html', 'json, html', 'html,json', '', 'text/*', 'nope', []]) {
        same(utils => utils.accepts(types, header));
      }
      same(utils => utils.acceptsArray(['json', 'html', 'text'], header));
    }
    assert.equal(ours.accepts('json, html', 'text/*'), 'html');
    assert.equal(ours.accepts('json', 'text/*'), undefined);
  });

  test('accept: compares type and parameters with a range', () => {
    for (const range of ['text/html', 'text/*', '*/*', 'text/html;level=1', 'a/b'].flatMap(
      ours.parseAccept,
    )) {
      for (const type of ['text/html', 'text/html;level=1', 'html', 'json']) {
        same(utils => utils.accept(utils.normalizeType(type), range));
      }
    }
  });

  test('parseAccept and parseParams: list the items of a header, best first', () => {
    for (const header of ACCEPTS) {
      same(utils => utils.parseAccept(header));
      same(utils => utils.parseParams(header));
    }
    assert.deepEqual(ours.parseParams('en;q=0.5, de'), [
      { value: 'de', quality: 1, params: {}, originalIndex: 1 },
      { value: 'en', quality: 0.5, params: {}, originalIndex: 0 },
    ]);
  });

  test('normalizeType and normalizeTypes: resolve extensions and strip parameters', () => {
    for (const type of [...words('json .html text/html text/html;q=0.5 text/html;level=1;q=.3 nope'), '']) {
      same(utils => utils.normalizeType(type));
    }
    same(utils => utils.normalizeTypes(['json', 'text/plain;q=.2']));
  });

  test('pathRegexp: returns the expression and fills the keys of a path', () => {
    for (const path of ['/', '/a', '/a/:id', '/a/:id?', '/a/:id(\\d+)', '/a/*', '*', ['/a', '/:b']]) {
      for (const url of ['/', '//', '/a', '/a/', '/A/7', '/a/x/y']) {
        same(utils => {
          const keys: Parameters<Utils['pathRegexp']>[1] = [];
          const match = utils.pathRegexp(path, keys, false, false).exec(url);
          return [keys, match?.[0]];
        });
      }
    }
    assert.equal(
      same(utils => utils.pathRegexp('/a', [], true, true).test('/A')),
      false,
    );
    assert.equal(
      same(utils => utils.pathRegexp('/a', [], true, true).test('/a/')),
      false,
    );
    const given = /x(y)/;
    assert.equal(String(ours.pathRegexp(given)), String(given));
  });

  test('locals: returns a function that copies variables to itself', () => {
    same(utils => {
      const locals = utils.locals();
      const values = locals({ a: 1, b: 2 });
      return [typeof locals, values, Object.keys(locals), locals.a, locals(null)];
    });
  });

  test('flatten, isAbsolute and setCharset: work as in Express 3', () => {
    same(utils => utils.flatten([1, [2, [3, [4]]], 5]));
    for (const path of ['/a', 'a', '', '../a'])
      same(utils => (utils.isAbsolute(path) ? 'absolute' : 'relative'));
    for (const [type, charset] of [
      ['text/html', 'utf-8'],
      ['text/html; charset=x', 'utf-8'],
      ['text/html;a=b', 'UTF-8'],
      ['text/html', ''],
    ] as const) {
      same(utils => utils.setCharset(type, charset));
    }
  });

  test('etag, wetag, compileETag and compileTrust: work as in Express 3, except for the hash', () => {
    const shape = (tag: string | undefined): unknown => tag?.replace(/-.*/, '-');
    for (const body of ['', 'hello', 'é', Buffer.from('hello')]) {
      same(utils => [shape(utils.etag(body)), shape(utils.wetag(body)), shape(utils.etag(body, 'latin1'))]);
    }
    for (const setting of [true, 'weak', 'strong']) {
      same(utils => shape(utils.compileETag(setting)!('hello', 'utf8')));
    }
    same(utils => utils.compileETag(false));
    assert.throws(() => ours.compileETag('x'), /unknown value for etag function: x/);
    for (const setting of [true, false, 1, 2, 'loopback', '10.0.0.1, 9.0.0.0/8']) {
      const trusts = (utils: Utils) =>
        ['127.0.0.1', '9.9.9.9'].map(address => utils.compileTrust(setting)(address, 1));
      same(trusts);
    }
  });
});
