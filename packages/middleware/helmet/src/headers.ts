/** Creates each header from its options; throws for values that browsers do not understand. */

/** A header with its value; undefined removes it. */
export type Header = readonly [name: string, value: string | undefined];

export interface CrossOriginEmbedderPolicyOptions {
  /** @default 'require-corp' */
  policy?: 'require-corp' | 'credentialless' | 'unsafe-none';
}
export interface CrossOriginOpenerPolicyOptions {
  /** @default 'same-origin' */
  policy?: 'same-origin' | 'same-origin-allow-popups' | 'noopener-allow-popups' | 'unsafe-none';
}
export interface CrossOriginResourcePolicyOptions {
  /** @default 'same-origin' */
  policy?: 'same-origin' | 'same-site' | 'cross-origin';
}
type ReferrerPolicyToken =
  | 'no-referrer'
  | 'no-referrer-when-downgrade'
  | 'same-origin'
  | 'origin'
  | 'strict-origin'
  | 'origin-when-cross-origin'
  | 'strict-origin-when-cross-origin'
  | 'unsafe-url'
  | '';
export interface ReferrerPolicyOptions {
  /** @default 'no-referrer' */
  policy?: ReferrerPolicyToken | ReferrerPolicyToken[];
}
export interface StrictTransportSecurityOptions {
  /** In seconds. @default 31536000 */
  maxAge?: number;
  /** @default true */
  includeSubDomains?: boolean;
  /** @default false */
  preload?: boolean;
}
export interface XDnsPrefetchControlOptions {
  /** @default false */
  allow?: boolean;
}
export interface XFrameOptionsOptions {
  /** @default 'sameorigin' */
  action?: 'deny' | 'sameorigin';
}
export interface XPermittedCrossDomainPoliciesOptions {
  /** @default 'none' */
  permittedPolicies?: 'none' | 'master-only' | 'by-content-type' | 'all';
}

/** Returns a function that creates a header with one of the listed values. */
function choice<Key extends string>(
  name: string,
  key: Key,
  values: readonly string[],
  fallback: string,
  reject: (given: string) => string,
) {
  return (options: Readonly<Partial<Record<Key, unknown>>>): Header => {
    const given = options[key] === undefined ? fallback : options[key];
    if (!values.includes(given as string)) throw new Error(`${name} ${reject(JSON.stringify(given))}`);
    return [name, given as string];
  };
}

const unsupportedPolicy = (given: string) => `does not support the ${given} policy`;
export const embedderPolicyHeader = choice(
  'Cross-Origin-Embedder-Policy',
  'policy',
  ['require-corp', 'credentialless', 'unsafe-none'],
  'require-corp',
  unsupportedPolicy,
);
export const openerPolicyHeader = choice(
  'Cross-Origin-Opener-Policy',
  'policy',
  ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups', 'unsafe-none'],
  'same-origin',
  unsupportedPolicy,
);
export const resourcePolicyHeader = choice(
  'Cross-Origin-Resource-Policy',
  'policy',
  ['same-origin', 'same-site', 'cross-origin'],
  'same-origin',
  unsupportedPolicy,
);
export const permittedPoliciesHeader = choice(
  'X-Permitted-Cross-Domain-Policies',
  'permittedPolicies',
  ['none', 'master-only', 'by-content-type', 'all'],
  'none',
  given => `does not support ${given}`,
);

const REFERRER_TOKENS = new Set<unknown>([
  'no-referrer',
  'no-referrer-when-downgrade',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
  '',
]);

export function referrerPolicyHeader({ policy = 'no-referrer' }: Readonly<ReferrerPolicyOptions>): Header {
  if (typeof policy !== 'string' && !Array.isArray(policy))
    throw new TypeError(
      `Referrer-Policy: expected policy to be a string or an array of strings, got ${String(policy)}`,
    );
  const tokens = typeof policy === 'string' ? [policy] : policy;
  if (tokens.length === 0) throw new Error('Referrer-Policy received no policy tokens');
  tokens.forEach((token, index) => {
    if (!REFERRER_TOKENS.has(token))
      throw new Error(`Referrer-Policy received an unexpected policy token ${JSON.stringify(token)}`);
    if (tokens.indexOf(token) !== index)
      throw new Error(`Referrer-Policy received a duplicate policy token ${JSON.stringify(token)}`);
  });
  return ['Referrer-Policy', tokens.join(',')];
}

export function transportSecurityHeader(options: Readonly<StrictTransportSecurityOptions>): Header {
  const name = 'Strict-Transport-Security';
  if ('maxage' in options)
    throw new Error(`${name} received an unsupported property, \`maxage\`. Did you mean to pass \`maxAge\`?`);
  if ('includeSubdomains' in options)
    throw new Error(
      `${name} middleware should use \`includeSubDomains\` instead of \`includeSubdomains\`. (The correct one has an uppercase "D".)`,
    );
  const { maxAge = 31_536_000, includeSubDomains = true, preload } = options;
  if (!(typeof maxAge === 'number' && maxAge >= 0 && Number.isFinite(maxAge)))
    throw new Error(
      `${name}: ${JSON.stringify(maxAge)} is not a valid value for maxAge. Please choose a positive integer.`,
    );
  const parts = [`max-age=${Math.floor(maxAge)}`];
  if (includeSubDomains) parts.push('includeSubDomains');
  if (preload) parts.push('preload');
  return [name, parts.join('; ')];
}

export function prefetchHeader({ allow }: Readonly<XDnsPrefetchControlOptions>): Header {
  return ['X-DNS-Prefetch-Control', allow ? 'on' : 'off'];
}

export function frameHeader({ action = 'sameorigin' }: Readonly<XFrameOptionsOptions>): Header {
  const name = 'X-Frame-Options';
  const value = typeof action === 'string' ? action.toUpperCase() : undefined;
  if (value === 'SAME-ORIGIN') return [name, 'SAMEORIGIN'];
  if (value === 'DENY' || value === 'SAMEORIGIN') return [name, value];
  throw new Error(`${name} received an invalid action ${JSON.stringify(action)}`);
}

/** Headers that have no options. */
export const AGENT_CLUSTER: Header = ['Origin-Agent-Cluster', '?1'];
export const CONTENT_TYPE: Header = ['X-Content-Type-Options', 'nosniff'];
export const DOWNLOAD: Header = ['X-Download-Options', 'noopen'];
export const POWERED_BY: Header = ['X-Powered-By', undefined];
export const XSS: Header = ['X-XSS-Protection', '0'];
