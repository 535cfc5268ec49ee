/** The cookie of a session: the attributes of Set-Cookie, and the expiry of the session. */
import { types } from 'node:util';
import depd = require('depd');

const deprecate = depd('express-session');

/** Writes a cookie as the package `cookie` 0.7 does, with its errors; the package has no types. */
export const serialize = (require('cookie') as { serialize: Serialize }).serialize;
type Serialize = (name: string, value: string, attributes: object) => string;

type Expires = Date | null | undefined;

/** The attributes as a store keeps them. */
export interface CookieData {
  originalMaxAge: number | null;
  partitioned: boolean | undefined;
  priority: 'low' | 'medium' | 'high' | undefined;
  expires: Expires;
  secure: boolean | 'auto' | undefined;
  httpOnly: boolean | undefined;
  domain: string | undefined;
  path: string | undefined;
  sameSite: boolean | 'lax' | 'strict' | 'none' | 'auto' | undefined;
}

export class Cookie {
  path: string | undefined = '/';
  _expires: Expires = null;
  originalMaxAge: number | null = null;
  httpOnly: boolean | undefined = true;
  declare domain: string | undefined;
  declare secure: CookieData['secure'];
  declare sameSite: CookieData['sameSite'];
  declare partitioned: boolean | undefined;
  declare priority: CookieData['priority'];

  /**
   * @throws TypeError for options that are not an object, or a `maxAge` that is not a number
   */
  constructor(options?: Partial<CookieData>) {
    if (options) {
      if (typeof options !== 'object') throw new TypeError('argument options must be a object');
      const from = options as Record<string, unknown>;
      const to = this as unknown as Record<string, unknown>;
      // Copies inherited members too: a store may pass a cookie that it has received.
      for (const name in from) if (name !== 'data') to[name] = from[name];
    }
    this.originalMaxAge ??= this.maxAge as number | null;
  }

  /** When the session expires; null or false if the client should discard it when it closes. */
  get expires(): Expires {
    return this._expires;
  }

  set expires(date: Expires) {
    this._expires = date;
    this.originalMaxAge = this.maxAge as number | null;
  }

  /** The milliseconds until the session expires. */
  get maxAge(): number | null | undefined {
    const { _expires } = this;
    return types.isDate(_expires) ? _expires.valueOf() - Date.now() : _expires;
  }

  set maxAge(given: number | Date | null | undefined) {
    const milliseconds: unknown = given;
    if (milliseconds && typeof milliseconds !== 'number' && !types.isDate(milliseconds)) {
      throw new TypeError('maxAge must be a number or Date');
    }
    if (types.isDate(milliseconds)) deprecate('maxAge as Date; pass number of milliseconds instead');
    this.expires =
      typeof milliseconds === 'number' ? new Date(Date.now() + milliseconds) : (given as Expires);
  }

  /** The attributes. */
  get data(): CookieData {
    return {
      originalMaxAge: this.originalMaxAge,
      partitioned: this.partitioned,
      priority: this.priority,
      expires: this._expires,
      secure: this.secure,
      httpOnly: this.httpOnly,
      domain: this.domain,
      path: this.path,
      sameSite: this.sameSite,
    };
  }

  /** Returns the value of a Set-Cookie header. */
  serialize(name: string, value: string): string {
    return serialize(name, value, this.data);
  }

  toJSON(): CookieData {
    return this.data;
  }
}

// Enumerable as in express-session: `for … in` over a cookie lists these, so the constructor copies them.
for (const name of ['expires', 'maxAge', 'data', 'serialize', 'toJSON']) {
  Object.defineProperty(Cookie.prototype, name, { enumerable: true });
}
