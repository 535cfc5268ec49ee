/** Generates the response of a handler. */
import type { Step, Value } from './description.js';
import { FILE_NAMES } from '../../packages/engine/test/support/files.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';
import { callsOf, someOptions, STATUSES, TYPES, URLS } from './values.js';

const BODIES: Value[] = [
  ...['', 'text', 'é ü 漢', '<p>html</p>'],
  { a: 1, b: ['x', null], '<': '&>\u2028' },
  [],
  [1, { a: 'b' }],
  ...[true, false, null, 404, 204],
  { $: 'undefined' },
  { $: 'buffer', text: 'bytes\u00ff' },
  { $: 'buffer', text: '' },
  { $: 'set', text: 'abc' },
  { $: 'bigint', text: '5' },
  { $: 'circular' },
  { $: 'date', text: '2024-01-02T03:04:05Z' },
  { $: 'json', value: { made: 1 } },
  { skip: 1, a: { $: 'undefined' }, toString: 'x' },
  'x'.repeat(2000),
];

const VIEWS: Value[] = [
  ...words('one one.tpl dir missing two.other broken'),
  { $: 'root', text: '/views/one.tpl' },
];

const FILE_OPTIONS: Record<string, Value[]> = {
  maxAge: [0, 5000, '1d', '2 hours', 'x', 1e15, { $: 'NaN' }],
  root: [{ $: 'root' }, { $: 'root', text: '/sub' }],
  lastModified: [true, false],
  headers: [{ 'X-H': 'h', 'Content-Type': 'text/x-own' }, {}],
  dotfiles: ['allow', 'deny', 'ignore', 'bad'],
  acceptRanges: [true, false],
  cacheControl: [true, false],
  immutable: [true, false],
  etag: [true, false],
  extensions: [['html', 'htm'], 'html', false],
  index: ['index.html', false, ['x.html', 'index.html']],
  start: [0, 2],
  end: [3, 200],
};

function file(random: Random): Step {
  const name = random.pick(FILE_NAMES);
  const rooted = random.chance(0.5);
  const options = someOptions(random, FILE_OPTIONS, 0.2);
  if (rooted) options.root = { $: 'root' };
  const args: Value[] = [
    rooted ? name : random.chance(0.95) ? { $: 'root', text: `/${name}` } : random.pick<Value>([name, '', 5]),
  ];
  const method = random.pick(['sendFile', 'sendFile', 'download', 'sendfile']);
  if (method === 'download' && random.chance(0.5))
    args.push(random.pick<Value>(['named.txt', 'é.html', null]));
  if (Object.keys(options).length > 0 || random.chance(0.3)) args.push(options);
  if (random.chance(0.4))
    args.push({
      $: 'do',
      onError: true,
      steps: [
        random.pick([
          { res: 'send', args: ['no file'] },
          { next: [{ $: 'error', text: 'after file', status: 500 }] },
        ]) as unknown as Value,
      ],
    });
  return { res: method, args };
}

/** Returns a step that sends the response. */
export function answer(random: Random): Step {
  const reply = (text: string): Value => ({
    $: 'do',
    steps: [{ res: random.pick(['send', 'json']), args: [text] }] as unknown as Value,
  });
  const res = callsOf(random, 'res');
  return random.weighted<Step>([
    res(8, 'send', () => [random.pick(BODIES)]),
    res(0.4, ['send', 'json', 'jsonp'], () => [random.pick<Value>([200, 404]), random.pick(BODIES)]),
    res(5, 'json', () => [random.pick(BODIES)]),
    res(3, 'jsonp', () => [random.pick(BODIES)]),
    res(2, 'sendStatus', () => [random.pick(STATUSES)]),
    res(3, 'redirect', () => [
      ...(random.chance(0.4) ? [random.pick<Value>([301, 303, 307, 308, 200])] : []),
      random.pick(URLS),
    ]),
    res(0.2, 'redirect', () => ['/a', 301]),
    res(2, 'format', () => {
      const types = random.many(0, 4, () => random.pick(TYPES));
      if (random.chance(0.4)) types.push('default');
      return [Object.fromEntries(types.map(type => [type, reply(type)]))];
    }),
    [6, () => file(random)],
    res(2, 'render', () => [
      random.pick(VIEWS),
      ...(random.chance(0.6) ? [{ name: 'n', ...(random.chance(0.3) ? { cache: true } : {}) }] : []),
      ...(random.chance(0.2) ? [reply('rendered')] : []),
    ]),
    res(2, 'end', () =>
      random.many<Value>(0, 1, () => random.pick<Value>(['end', 'é', { $: 'buffer', text: 'raw' }])),
    ),
  ]);
}

/** Returns a step whose response is sent before the call returns, so that later steps do not race with it. */
export function atOnce(random: Random): Step {
  return { res: random.pick(['send', 'json', 'jsonp']), args: [random.pick(BODIES)] };
}
