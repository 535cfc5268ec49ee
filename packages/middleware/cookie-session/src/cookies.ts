/**
 * Reads and writes a cookie with its signature in a second one, `<name>.sig`, in the format of the packages cookies and
 * keygrip: the HMAC-SHA1 of `<name>=<value>` in URL-safe base64 without padding.
 */
import { OutgoingMessage } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import depd = require('depd');
import { Keyed } from '@ristretto/signed-cookies';
import type { Secret } from '@ristretto/signed-cookies';

const deprecate = depd('cookies');

/** An object that signs: a Keygrip, or the result of `keysOf`. */
export interface Keys {
  sign(data: string): string;
  /** Returns the index of the key that has signed, or -1. */
  index(data: string, signature: string): number;
}

export interface CookieOptions {
  name?: string;
  signed?: boolean;
  maxAge?: number | null;
  expires?: Date;
  path?: string;
  domain?: string;
  priority?: string;
  sameSite?: boolean | string;
  secure?: boolean;
  secureProxy?: boolean;
  httpOnly?: boolean;
  overwrite?: boolean;
  partitioned?: boolean;
}

/** `protocol` is set by the application, which may trust a proxy. */
type Request = IncomingMessage & { protocol?: string };

/**
 * Returns keys that follow changes of the list, so that an application can replace them while it runs.
 * @throws TypeError for a secret that is not a string, bytes or a key
 */
export function keysOf(secrets: readonly Secret[]): Keys {
  const known = new Map(secrets.map(secret => [secret, new Keyed(secret, 'sha1')]));
  const keyed = (secret: Secret): Keyed => {
    let key = known.get(secret);
    if (key === undefined) {
      // Forgets keys that the application has replaced.
      if (known.size > secrets.length) known.clear();
      known.set(secret, (key = new Keyed(secret, 'sha1')));
    }
    return key;
  };
  return {
    sign: data => keyed(secrets[0]!).digest(data, 'base64url'),
    index: (data, signature) =>
      secrets.findIndex(secret => keyed(secret).verify(data, signature, 'base64url')),
  };
}

/** Characters of a header (RFC 9110, section 5.5). */

const TEXT = /^[\t\x20-\x7e\x80-\xff]+$/;
const PRIORITY = /^(?:low|medium|high)$/i;
const SAME_SITE = /^(?:lax|none|strict)$/i;

/** The cookie of one name in the requests and responses of a middleware. */
export class SignedCookie {
  private readonly value: RegExp;
  private readonly signature: RegExp;

  /** @throws TypeError for a name that no cookie can have */
  constructor(readonly name: string) {
    if (typeof name !== 'string' || !TEXT.test(name) || /[=;]/.test(name)) {
      throw new TypeError(
        `Expected a name for the session cookie without '=' and ';', got ${JSON.stringify(name)}`,
      );
    }
    this.value = patternOf(name);
    this.signature = patternOf(`${name}.sig`);
  }

  /**
   * Returns the value if its signature is valid. Renews a signature made with an older key, and deletes one made with none
   * of the keys.
   */
  get(
    req: Request,
    res: ServerResponse,
    keys: Keys | undefined,
    { signed = keys !== undefined }: CookieOptions,
  ): string | undefined {
    const header = req.headers.cookie;
    if (!header) return undefined;
    const value = find(header, this.value);
    if (value === undefined || !signed) return value;
    const signature = find(header, this.signature);
    if (!signature) return undefined;
    if (keys === undefined) throw new Error('.keys required for signed cookies');
    const data = `${this.name}=${value}`;
    const index = keys.index(data, signature);
    // A session may be read when it is too late to set headers, and a forged signature must not make that fail.
    if (index !== 0 && !res.headersSent) {
      const text = index < 0 ? '' : keys.sign(data);
      push(res, [headerOf(`${this.name}.sig`, text, {}, isEncrypted(req))]);
    }
    return index < 0 ? undefined : value;
  }

