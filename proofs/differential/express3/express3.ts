/** The differential suite for Express 3: small applications whose routes the requests reach, as Express 3 loses control beyond those. */
import { Random, words } from '../../../packages/engine/test/support/random.js';
import { POLICY } from '../../../packages/engine/test/support/redirect-policy.js';
import { patched } from '../../../packages/ristretto3/test/support/connect-patch.js';
import { frameworks } from '../../../packages/ristretto3/test/support/oracle.js';
import type { Web } from '../../../packages/engine/test/support/oracle.js';
import type { Result } from '../compare.js';
import type { Ask, Case, Handler, Layer, Step, Value } from '../description.js';
import type { Versions } from '../session.js';

const PATHS = words('/ /a /a/b /a/:id /:x/:y? /:x /* /a/* /users/:id/edit /B /a/b/c');
// If a mount differs in case from the path, Express 3 restores the mount's own case. Of an application mounted at /, it
// redirects to //path.
const MOUNTS = words('/ /a /a/b /users /x/');
// HEAD and OPTIONS have separate tests: Express 3 skips GET routes by the positions of the HEAD routes, and loses
// errors of OPTIONS
const METHODS = words('get get get post put');
const TARGETS = words('/ /a /a/b /a/b/ /a/7 /a.html /ab /users/7/edit /B /b /x/y /a/b/c?q=1&r[s]=2');
const FIELDS: [name: string, share: number, values: string[]][] = [
  [
    'Accept',
    1 / 2,
    ['text/html', 'application/json', '*/*', 'text/*;q=0.5, application/json', 'text/plain;q=0.2, text/html'],
  ],
  ['Accept-Language', 1 / 4, ['en;q=0.8, fr', 'de']],
  ['Content-Type', 1 / 4, ['application/json', 'text/html; charset=x']],
  ['Referer', 1 / 4, ['/back', 'http://r/x']],
  ['X-Forwarded-For', 1 / 5, ['1.2.3.4, 5.6.7.8']],
  ['Range', 1 / 6, ['bytes=0-3', 'bytes=900-', 'x']],
];
const LOOKS: Step[] = [
  ...words(`url originalUrl path host ip ips protocol secure subdomains query xhr fresh stale acceptedLanguages
    acceptedCharsets method`).map(req => ({ req })),
  ...['html', 'html, json', ['json', 'text/html']].map(type => ({ req: 'accepts', args: [type] })),
  ...['Referer', 'X-None', 'accept'].map(name => ({ req: 'get', args: [name] })),
  ...['json', 'text/*', 'html'].map(type => ({ req: 'is', args: [type] })),
  { req: 'range', args: [100] },
  ...['en', 'fr'].map(language => ({ req: 'acceptsLanguage', args: [language] })),
];
/** Middleware has no parameters in Express 3: docs/legacy.md describes what it would see. */
const LOOKS_OF_ROUTES: Step[] = [
  { req: 'params' },
  { req: 'param', args: ['id'] },
  { req: 'param', args: ['q', 'none'] },
];
const BODIES: Value[] = ['text', '', '<p>é</p>', { a: 1, b: ['x'] }, [1, 2], true, null];
const CODES = [200, 201, 204, 301, 304, 400, 404, 500];
const URLS = words('/x x ./x ../x .. http://h/x x/y?z ?q back /a/../b');
const SETTINGS: [name: string, share: number, values: Value[]][] = [
  ['json spaces', 1 / 4, [0, 4]],
  ['trust proxy', 1 / 4, [true, 1, 'loopback']],
  ['strict routing', 1 / 6, [true]],
  ['case sensitive routing', 1 / 6, [true]],
  ['etag', 1 / 6, [false, 'strong']],
];

class Generator {
  private id = 0;

  constructor(private readonly random: Random) {}

  private pick<T>(values: readonly T[]): T {
    return this.random.pick(values);
  }

