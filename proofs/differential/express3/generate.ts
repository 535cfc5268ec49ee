/** Cases generated from a seed: small applications of 3.x, and requests that reach their routes. */
import { words } from '../../../packages/engine/test/support/random.js';
import type { Random } from '../../../packages/engine/test/support/random.js';
import type { Act, Ask, Case, End, Handler, Layer } from './description.js';

const PATHS = words('/ /a /a/b /a/:id /:x/:y? /:x /* /a/* /users/:id/edit /B /a/b/c');
// If a mount differs in case from the path, Express 3 restores the mount's own case
const MOUNTS = ['/', '/a', '/a/b', '/users', '/x/'];
// HEAD and OPTIONS have separate tests: Express 3 skips GET routes by the positions of the HEAD routes, and loses
// errors of OPTIONS
const METHODS = ['get', 'get', 'get', 'post', 'put'];
const TARGETS = words('/ /a /a/b /a/b/ /a/7 /a.html /ab /users/7/edit /B /b /x/y /a/b/c?q=1&r[s]=2');
const ACCEPTS = [
  'text/html',
  'application/json',
  '*/*',
  'text/*;q=0.5, application/json',
  'image/png',
  'text/plain;q=0.2, text/html',
];
const LOOKS: [string, ...unknown[][]][] = [
  ...words('url originalUrl path host ip ips protocol secure subdomains query params').map(
    (name): [string] => [name],
  ),
  ...['xhr', 'fresh', 'stale', 'acceptedLanguages', 'acceptedCharsets', 'method'].map((name): [string] => [
    name,
  ]),
  ['accepts', ['html'], ['html, json'], [['json', 'text/html']]],
  ['get', ['Referer'], ['X-None'], ['accept']],
  ['is', ['json'], ['text/*'], ['html']],
  ['param', ['id'], ['q', 'none']],
  ['range', [100]],
  ['acceptsLanguage', ['en'], ['fr']],
];
const BODIES: unknown[] = ['text', '', '<p>é</p>', { a: 1, b: ['x'] }, [1, 2], true, null];
const CODES = [200, 201, 204, 301, 304, 400, 404, 500];
const URLS = ['/x', 'x', './x', '../x', '..', 'http://h/x', 'x/y?z', '?q', 'back', '/a/../b'];

class Generator {
  constructor(private readonly random: Random) {}

  private pick<T>(values: readonly T[]): T {
    return this.random.pick(values);
  }

