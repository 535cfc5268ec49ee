/** `web`: its members, prototypes and files, what Express 5 removed, and parts that only tools use. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { assemble, ASSEMBLIES } from '../../engine/test/support/assembled-application.js';
import { words } from '../../engine/test/support/random.js';
import { alike, attempt, frameworks, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/** Returns the enumerable members, which do not include ristretto's additions. */
const listed = (object: object) => Object.keys(object);

/** `web`: its members and prototypes, the files of the package, and what Express 5 removed. */
describe('web', () => {
  test('members: match Express 5 in their order, without removed ones', () => {
    alike(listed);
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

  for (const how of ASSEMBLIES)
    test(`application: its members, ${how}, make an application of another function`, async () => {
      const build = (web: Web) => {
        const own = assemble<ReturnType<Web>>(web, how).set('env', 'test');
        own.get('/a', (req, res) => void res.json([req.app === own, res.app === own, req.query, req.ip]));
        const inner = web();
        inner.get('/', (req, res) => void res.json(req.app === inner));
        own.use('/inner', inner);
        return web().use((req, res, next) => {
          (own as unknown as { handle: typeof own }).handle(req, res, next);
        });
      };
      assert.match((await same(build, '/a?b=1')).text, /^\[true,true,\{"b":"1"\},/);
      assert.equal((await same(build, '/inner')).text, 'true');
      await same(build, '/none');
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

/* eslint-disable @typescript-eslint/no-explicit-any -- members that the types do not have */
const nameOf = (framework: Web): string => (framework === frameworks.express5 ? 'express5' : 'ristretto5');

/** Parts of the package that only tools use: names for `import`, existing modules, functions of `lib/utils`. */
describe('web', () => {
  test('import: exports the names of Express 5 and the additions', async () => {
    const namesOf = async (name: string) => Object.keys((await import(name)) as object);
    const [theirs, ours] = [await namesOf('express5'), await namesOf('ristretto5')];
    assert.deepEqual(
      theirs.filter(name => !ours.includes(name)),
      [],
    );
    const added = ours.filter(name => !theirs.includes(name) && name !== 'module.exports');
    assert.deepEqual(
      added.filter(name => !(name in frameworks.ristretto5)),
      [],
    );
  });

  test('removed: connect middleware is absent, and reading it no longer throws', () => {
    const names = ['basicAuth', 'bodyParser', 'compress', 'cookieParser', 'cookieSession', 'csrf', 'directory', 'errorHandler',
      'favicon', 'limit', 'logger', 'methodOverride', 'multipart', 'query', 'responseTime', 'session', 'staticCache', 'timeout', 'vhost']; // prettier-ignore
    alike(web => names.map(name => [name in web, attempt(() => (web as any)[name])]));
  });

  test('files: modules that Express 5 removed are absent', () => {
    for (const name of words(`
      lib/router lib/router/index lib/router/layer lib/router/route lib/middleware/init
      lib/middleware/query
    `)) {
      for (const framework of Object.values(frameworks))
        assert.throws(() => require.resolve(`${nameOf(framework)}/${name}`), { code: 'MODULE_NOT_FOUND' });
    }
  });

  test('utils: compileETag, compileQueryParser and compileTrust read settings', () => {
    const utils = (web: Web) => require(`${nameOf(web)}/lib/utils`) as Record<string, any>;
    for (const value of [true, false, 'weak', 'strong', 'x', () => 'own', 5]) {
      alike(web => {
        const made = attempt(() => utils(web).compileETag!(value)) as any;
        return typeof made === 'function' ? made('text', 'utf8') : made;
      });
    }
    for (const value of [true, false, 'simple', 'extended', 'x', (text: string) => text, 5]) {
      alike(web => {
        const made = attempt(() => utils(web).compileQueryParser!(value)) as any;
        return typeof made === 'function' ? made('a[b]=1&c') : made;
      });
    }
    for (const value of [true, false, 0, 1, 'loopback', '10.0.0.0/8, 1.2.3.4', ['uniquelocal'], () => true]) {
      alike(web =>
        ['127.0.0.1', '10.1.1.1', '1.2.3.4', '::1'].map((address, at) =>
          utils(web).compileTrust!(value)(address, at),
        ),
      );
    }
  });

  test('prototypes: members of web.request and web.response reach existing applications; web.application does not', () => {
    alike(web => {
      const app = web() as any;
      const sub = web() as any;
      app.use(sub);
      (web.request as any).ofRequest = 1;
      (web.response as any).ofResponse = 2;
      (web.application as any).ofApplication = 3;
      const found = [
        app.request.ofRequest,
        sub.response.ofResponse,
        app.ofApplication,
        (web() as any).ofApplication,
      ];
      delete (web.request as any).ofRequest;
      delete (web.response as any).ofResponse;
      delete (web.application as any).ofApplication;
      return [found, app.request.app === app, Object.keys(app.request), app.response.app === app];
    });
    alike(web =>
      Object.entries(Object.getOwnPropertyDescriptors(web.request))
        .filter(([, { get, enumerable }]) => get && enumerable)
        .map(([name, { get: _get, ...rest }]) => [name, rest])
        .sort(),
    );
    alike(web =>
      ['application', 'request', 'response'].map(name =>
        Object.entries((web as any)[name])
          .filter(([, value]) => typeof value === 'function')
          .map(([key, value]) => [key, (value as any).length])
          .sort()
          .join(),
      ),
    );
  });
});