  private act(): Step {
    const call = (res: string, ...args: Value[]): Step => ({ res, args });
    return this.random.weighted<Step>([
      [1 / 3, () => call('set', 'X-A', 'b')],
      [1 / 3, () => call('set', 'Content-Type', 'text/plain')],
      [1 / 3, () => call('set', { 'X-B': 1, 'X-C': 'd' })],
      [1, () => call('type', this.pick(['html', 'json', 'png', '.txt', 'text/css', 'a/b; charset=x']))],
      [1, () => call('status', this.pick(CODES))],
      [
        1,
        () =>
          call('cookie', 'c', this.pick<Value>(['v', 'a b', { j: 1 }]), {
            path: this.pick(['/', '/p']),
            httpOnly: true,
          }),
      ],
      [1, () => call('clearCookie', 'c', { path: '/p' })],
      [1, () => call('setHeader', 'Set-Cookie', this.pick<Value>(['raw=1', ['raw=2', 'raw=3']]))],
      [1, () => call('vary', this.pick<Value>(['Accept', ['Cookie', 'X-A']]))],
      [1, () => call('attachment', ...this.pick([[], ['a.png']]))],
      [1, () => ({ put: 'res.charset', value: this.pick(['utf-8', 'iso-8859-1']) })],
      [1, () => call('locals', { a: 1, title: 'x' })],
      [
        1,
        () =>
          call(
            'on',
            'header',
            callback([{ seen: 'statusCode' }, call('setHeader', this.pick(['X-Late', 'X-A']), 'late')]),
          ),
      ],
    ]);
  }

  private answer(): Step {
    const res = this.pick(['send', 'send', 'json', 'jsonp']);
    const body = this.pick(BODIES);
    const args = this.pick([
      [body],
      [body],
      [this.pick(CODES), body],
      [res === 'send' ? this.pick(CODES) : 5],
    ]);
    return { res, args };
  }

  private look(isRoute: boolean): Step[] {
    const look = this.pick(isRoute ? [...LOOKS, ...LOOKS_OF_ROUTES] : LOOKS);
    return [look, { res: 'type', args: ['txt'] }, { res: 'send', args: ['seen'] }];
  }

  private end(isRoute: boolean): Step[] {
    const types = this.pick(['html json', 'text/plain default', 'json text html']).split(' ');
    return this.random.weighted<Step[]>([
      [2, () => [this.answer()]],
      [2, () => this.look(isRoute)],
      [1, () => [{ res: 'end', args: ['ended'] }]],
      [
        1,
        () => [
          { res: 'redirect', args: this.pick([[this.pick(URLS)], [301, this.pick(URLS)], ['/x', 303]]) },
        ],
      ],
      [
        1,
        () => [
          { res: 'location', args: [this.pick(URLS)] },
          { res: 'get', args: ['Location'] },
          { res: 'end', args: ['located'] },
        ],
      ],
      [
        1,
        () => [
          // Express 3 removes it if there is no such file
          { res: 'removeHeader', args: ['Content-Disposition'] },
          {
            res: 'sendfile',
            args: [this.pick(['a.txt', 'none.txt', '../views/a.txt', 'sub']), { root: { $: 'root' } }],
          },
        ],
      ],
      [
        1,
        () => {
          const handlers = types.map(type => [type, callback([{ res: 'send', args: [`as ${type}`] }])]);
          return [{ res: 'format', args: [Object.fromEntries(handlers) as Value] }];
        },
      ],
      [2, () => [{ next: [] }]],
      [1 / 2, () => [{ next: isRoute ? ['route'] : [] }]],
      [1 / 2, () => [{ next: ['oops'] }]],
      [1, () => [{ throw: { $: 'error', text: 'thrown' } }]],
    ]);
  }

  private handler(isRoute: boolean): Handler {
    const error = this.random.chance(1 / 7);
    const steps = [...this.random.many(0, 2, () => this.act()), ...this.end(isRoute)];
    return { id: ++this.id, ...(error && { error }), steps };
  }