  /**
   * Sets the cookie and its signature; deletes them if the value is empty.
   * @throws TypeError for invalid attributes; Error for a `secure` cookie on an insecure connection
   */
  set(
    req: Request,
    res: ServerResponse,
    keys: Keys | undefined,
    value: string,
    options: CookieOptions,
  ): void {
    if (value && (!TEXT.test(value) || value.includes(';'))) throw new TypeError('argument value is invalid');
    const { signed = keys !== undefined, overwrite = false } = options;
    const isSecure = isEncrypted(req);
    const name = String('name' in options ? options.name : this.name);
    const headers = [headerOf(name, value, options, isSecure)];
    if (!isSecure && options.secure) throw new Error('Cannot send secure cookie over unencrypted connection');
    if (signed) {
      if (keys === undefined) throw new Error('.keys required for signed cookies');
      const deleted = value === '' ? { expires: new Date(0), maxAge: null } : undefined;
      headers.push(
        headerOf(`${name}.sig`, keys.sign(`${name}=${value}`), withChanges(options, deleted), isSecure),
      );
    }
    push(res, headers, overwrite ? [`${name}=`, ...(signed ? [`${name}.sig=`] : [])] : []);
  }
}

function withChanges(options: CookieOptions, changes: CookieOptions | undefined): CookieOptions {
  // The options inherit from those of the middleware.
  return changes === undefined ? options : Object.assign(Object.create(options) as CookieOptions, changes);
}

function patternOf(name: string): RegExp {
  return new RegExp(`(?:^|;) *${name.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&')}=([^;]*)`);
}

function find(header: string, pattern: RegExp): string | undefined {
  const value = pattern.exec(header)?.[1];
  return value?.startsWith('"') ? value.slice(1, -1) : value;
}

function isEncrypted(req: Request): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- of requests that are not Node's, as in cookies
  const socket = (req.socket ?? req.connection) as { encrypted?: boolean };
  return req.protocol === 'https' || Boolean(socket.encrypted);
}

/** Returns the name of an option with which no session could be saved. */
export function wrongOption({ maxAge, priority, sameSite }: CookieOptions): keyof CookieOptions | undefined {
  if (typeof maxAge === 'number' ? !Number.isFinite(maxAge) : maxAge) return 'maxAge';
  if (priority && !PRIORITY.test(priority)) return 'priority';
  if (sameSite && sameSite !== true && !SAME_SITE.test(sameSite)) return 'sameSite';
  return undefined;
}

/** Returns the value of a Set-Cookie header. */
function headerOf(name: string, value: string, options: CookieOptions, isSecure: boolean): string {
  const {
    path,
    domain,
    priority,
    sameSite = false,
    httpOnly = true,
    partitioned = false,
  } = withDefaults(options);
  const isDeleted = value === '';
  const maxAge = isDeleted ? null : options.maxAge;
  const expires = isDeleted ? new Date(0) : maxAge ? new Date(Date.now() + maxAge) : options.expires;
  if (path && !TEXT.test(path)) throw new TypeError('option path is invalid');
  if (domain && !TEXT.test(domain)) throw new TypeError('option domain is invalid');
  const wrong = wrongOption({ maxAge, priority, sameSite });
  if (wrong !== undefined) throw new TypeError(`option ${wrong} is invalid`);
  let secure = options.secure ?? (options.secure === undefined && isSecure);
  if ('secureProxy' in options) {
    deprecate('"secureProxy" option; use "secure" option, provide "secure" to constructor if needed');
    secure = Boolean(options.secureProxy);
  }
  let header = `${name}=${value}`;
  if (path) header += `; path=${path}`;
  if (expires) header += `; expires=${expires.toUTCString()}`;
  if (domain) header += `; domain=${domain}`;
  if (priority) header += `; priority=${priority.toLowerCase()}`;
  if (sameSite) header += `; samesite=${sameSite === true ? 'strict' : sameSite.toLowerCase()}`;
  if (secure) header += '; secure';
  if (httpOnly) header += '; httponly';
  if (partitioned) header += '; partitioned';
  return header;
}

/** `path: undefined` means a cookie without a path, unlike a missing option. */
function withDefaults(options: CookieOptions): CookieOptions {
  return 'path' in options ? options : withChanges(options, { path: '/' });
}

/** Adds Set-Cookie headers; replaces those that begin with a text of `replaced`. */
function push(res: ServerResponse, headers: string[], replaced: string[] = []): void {
  const before = [(res.getHeader('Set-Cookie') ?? []) as string | string[]].flat();
  const kept =
    replaced.length === 0 ? before : before.filter(each => !replaced.some(start => each.startsWith(start)));
  // Express 3 replaces `setHeader` by a function that adds to the cookies that have been set.
  const isFramework = before.length > 0 && typeof (res as { set?: unknown }).set === 'function';
  const setHeader = isFramework ? OutgoingMessage.prototype.setHeader : res.setHeader;
  setHeader.call(res, 'Set-Cookie', [...kept, ...headers]);
}
