/** body-parser is the reference: generated options and bodies give the same values, errors and responses. */
import { differentialTest } from './differential.js';
import type { Ask, Handler, Random } from './differential.js';

type Value = unknown;
type Create = (options?: object) => Handler;

export interface Parsers {
  json: Create;
  raw: Create;
  text: Create;
  urlencoded: Create;
}

const NAMES = ['json', 'raw', 'text', 'urlencoded'] as const;
type Name = (typeof NAMES)[number];

interface Options {
  parsers: { name: Name; options: Record<string, Value> | null }[];
  /** Whether an earlier handler has set `req.body`. */
  isSet: boolean;
}

const TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'application/json; charset=UTF-16'],
  ...['application/json; charset=iso-8859-1', 'application/vnd.api+json'],
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'application/x-www-form-urlencoded; charset="utf-8"',
  ...['text/plain', 'text/plain; charset=utf-16le', 'text/plain; charset=unknown'],
  ...['application/octet-stream', 'image/png', 'bad type', 'text/plain; x'],
];

const BODIES = [
  ...['', '{}', '[1,2]', '{"a":1,"__proto__":{"b":2}}', ' \n{"a":"\\u00e9"}', '{"a":', 'null', '"text"'],
  ...['12', 'x', '   ', 'a=1&b=2', 'a[b]=1&a[c][]=2&a[c][]=3', 'a=%E9&b=%C3%A9&utf8=%E2%9C%93'],
  ...['utf8=%26%2310003%3B&a=%E9&b=%26%239786%3B', 'a[b][c][d][e][f]=1', 'a=1&a=2&a=3&a=4&a=5', '&&a&=b&%'],
  'é',
  'x'.repeat(200),
];

function parserOptions(random: Random, name: Name): Record<string, Value> {
  const result: Record<string, Value> = {};
  const maybe = (share: number, key: string, values: Value[]) => {
    if (random.chance(share)) result[key] = random.pick(values);
  };
  maybe(0.3, 'limit', [10, 100, '1kb', 0, '10', null, 'x', true]);
  maybe(0.2, 'inflate', [true, false]);
  maybe(0.4, 'type', [
    '*/*',
    'json',
    'text/*',
    '+json',
    ['json', 'urlencoded'],
    { $: 'always' },
    { $: 'never' },
    '',
    'js',
  ]);
  maybe(0.2, 'verify', [{ $: 'passes' }, { $: 'throws' }, { $: 'status' }, 5, false]);
  if (name === 'json') {
    maybe(0.4, 'strict', [true, false]);
    maybe(0.2, 'reviver', [{ $: 'reviver' }]);
  }
  if (name === 'text') maybe(0.3, 'defaultCharset', ['utf-8', 'iso-8859-1', 'utf-16le', 'unknown']);
  if (name === 'urlencoded') {
    result.extended = random.pick([true, false]);
    maybe(0.3, 'parameterLimit', [1, 2, 1000, 0, 'x', Infinity, 2.5]);
    maybe(0.3, 'depth', [0, 1, 3, -1, 'x', 1.5, false]);
    maybe(0.3, 'defaultCharset', ['utf-8', 'iso-8859-1', 'x']);
    maybe(0.3, 'charsetSentinel', [true, false, 1]);
    maybe(0.3, 'interpretNumericEntities', [true, false]);
  }
  return result;
}

function request(random: Random): Ask {
  const method = random.pick(['POST', 'POST', 'PUT', 'GET', 'DELETE']);
  const headers: [string, string][] = [];
  if (random.chance(0.95)) headers.push(['Content-Type', random.pick(TYPES)]);
  if (random.chance(0.1)) return { method, target: '/', headers };
  const body = Buffer.from(random.pick(BODIES)).toString('latin1');
  if (random.chance(0.05)) headers.push(['Content-Encoding', random.pick(['identity', 'unknown', 'gzip'])]);
  return {
    method,
    target: '/',
    headers,
    body,
    ...(headers.length < 2 && random.chance(0.2)
      ? { coding: random.pick(['gzip', 'deflate'] as const) }
      : {}),
    ...(random.chance(0.3) ? { chunked: true } : {}),
  };
}

/** Returns the value that an object with the key `$` represents. */
function revive(given: Value, trace: string[]): Value {
  const { $ } = Object(given) as { $?: string };
  const makers: Record<string, Value> = {
    always: () => true,
    never: () => false,
    passes: (_req: unknown, _res: unknown, bytes: Buffer, charset: unknown) =>
      void trace.push(`verify ${bytes.length} ${String(charset)}`),
    throws: () => {
      throw new Error('of verify');
    },
    status: () => {
      throw Object.assign(new Error('of verify'), { status: 418, type: 'own' });
    },
    reviver: (key: string, value: Value) => (key === 'a' ? 'revived' : value),
  };
  return $ === undefined ? given : makers[$];
}

/** Registers the differential test of a version of body-parser. */
export function bodyTest(name: string, original: Parsers, ours: Parsers): void {
  differentialTest<Parsers, Options>({
    name,
    original,
    ours,
    generate: random => ({
      options: {
        parsers: random.many(1, 2, () => {
          const parser = random.pick(NAMES);
          return {
            name: parser,
            options: random.chance(0.1) && parser !== 'urlencoded' ? null : parserOptions(random, parser),
          };
        }),
        isSet: random.chance(0.1),
      },
      requests: random.many(1, 4, () => request(random)),
    }),
    build(used, { parsers, isSet }, trace) {
      return [
        (req, _res, next) => {
          if (isSet) Object.assign(req, { body: { set: true } });
          next();
        },
        ...parsers.map(({ name: parser, options }) => {
          const revived =
            options &&
            Object.fromEntries(Object.entries(options).map(([key, value]) => [key, revive(value, trace)]));
          return used[parser](revived ?? undefined);
        }),
        (req, res) => {
          const { body, _body } = req as unknown as { body: unknown; _body?: unknown };
          trace.push(
            `${Object.prototype.toString.call(body)} ${JSON.stringify(body)} ${String(_body)} ${'body' in req}`,
          );
          res.end('ok');
        },
      ];
    },
  });
}
