/** `req.url`: rewritten by mounting and by middleware. */
import { describe, test } from 'node:test';
import type { Request, RequestHandler } from 'express';
import { sameEach } from '../../support/compare.js';
import { mark, tracing } from '../../support/routing.js';

const rewriting =
  (rewrite: (req: Request) => string): RequestHandler =>
  (req, _res, next) => {
    req.url = rewrite(req);
    next();
  };

describe('req.url', () => {
  test('mounted: excludes the mount path, and is at least a slash', () =>
    sameEach(
      tracing(app => app.use('/a', mark('a')).use('/a/', mark('slash'))),
      ['/a', '/a/', '/a?x=y', '/a/b?x=y', '/a//b', '/A', '/a/?x', '/a;b', '/a#b'],
    ));
  test('absolute form: only the path is shortened', () =>
    sameEach(
      tracing((app, web) => app.use('/a', mark('a'), web.Router().use('/b', mark('b')))),
      [
        'http://example.com/a',
        'http://example.com/a/b',
        'http://example.com/a/b?c=d',
        'https://a.b/a/',
        'http://example.com/a?x',
        'HTTP://EXAMPLE.COM/a/b',
      ],
    ));
  test('other forms: an asterisk, an authority and unusable URLs are matched', () =>
    sameEach(
      tracing(app => app.use('/a', mark('a')).use('*', mark('star')).use(mark('m'))),
      [
        { method: 'OPTIONS', path: '*' },
        '//a/b',
        '///a',
        '/?/a',
        'example.com:80',
        'a/b',
        '?a=b',
        'mailto:a/b',
        '://x/y',
        'http:///a',
      ],
    ));
  test('rewritten: applies to the layers after it', () =>
    sameEach(
      tracing(app => {
        app.use(rewriting(req => req.url.replace('/old', '/new')));
        app.get('/new', mark('new'));
        app.get('/old', mark('never'));
      }),
      ['/old', '/old?x', '/new'],
    ));
  test('rewritten in a mount: the mount path is prepended again', () =>
    sameEach(
      tracing(app => {
        app.use(
          '/a',
          rewriting(() => '/x?y=z'),
        );
        app.use('/a/x', mark('a/x'));
        app.use('/x', mark('never'));
      }),
      ['/a', '/a/b', '/a?q'],
    ));
  test('rewritten in a mounted router: applies to the layers of that router', () =>
    sameEach(
      tracing((app, web) => {
        app.use(
          '/a',
          web
            .Router()
            .use(rewriting(() => '/b'))
            .get('/b', mark('b')),
        );
        app.get('/a/b', mark('outer'));
      }),
      ['/a/c', '/a'],
    ));
  test('rewritten to something without a slash: is matched as in Express', () =>
    sameEach(
      tracing(app => {
        app.use(
          '/a',
          rewriting(() => 'b'),
        );
        app.use(mark('m'));
        app.use('/ab', mark('ab'));
      }),
      ['/a', '/a/c'],
    ));
  test('rewritten to nothing: ends routing', () =>
    sameEach(
      tracing(app => {
        app.use(rewriting(() => ''));
        app.get('/', mark('root'));
        app.use(mark('m'));
      }),
      ['/x'],
    ));
  test('rewritten between absolute and path form: is matched as in Express', () =>
    sameEach(
      tracing(app => {
        app.use(
          '/a',
          rewriting(() => 'http://other/b'),
        );
        app.use('/b', mark('b'));
        app.use('/a', mark('a'));
        app.use(mark('m'));
      }),
      ['/a/x', 'http://example.com/a/x'],
    ));
  test('query string: is ignored when matching', () =>
    sameEach(
      tracing(app => app.get('/a', mark('a')).get('/a\\?b', mark('never'))),
      ['/a?b', '/a?/b', '/a?', '/?/a'],
    ));
  test('method: may be rewritten, as method-override does', () =>
    sameEach(
      tracing(app => {
        app.use((req, _res, next) => {
          req.method = 'DELETE';
          next();
        });
        app.delete('/x', mark('delete'));
        app.get('/x', mark('never'));
      }),
      ['/x'],
    ));
  test('many layers: the route index works with a rewritten url', () =>
    sameEach(
      tracing(app => {
        for (let i = 0; i < 20; i++) app.get(`/page/${String(i)}`, mark(`page ${String(i)}`));
        app.use(rewriting(() => '/page/25'));
        for (let i = 20; i < 40; i++) app.get(`/page/${String(i)}`, mark(`page ${String(i)}`));
        app.use(
          '/page',
          rewriting(() => '/30'),
        );
        app.get('/page/30', mark('page 30'));
        app.get('/page/25', mark('never'));
      }),
      ['/page/3', '/x', '/page/30'],
    ));
});
