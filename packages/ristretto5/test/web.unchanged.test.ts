// runs: http1
/** Parts of the package that only tools use: names for `import`, existing modules, functions of `lib/utils`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alike, attempt, frameworks } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- members that the types do not have */
const nameOf = (framework: Web): string => (framework === frameworks.express5 ? 'express5' : 'ristretto5');

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
    for (const name of [
      'lib/router',
      'lib/router/index',
      'lib/router/layer',
      'lib/router/route',
      'lib/middleware/init',
      'lib/middleware/query',
    ]) {
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
