// runs: slow
/** helmet is the reference: generated options give the same headers, warnings and errors. */
import theirs from 'helmet';
import ours from '@ristretto/helmet';
import { differentialTest } from '../../test-support/differential.js';
import type { Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

/** JSON, with objects that have the key `$` for values it cannot represent. */
type Value = unknown;

const NAMES =
  words(`contentSecurityPolicy crossOriginEmbedderPolicy crossOriginOpenerPolicy crossOriginResourcePolicy
  originAgentCluster referrerPolicy strictTransportSecurity xContentTypeOptions xDnsPrefetchControl
  xDownloadOptions xFrameOptions xPermittedCrossDomainPolicies xPoweredBy xXssProtection
  dnsPrefetchControl xssFilter permittedCrossDomainPolicies ieNoOpen noSniff frameguard hidePoweredBy
  hsts`);

const POLICIES = [
  ...['require-corp', 'credentialless', 'unsafe-none', 'same-origin', 'same-origin-allow-popups'],
  ...['noopener-allow-popups', 'same-site', 'cross-origin', 'no-referrer', 'strict-origin', 'unsafe-url'],
  ...['origin', '', 'Same-Origin', 'bad', null, 5],
];

const SOURCES = [
  ...["'self'", "'none'", 'https:', 'example.com', "'nonce-abc'", '*.example.com:8080', 'a b', '', ' '],
  ...['self', 'none', 'nonce-x', 'sha256-x', 'sha512-', 'strict-dynamic', 'unsafe-inline', 'unsafe-hashes'],
  ...['wasm-unsafe-eval', 'report-sample', 'inline-speculation-rules', 'SELF', 'a;b', 'a,b', 'é', 5, true],
];

const DIRECTIVES = [
  ...['defaultSrc', 'default-src', 'scriptSrc', 'script-src', 'styleSrc', 'imgSrc', 'objectSrc', 'sandbox'],
  ...['upgradeInsecureRequests', 'x', 'a1', 'aB-c', 'Script', 'a b', '-a', 'a-', 'constructor', ''],
];

function source(random: Random): Value {
  return random.chance(0.15)
    ? { $: random.pick(['value', 'value', 'throw']), text: random.pick(SOURCES.slice(0, -3)) }
    : random.pick(random.chance(0.7) ? SOURCES.slice(0, 6) : SOURCES);
}

function directives(random: Random): Record<string, Value> {
  const some = random.many(0, 4, () => {
    const name = random.pick(random.chance(0.8) ? DIRECTIVES.slice(0, 9) : DIRECTIVES);
    const value = random.weighted<Value>([
      [10, () => random.many(0, 3, () => source(random))],
      [2, () => random.pick(SOURCES.filter(each => typeof each === 'string'))],
      [1, () => null],
      [1, () => ({ $: 'disabled' })],
      [0.3, () => ({ $: 'undefined' })],
      [0.3, () => false],
    ]);
    return [name, value] as const;
  });
  return Object.fromEntries(some);
}

function policy(random: Random): Value {
  const result: Record<string, Value> = {};
  if (random.chance(0.9)) result.directives = random.chance(0.95) ? directives(random) : null;
  if (random.chance(0.4)) result.useDefaults = random.pick([true, false, false, 0, 1, null]);
  if (random.chance(0.3)) result.reportOnly = random.pick([true, false, 1]);
  return result;
}

function headerOptions(random: Random, name: string): Value {
  if (name === 'contentSecurityPolicy') return policy(random);
  const result: Record<string, Value> = {};
  if (/crossOrigin|referrer/.test(name) && random.chance(0.9)) {
    const isList = name === 'referrerPolicy' && random.chance(0.5);
    result.policy = isList
      ? random.many(0, 3, () => random.pick(POLICIES.slice(3)))
      : random.pick(POLICIES.slice(0, -2));
  }
  if (/hsts|strict/.test(name)) {
    if (random.chance(0.7)) result.maxAge = random.pick([0, 1, 1.5, 31536000, 1e12, -1, '5', null]);
    if (random.chance(0.5)) result.includeSubDomains = random.pick([true, false, 0, null]);
    if (random.chance(0.5)) result.preload = random.pick([true, false, 1]);
    if (random.chance(0.05)) result.maxage = 5;
    if (random.chance(0.05)) result.includeSubdomains = true;
  }
  if (/dns/i.test(name) && random.chance(0.9)) result.allow = random.pick([true, false, 1, 0, null, 'x']);
  if (/frame/i.test(name) && random.chance(0.9))
    result.action = random.pick([...words('deny DENY sameorigin same-origin SAME-origin allow-from'), 5]);
  if (/permitted/i.test(name) && random.chance(0.9))
    result.permittedPolicies = random.pick([
      ...['none', 'master-only', 'by-content-type', 'all', 'None', '', null],
    ]);
  return result;
}

function option(random: Random, name: string): Value {
  return random.weighted<Value>([
    [6, () => headerOptions(random, name)],
    [2, () => true],
    [3, () => false],
    [0.3, () => ({ $: 'undefined' })],
    [0.2, () => 5],
  ]);
}

/** Returns the value that an object with the key `$` represents. */
function revive(value: Value): Value {
  if (Array.isArray(value)) return value.map(revive);
  if (value === null || typeof value !== 'object') return value;
  const { $, text } = value as { $?: string; text?: string };
  if ($ === 'undefined') return undefined;
  if ($ === 'disabled') return Symbol.for('disabled');
  if ($ === 'value') return () => text;
  if ($ === 'throw')
    return () => {
      throw new Error(`from a function: ${text}`);
    };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each)]));
}

interface Options {
  /** The function to call: `helmet` or one of its members. */
  member: string;
  options: Value;
}

differentialTest<typeof theirs, Options>({
  name: 'helmet',
  original: theirs,
  ours: ours as unknown as typeof theirs,
  generate(random) {
    const member = random.chance(0.7) ? 'default' : random.pick(NAMES);
    const options =
      member === 'default'
        ? Object.fromEntries(
            random.many(0, 6, () => {
              const name = random.pick(NAMES);
              return [name, option(random, name)];
            }),
          )
        : headerOptions(random, member);
    return { options: { member, options }, requests: [{ method: 'GET', target: '/', headers: [] }] };
  },
  build(middleware, { member, options }, trace) {
    const make = (middleware as unknown as Record<string, (options: unknown) => never>)[member]!;
    const disabled = Symbol.for('disabled');
    const revived = JSON.stringify(options) === '{}' ? undefined : revive(options);
    const replaced = JSON.stringify(options).includes('disabled')
      ? withDisabled(revived, disabled, middleware.contentSecurityPolicy.dangerouslyDisableDefaultSrc)
      : revived;
    return [
      (_req, res, next) => {
        res.setHeader('X-Powered-By', 'test');
        res.setHeader('X-Frame-Options', 'DENY');
        next();
      },
      make(replaced),
      (_req, res) => {
        trace.push(res.getHeaderNames().join());
        res.end('ok');
      },
    ];
  },
  // Both reject values whose types the documentation does not allow; only ours names the option.
  normalize: observed => ({
    ...observed,
    state: observed.state.replace(/^thrown TypeError.*/s, 'thrown TypeError'),
  }),
});

/** Replaces our symbol with that of a package. */
function withDisabled(value: Value, ours: symbol, theirs: symbol): Value {
  if (value === ours) return theirs;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withDisabled(each, ours, theirs)]),
  );
}
