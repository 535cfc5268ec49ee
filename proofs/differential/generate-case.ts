/** Random applications: settings, and layers of every kind nested to a depth of three. */
import { Random, words } from '../../packages/engine/test/support/random.js';
import type { Case, Handler, Layer, Step, Value } from './description.js';
import { answer, atOnce } from './generate-answer.js';
import { change } from './generate-change.js';
import { look } from './generate-look.js';
import { pathValue } from './generate-path.js';
import { request } from './generate-request.js';
import { someOptions } from './values.js';

const ERRORS: Value[] = [
  { $: 'error', text: 'plain' },
  { $: 'error', text: 'teapot', status: 418 },
  { $: 'error', text: 'gone <b>', statusCode: 410, headers: { 'X-Err': '1' } },
  { $: 'error', text: 'odd', status: 200 },
  { $: 'error', text: 'big', status: 700 },
  { $: 'error', text: 'exposed', status: 503, expose: true, type: 'some.type' },
  ...['a string', '', 0, 5],
  { status: 409, message: 'object' },
  { $: 'undefined' },
  ...[null, 'route', 'router', false],
];

/** Returns a handler's steps: reads, changes, and an end; `sends` is the share of handlers that respond. */
function steps(random: Random, sends: number): Step[] {
  const list: Step[] = [...random.many(0, 3, () => look(random)), ...random.many(0, 3, () => change(random))];
  const end = random.weighted<Step[]>([
    [sends * 10, () => [answer(random)]],
    [
      sends * 0.3,
      () => [
        { res: 'write', args: ['part '] },
        { res: 'end', args: ['last'] },
      ],
    ],
    [
      sends * 0.3,
      () => [
        { res: 'writeHead', args: [202, { 'X-Head': 'w' }] },
        { res: 'end', args: ['head'] },
      ],
    ],
    [sends * 0.05, () => [{ res: 'write', args: ['part'] }, { throw: { $: 'error', text: 'too late' } }]],
    [sends * 0.15, () => [atOnce(random), { next: [] }]],
    [sends * 0.15, () => [atOnce(random), { throw: { $: 'error', text: 'after the answer' } }]],
    [(1 - sends) * 10, () => [{ next: [] }]],
    [(1 - sends) * 1.5, () => [{ next: ['route'] }]],
    [(1 - sends) * 1, () => [{ next: ['router'] }]],
    [(1 - sends) * 1.2, () => [{ next: [random.pick(ERRORS)] }]],
    [(1 - sends) * 1, () => [{ throw: random.pick(ERRORS) }]],
  ]);
  return random.chance(0.1) ? [...list, { later: end }] : [...list, ...end];
}

const VERBS = words(`get get get get all all post post put delete patch head options propfind m-search
  del`);

const SETTINGS: Record<string, Value[]> = {
  'case sensitive routing': [true, false],
  'strict routing': [true, false],
  etag: ['strong', 'weak', true, false, { $: 'function', text: 'etag' }, { $: 'function', text: 'noEtag' }],
  'jsonp callback name': ['cb', 'callback'],
  'json escape': [true],
  'json replacer': [{ $: 'function', text: 'replacer' }, ['a']],
  'json spaces': [2, '--', 0],
  'query parser': ['simple', 'extended', true, false, { $: 'function', text: 'queryParser' }],
  'subdomain offset': [0, 1, 3],
  'trust proxy': [
    ...[true, false, 1, 2, 'loopback', 'loopback, 10.0.0.0/8'],
    ['127.0.0.1', '1.2.3.4'],
    'uniquelocal',
    { $: 'function', text: 'trust' },
  ],
  'x-powered-by': [true, false],
  'view cache': [true],
};

const ROUTER_OPTIONS: Record<string, Value[]> = {
  caseSensitive: [true, false],
  mergeParams: [true, true, false],
  strict: [true, false],
};

const PARSER_OPTIONS: Record<string, Record<string, Value[]>> = {
  json: {
    inflate: [false],
    limit: [20, '1kb', '1mb'],
    reviver: [{ $: 'function', text: 'reviver' }],
    strict: [false, true],
  },
  urlencoded: { extended: [true, false], inflate: [false], limit: [20, '1kb'], parameterLimit: [3, 1, 20] },
  text: { defaultCharset: ['latin1', 'utf-8'], inflate: [false], limit: [20, '2kb'] },
  raw: { inflate: [false], limit: [20] },
};
const PARSER_TYPES: Value[] = [
  'json',
  '*/*',
  ['text/*', 'application/json'],
  { $: 'function', text: 'type' },
  'application/*',
  '+json',
  'urlencoded',
];

const STATIC_OPTIONS: Record<string, Value[]> = {
  dotfiles: ['allow', 'deny', 'ignore'],
  etag: [false],
  extensions: [['html', 'htm'], ['txt']],
  fallthrough: [false, true],
  immutable: [true],
  index: [false, 'a.txt', ['x.html', 'index.html']],
  lastModified: [false],
  maxAge: [1000, '1d'],
  redirect: [false],
  setHeaders: [{ $: 'function', text: 'setHeaders' }],
  acceptRanges: [false],
  cacheControl: [false],
};

class CaseMaker {
  private id = 0;