  private layer(depth: number): Layer {
    return this.random.weighted<Layer>([
      [
        6,
        () => ({
          kind: 'route',
          method: this.pick(METHODS),
          path: this.pick(PATHS),
          handlers: this.random.many(1, 3, () => this.handler(true)),
          nested: this.random.chance(1 / 3) ? 2 : 0,
        }),
      ],
      [
        3,
        () => ({
          kind: 'use',
          ...(this.random.chance(1 / 2) && { path: this.pick(MOUNTS) }),
          handlers: [
            this.random.chance(1 / 3)
              ? this.handler(false)
              : { id: ++this.id, steps: [this.act(), { next: [] }] },
          ],
        }),
      ],
      [
        1,
        () => {
          const next: Value[] = this.random.chance(1 / 4) ? [this.pick(['route', 'oops'])] : [];
          const steps = [...this.random.many(0, 1, () => this.act()), { next }];
          return { kind: 'param', name: this.pick(['id', 'x', 'y']), param: { id: ++this.id, steps } };
        },
      ],
      [1, () => ({ kind: 'remove', method: 'get', at: this.random.between(0, 2) })],
      [depth > 1 ? 2 : 1, () => ({ kind: 'place' })],
      [
        depth > 1 ? 0 : 1,
        () => ({
          kind: 'app',
          path: this.pick(MOUNTS.slice(1)),
          layers: this.random.many(0, 3, () => this.layer(depth + 1)),
        }),
      ],
    ]);
  }

  private ask(): Ask {
    const headers = FIELDS.filter(([, share]) => this.random.chance(share)).map(
      ([name, , values]): [string, string] => [name, this.pick(values)],
    );
    const method = this.pick(words('GET GET GET POST HEAD OPTIONS PUT'));
    return { method, target: this.pick(TARGETS), headers };
  }

  case(): Case {
    const chosen = SETTINGS.filter(([, share]) => this.random.chance(share));
    const leftOver: Step[] = [{ res: 'send', args: [555, 'left over'] }];
    return {
      ownServer: false,
      settings: {
        env: 'test',
        ...Object.fromEntries(chosen.map(([name, , values]) => [name, this.pick(values)])),
      },
      layers: [
        ...this.random.many(2, 6, () => this.layer(0)),
        { kind: 'use', handlers: [{ id: 0, error: true, steps: leftOver }] },
      ],
      requests: this.random.many(2, 4, () => this.ask()),
    };
  }
}

const callback = (steps: Step[]): Value => ({ $: 'do', steps: steps as unknown as Value });

const REDIRECT = /<p>(.* Redirecting to )<a href="[^"]*">([^<]*)<\/a><\/p>/;

const ERROR_MEMBERS = /(?<=Error\([^)]*\)) .*/;

/** Removes what differs by design: the hash of an entity tag, the policy of our pages, and the link in the oracle's. */
function normalize({ answer, trace }: Result): Result {
  const body = answer.body.replace(REDIRECT, '<p>$1$2</p>');
  const hasLocation = answer.fields.some(([name]) => name === 'Location');
  const fields = answer.fields
    .filter(field => field.join() !== POLICY.join())
    // The response to HEAD has the length of the page
    .filter(([name]) => name !== 'Content-Length' || !hasLocation || body !== '')
    .map(([name, value]): [string, string] => {
      if (name === 'Content-Length' && body !== answer.body) return [name, String(body.length)];
      if (name === 'ETag') return [name, value.replace(/-.*/, '')];
      return [name, name === 'Content-Type' ? value.replace('UTF-8', 'utf-8') : value];
    });
  // `default` of res.format gets the request here; `send` calls back in another turn and its errors have other members
  const lines = trace
    .filter(line => !/^called array\{\}$|^res\.sendfile gave/.test(line))
    .map(line => line.replace(ERROR_MEMBERS, ''));
  return { answer: { ...answer, fields, body }, trace: lines };
}

export const express3: Versions = {
  ours: frameworks.ristretto3 as unknown as Web,
  theirs: frameworks.express3 as unknown as Web,
  makeCase: seed => new Generator(new Random(seed)).case(),
  around: patched,
  normalize,
  seen: ['method', 'url'],
  command: 'npm run differential -- --express 3',
};
