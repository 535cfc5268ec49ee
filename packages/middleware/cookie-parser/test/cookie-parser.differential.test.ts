// runs: slow
/** cookie-parser is the reference: generated secrets, options and headers give the same cookies. */
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import ours from '@ristretto/cookie-parser';
import { differentialTest } from '../../test-support/differential.js';
import type { Handler, Random } from '../../test-support/differential.js';

const theirs = createRequire(__filename)('cookie-parser') as typeof ours;

type Value = unknown;
type Request = Parameters<Handler>[0] & Record<string, Value>;

interface Options {
  secret?: Value;
  decode?: string;
  steps?: string[];
}

const SECRETS = ['keyboard cat', 'older', ''];

function signed(text: string, secret: string): string {
  return `s:${text}.${createHmac('sha256', secret).update(text).digest('base64').replace(/=+$/, '')}`;
}

const NAMES = ['a', 'b', 'a b', '__proto__', 'constructor', 'toString', 'a[0]', '', 'é', '$Path', 'a.b'];

const TEXTS = [
  ...['', 'tobi', 'a b', '"quoted"', '"', '%41', '%zz', '%', 'j:', 'j:{"a":1}', 'j:[1,2]', 'j:0', 'j:null'],
  ...['j:{"__proto__":{"x":1}}', 'j:{', 'j:"text"', 's:', 's:.', 's:a', 's:a.b', 'é', '=', 'a=b'],
];

function cookie(random: Random): string {
  const text = random.pick(TEXTS);
  const value = random.weighted([
    [3, () => text],
    [3, () => encodeURIComponent(text)],
    [4, () => encodeURIComponent(signed(text, random.pick(SECRETS)))],
    [1, () => signed(text, random.pick(SECRETS))],
    [1, () => encodeURIComponent(signed(text, random.pick(SECRETS)).slice(0, -1))],
    [1, () => encodeURIComponent(`${signed(text, random.pick(SECRETS))}=`)],
  ]);
  return `${random.pick(['', '', ' '])}${random.pick(NAMES)}${random.pick(['=', '=', '=', ' = ', ''])}${value}`;
}

const STEPS = [
  ...['cookies', 'signed', 'keys', 'write', 'write signed', 'change', 'delete', 'header', 'again', 'secret'],
];

const decoders: Record<string, (text: string) => string> = {
  upper: text => text.toUpperCase(),
  throws: () => {
    throw new Error('no');
  },
};

differentialTest<typeof ours, Options>({
  name: 'cookie-parser',
  original: theirs,
  ours,
  generate(random) {
    const options: Options = { steps: random.many(1, 6, () => random.pick(STEPS)) };
    if (random.chance(0.8)) {
      options.secret = random.pick<Value>([
        'keyboard cat',
        'older',
        ['keyboard cat', 'older'],
        ['older'],
        [],
        '',
        null,
      ]);
    }
    if (random.chance(0.15)) options.decode = random.pick(Object.keys(decoders));
    const requests = random.many(1, 3, () => {
      const header = random.many(0, 5, () => cookie(random)).join(random.pick(['; ', ';', ', ', ';;']));
      const text = Buffer.from(header).toString('latin1').trim();
      return { method: 'GET', target: '/', headers: text ? [['Cookie', text] as [string, string]] : [] };
    });
    return { options, requests };
  },
  build(middleware, { secret, decode, steps = [] }, trace) {
    const options = decode === undefined ? undefined : { decode: decoders[decode]! };
    const handler = middleware(secret as string, options) as unknown as Handler;
    return [
      handler,
      (incoming, res) => {
        const req = incoming as Request;
        for (const step of steps) trace.push(`${step}: ${perform(step, req, res, handler)}`);
        res.end('ok');
      },
    ];
  },
});

/** JSON with prototypes. */
function shown(value: Value): string {
  const prototype = Object.getPrototypeOf(Object(value)) as object | null;
  const kind = prototype === null ? 'null' : prototype === Object.prototype ? 'object' : 'other';
  return `${kind} ${JSON.stringify(value)} ${Object.keys(Object(value) as object).join()}`;
}

function perform(step: string, req: Request, res: Parameters<Handler>[1], handler: Handler): string {
  switch (step) {
    case 'cookies':
      return shown(req.cookies);
    case 'signed':
      return shown(req.signedCookies);
    case 'keys':
      return Object.keys(req)
        .filter(key => /ookies|secret/.test(key))
        .join();
    case 'write':
      req.cookies = { written: 1 };
      return shown(Object.getOwnPropertyDescriptor(req, 'cookies'));
    case 'write signed':
      req.signedCookies = undefined;
      return shown(Object.getOwnPropertyDescriptor(req, 'signedCookies'));
    case 'change':
      Object.assign(req.cookies as object, { changed: 1 });
      return shown(req.cookies);
    case 'delete':
      delete req.cookies;
      return `${'cookies' in req} ${shown(req.signedCookies)}`;
    case 'header':
      req.headers.cookie = 'other=1';
      return '';
    case 'again':
      handler(req, res, () => undefined);
      return `${shown(req.cookies)} ${shown(req.signedCookies)}`;
    default:
      return String(req.secret);
  }
}