  constructor(private readonly random: Random) {}

  make(): Case {
    const { random } = this;
    const made: Case = {
      ownServer: random.chance(0.2),
      settings: this.settings(),
      layers: this.layers(0, random.between(1, 6)),
      requests: [],
    };
    // Without a handler at the end, most responses would be the default pages.
    if (random.chance(0.3)) made.layers.push({ kind: 'use', handlers: [this.handler(1)] });
    if (random.chance(0.5)) made.layers.push({ kind: 'use', handlers: [this.handler(0.8, true)] });
    made.requests = random.many(2, 5, () => request(random, made));
    return made;
  }

  /** Returns the settings of an application: its environment, its views, and some others. */
  private settings(sub = false): Record<string, Value> {
    const chosen = someOptions(this.random, SETTINGS, 0.12);
    if (!sub) {
      chosen.env = this.random.pick(['production', 'test', 'development']);
      chosen.views = this.random.chance(0.8)
        ? { $: 'root', text: '/views' }
        : [
            { $: 'root', text: '/none' },
            { $: 'root', text: '/views' },
          ];
      if (this.random.chance(0.7)) chosen['view engine'] = 'tpl';
    }
    return chosen;
  }

  private layers(depth: number, count: number): Layer[] {
    const { random } = this;
    const layers = Array.from({ length: count }, () => this.layer(depth));
    if (random.chance(0.1)) {
      // Routers with as many routes find a request's through an index.
      for (let i = 0; i < 9; i++) {
        const route: Layer = {
          kind: 'route',
          method: 'get',
          path: `/r${String(i)}`,
          handlers: this.handlers(0.7),
        };
        layers.splice(random.between(0, layers.length), 0, route);
      }
    }
    return layers;
  }

  private layer(depth: number): Layer {
    const { random } = this;
    const nesting = depth < 3 ? 1 : 0;
    const layer = random.weighted<Layer>([
      [4, () => ({ kind: 'use', path: this.mount(), handlers: this.handlers(0.25) })],
      [
        8,
        () => ({
          kind: 'route',
          method: random.pick(VERBS),
          path: pathValue(random),
          handlers: this.handlers(0.7),
        }),
      ],
      [
        2,
        () => ({
          kind: 'chain',
          path: pathValue(random),
          chain: random.many(0, 4, () => ({
            method: random.pick(VERBS.slice(0, -1)),
            handlers: this.handlers(0.6),
          })),
        }),
      ],
      [
        3 * nesting,
        () => ({
          kind: 'router',
          path: this.mount(),
          options: someOptions(random, ROUTER_OPTIONS, 0.35),
          layers: this.layers(depth + 1, random.between(0, 4)),
        }),
      ],
      [
        1.5 * nesting,
        () => ({
          kind: 'app',
          path: this.mount(),
          settings: this.settings(true),
          layers: this.layers(depth + 1, random.between(0, 4)),
        }),
      ],
      [
        1.5,
        () => ({
          kind: 'param',
          name: depth > 0 || random.chance(0.7) ? this.parameter() : [this.parameter(), this.parameter()],
          param: { id: ++this.id, steps: random.chance(0.75) ? [{ next: [] }] : steps(random, 0.3) },
        }),
      ],
      [1.5, () => this.parser()],
      [1, () => ({ kind: 'static', path: this.mount(), options: someOptions(random, STATIC_OPTIONS, 0.15) })],
      [1, () => ({ kind: 'use', path: this.mount(), handlers: [this.handler(0.4, true)] })],
      [0.1, () => ({ kind: 'query', options: {} })],
    ]);
    if (layer.path === undefined) delete layer.path;
    if (random.chance(0.1)) layer.nested = random.between(1, 2);
    return layer;
  }

  private parser(): Layer {
    const { random } = this;
    const method = random.pick(['json', 'urlencoded', 'text', 'raw']);
    const options = someOptions(random, PARSER_OPTIONS[method]!, 0.25);
    // Without it, a deprecation warning is emitted.
    if (method === 'urlencoded') options.extended ??= true;
    if (random.chance(0.25)) options.type = random.pick(PARSER_TYPES);
    if (random.chance(0.15)) options.verify = { $: 'function', text: 'verify' };
    return { kind: 'body', method, options };
  }

  private mount(): Layer['path'] {
    return this.random.chance(0.3) ? undefined : pathValue(this.random, true);
  }

  private parameter(): string {
    return this.random.pick(['id', 'id', 'x', 'x', 'y', 'a', 'b', 'p', '0']);
  }

  private handlers(sends: number): Handler[] {
    const count = this.random.weighted([
      [6, () => 1],
      [2, () => 2],
      [1, () => 3],
    ]);
    // The last one responds more often, because earlier responses would hide it.
    return Array.from({ length: count }, (_, index) => {
      const error = this.random.chance(0.06);
      return this.handler(index === count - 1 ? sends : sends * 0.2, error);
    });
  }

  private handler(sends: number, error = false): Handler {
    const handler: Handler = { id: ++this.id, steps: steps(this.random, sends) };
    if (error) handler.error = true;
    return handler;
  }
}

/** Returns the case of a seed. */
export function makeCase(seed: number): Case {
  return new CaseMaker(new Random(seed)).make();
}