  private many<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.random.between(0, most) }, make);
  }

  private act(): Act {
    return this.pick<() => Act>([
      () => ({
        act: 'set',
        args: this.pick([['X-A', 'b'], ['Content-Type', 'text/plain'], [{ 'X-B': 1, 'X-C': 'd' }]]),
      }),
      () => ({
        act: 'type',
        args: [this.pick(['html', 'json', 'png', '.txt', 'text/css', 'a/b; charset=x'])],
      }),
      () => ({ act: 'status', args: [this.pick(CODES)] }),
      () => ({
        act: 'cookie',
        args: ['c', this.pick(['v', 'a b', { j: 1 }]), { path: this.pick(['/', '/p']), httpOnly: true }],
      }),
      () => ({ act: 'clearCookie', args: ['c', { path: '/p' }] }),
      () => ({ act: 'setHeader', args: ['Set-Cookie', this.pick<unknown>(['raw=1', ['raw=2', 'raw=3']])] }),
      () => ({ act: 'vary', args: [this.pick<unknown>(['Accept', ['Cookie', 'X-A']])] }),
      () => ({ act: 'attachment', args: this.pick([[], ['a.png']]) }),
      () => ({ act: 'charset', value: this.pick(['utf-8', 'iso-8859-1']) }),
      () => ({ act: 'locals', values: { a: 1, title: 'x' } }),
      () => ({ act: 'onHeader', name: this.pick(['X-Late', 'X-A']) }),
    ])();
  }

  private answer(): End {
    const member = this.pick(['send', 'send', 'json', 'jsonp'] as const);
    const body = this.pick(BODIES);
    const args = this.pick<unknown[]>([
      [body],
      [body],
      [this.pick(CODES), body],
      member === 'send' ? [this.pick(CODES)] : [5],
    ]);
    return { do: member, args };
  }

  private look(): End {
    const [member, ...calls] = this.pick(LOOKS);
    return calls.length === 0 ? { do: 'look', member } : { do: 'look', member, args: this.pick(calls) };
  }

  private end(): End {
    return this.pick<() => End>([
      () => this.answer(),
      () => this.answer(),
      () => this.look(),
      () => this.look(),
      () => ({ do: 'end', text: 'ended' }),
      () => ({
        do: 'redirect',
        args: this.pick<unknown[]>([[this.pick(URLS)], [301, this.pick(URLS)], ['/x', 303]]),
      }),
      () => ({ do: 'location', args: [this.pick(URLS)] }),
      () => ({ do: 'sendfile', name: this.pick(['user.tmpl', 'none.txt', '../views/user.tmpl', 'blog']) }),
      () => ({
        do: 'format',
        types: this.pick([
          ['html', 'json'],
          ['text/plain', 'default'],
          ['json', 'text', 'html'],
        ]),
      }),
      () => ({ do: 'next' }),
      () => ({ do: 'next' }),
      () => ({ do: 'next', with: this.pick(['route', 'oops']) }),
      () => ({ do: 'throw', message: 'thrown' }),
    ])();
  }

  private handler(error = this.random.chance(1 / 7)): Handler {
    return { ...(error && { error }), acts: this.many(2, () => this.act()), end: this.end() };
  }

  /** A parameter callback, which usually calls `next` without an argument. */
  private paramHandler(): Handler {
    const end: End = !this.random.chance(1 / 4)
      ? { do: 'next' }
      : { do: 'next', with: this.pick(['route', 'oops']) };
    return { acts: this.many(1, () => this.act()), end };
  }

  private layer(depth: number): Layer {
    return this.pick<() => Layer>([
      ...Array<() => Layer>(6).fill(() => ({
        layer: 'route',
        method: this.pick(METHODS),
        path: this.pick(PATHS),
        handlers: [this.handler(), ...this.many(2, () => this.handler())],
        nested: this.random.chance(1 / 3),
      })),
      ...Array<() => Layer>(3).fill(() => ({
        layer: 'use',
        ...(this.random.chance(1 / 2) && { path: this.pick(MOUNTS) }),
        handler: !this.random.chance(1 / 3) ? { acts: [this.act()], end: { do: 'next' } } : this.handler(),
      })),
      () => ({ layer: 'param', name: this.pick(['id', 'x', 'y']), handler: this.paramHandler() }),
      () => ({ layer: 'remove', method: 'get', at: this.random.between(0, 2) }),
      () => ({ layer: 'router' }),
      () =>
        depth > 1
          ? { layer: 'router' }
          : {
              layer: 'app',
              path: this.pick(MOUNTS),
              layers: this.many(3, () => this.layer(depth + 1)),
            },
    ])();
  }

  private ask(): Ask {
    const headers: Record<string, string> = {};
    if (this.random.chance(1 / 2)) headers.Accept = this.pick(ACCEPTS);
    if (this.random.chance(1 / 4)) headers['Accept-Language'] = this.pick(['en;q=0.8, fr', 'de']);
    if (this.random.chance(1 / 4))
      headers['Content-Type'] = this.pick(['application/json', 'text/html; charset=x']);
    if (this.random.chance(1 / 4)) headers.Referer = this.pick(['/back', 'http://r/x']);
    if (this.random.chance(1 / 5)) headers['X-Forwarded-For'] = '1.2.3.4, 5.6.7.8';
    if (this.random.chance(1 / 6)) headers.Range = this.pick(['bytes=0-3', 'bytes=900-', 'x']);
    const method = this.pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT']);
    return { method, path: this.pick(TARGETS), headers };
  }

  case(): Case {
    const settings: Record<string, unknown> = {};
    if (this.random.chance(1 / 4)) settings['json spaces'] = this.pick([0, 4]);
    if (this.random.chance(1 / 4)) settings['trust proxy'] = this.pick<unknown>([true, 1, 'loopback']);
    if (this.random.chance(1 / 6)) settings['strict routing'] = true;
    if (this.random.chance(1 / 6)) settings['case sensitive routing'] = true;
    if (this.random.chance(1 / 6)) settings.etag = this.pick([false, 'strong']);
    return {
      settings,
      layers: [this.layer(0), this.layer(0), ...this.many(4, () => this.layer(0))],
      requests: [this.ask(), this.ask(), ...this.many(2, () => this.ask())],
    };
  }
}

/** Generates a case. */
export function generate(random: Random): Case {
  return new Generator(random).case();
}
