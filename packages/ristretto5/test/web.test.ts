/** `web`: its members and prototypes, the files of the package, and what Express 5 removed. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { alike } from './support/oracle.js';

/** Returns the enumerable members, which do not include ristretto's additions. */
const listed = (object: object) => Object.keys(object);

describe('web', () => {
  test('members: match Express 5 in their order, without removed ones', () => {
    alike(listed);
    alike(web => ['query', 'bodyParser', 'session', 'static.mime'].map(name => name in web));
    alike(web => 'mime' in web.static);
  });

  test('prototypes: application, request and response have the enumerable members of Express 5', () => {
    alike(web => listed(web.application));
    alike(web => listed(web.request).sort());
    alike(web => listed(web.response));
  });

  test('removed: members of Express 4 are absent from applications, requests, responses and routers', () => {
    alike(web => ['del', 'lazyrouter', '_router'].map(name => name in web()));
    alike(web =>
      ['param', 'acceptsEncoding', 'acceptsCharset', 'acceptsLanguage'].map(name => name in web.request),
    );
    alike(web => ['sendfile'].map(name => name in web.response));
    alike(web => ['process_params', '_params'].map(name => name in web.Router()));
  });

  test('application: an application has the own keys of Express 5', () => {
    alike(web => listed(web()));
  });

  test('stop: web.stop and web.stopOnSignals are the same functions as in ristretto', () => {
    assert.deepEqual([typeof web.stop, typeof web.stopOnSignals], ['function', 'function']);
  });

  test('Router: is a constructor, with or without new, whose prototype is a function', () => {
    alike(web => {
      const { Router } = web;
      const router = new Router();
      return [
        typeof Router.prototype,
        Object.keys(Router.prototype),
        router instanceof Router,
        Router() instanceof Router,
        Object.keys(router),
        router.name,
        (Router as unknown as { Route: unknown }).Route === web.Route,
      ];
    });
  });

  test('files: every file of Express 5 resolves under its name', () => {
    const names = ['application', 'express', 'request', 'response', 'utils', 'view'];
    for (const name of names) {
      assert.ok(require.resolve(`ristretto5/lib/${name}`));
      assert.ok(require.resolve(`ristretto5/lib/${name}.js`));
    }
    assert.equal(require(path.join('ristretto5', 'index')), web);
    assert.equal((require('ristretto5/package.json') as { name: string }).name, 'ristretto5');
    assert.equal(require('ristretto5/lib/request'), web.request);
  });

  test('utils: functions have the names and the results of Express 5', () => {
    const utilsOf = (web: unknown) =>
      require(`${web === require('ristretto5') ? 'ristretto5' : 'express5'}/lib/utils`) as Record<
        string,
        never
      >;
    const call = (name: string, ...args: unknown[]) =>
      alike(web => (utilsOf(web)[name] as unknown as (...args: unknown[]) => unknown)(...args));
    alike(web => Object.keys(utilsOf(web)));
    alike(web => utilsOf(web).methods);
    call('etag', 'x');
    call('wetag', 'x');
    call('normalizeType', 'js');
    call('normalizeType', 'text/html;q=.5;a=b');
    call('normalizeType', ' text/html ; a = b=c ;d');
    call('normalizeTypes', ['json', 'zzz']);
    for (const type of [
      'text/html',
      'text/html;a=b',
      'text/html;;',
      'text/html; x',
      'foo',
      '',
      'a/b;=',
      'TEXT/HTML; C=d',
      'a/b; c=1; c=2; 0=3',
      'a/b\t;\tc = "d" e',
      'a/b;\u00a0c=d',
      'a/b; c="d;\\"e"; f=g',
      'a/b; c="open',
      'a/b; c d=e',
      'a/b; c="\u0416"',
      'a/b; charset="utf-16"; C=\td ',
    ]) {
      call('setCharset', type, 'utf-8');
    }
    call('setCharset', 'a/b; c=d', '');
  });
});
