/** Cookies of the middleware packages: read as the originals read them, and nothing is signed that a secret has not signed. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { assertSame, outcomeOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

/** Without types: those of several originals do not fit in one program. */
const load = createRequire(__filename);
type Middleware = (req: object, res: object, next: (error?: unknown) => void) => void;
type Factory = (...args: unknown[]) => Middleware;
type Cookies = Record<string, unknown>;

const { parse } = load('cookie') as { parse(header: string): Record<string, string | undefined> };
const cookieSignature = load('cookie-signature') as {
  sign(text: string, secret: string): string;
  unsign(text: string, secret: string): string | false;
};
const { findCookie, Keyed, unsign } = load('@ristretto/signed-cookies') as {
  findCookie(header: string, name: string): string | undefined;
  Keyed: new (secret: string) => { sign(text: string): string };
  unsign(text: string, keys: object[]): string | false;
};

const SECRET = 'keyboard cat';
const KEYS = [new Keyed('other'), new Keyed(SECRET)];

/** The results of both for a header. */
function pair(name: string, ours: string, ...args: unknown[]): [Middleware, Middleware] {
  return [(load(name) as Factory)(...args), (load(ours) as Factory)(...args)];
}

const parsers = pair('cookie-parser', '@ristretto/cookie-parser', [SECRET, 'other']);
const sessions = pair('cookie-session', '@ristretto/cookie-session', { keys: [SECRET] });
const stored = pair('express-session', '@ristretto/session', {
  secret: SECRET,
  resave: false,
  saveUninitialized: false,
  genid: () => 'new',
  store: Object.assign(new (load('events') as new () => object)(), { get: () => undefined }),
});

function requestWith(cookie: string): {
  headers: object;
  url: string;
  socket: object;
  [name: string]: unknown;
} {
  return { headers: { cookie }, url: '/', socket: {}, connection: {} };
}

export const target: Target = {
  seeds: [
    `a=${encodeURIComponent(`s:${cookieSignature.sign('tobi', SECRET)}`)}\ntobi`,
    'connect.sid=s%3Aa.b; j=j:{"a":1}\na.b',
    'session=eyJhIjoxfQ==; session.sig=x\nx',
    ' a = "b" ;__proto__=j:{}; c\n',
  ],
  dictionary: [...words('= s: s%3A j: . " % connect.sid session session.sig __proto__ {"a":1}'), '; '],
  run(text) {
    const [header = '', value = ''] = partsOf(text, 2);
    for (const name of ['a', 'connect.sid', 'session'])
      assertSame(findCookie(header, name), parse(header)[name]);
    assertSame(
      unsign(value, KEYS),
      cookieSignature.unsign(value, 'other') || cookieSignature.unsign(value, SECRET),
    );
    assertSame(KEYS[1]!.sign(value), cookieSignature.sign(value, SECRET));

    const [theirs, ours] = parsers.map(parser => {
      const req = requestWith(header);
      parser(req, {}, error => assert.equal(error, undefined));
      return { cookies: req.cookies as Cookies, signed: req.signedCookies as Cookies };
    });
    assertSame(ours, theirs);

    const [one, other] = sessions.map(session =>
      outcomeOf(() => {
        const req = requestWith(header);
        const res = { headersSent: false, getHeader: () => undefined, setHeader: () => undefined };
        session(req, res, () => undefined);
        return req.session;
      }),
    );
    assertSame(other, one);

    const ids = stored.map(session => {
      const req = requestWith(header);
      session(req, {}, () => undefined);
      return req.sessionID;
    });
    assertSame(ids[1], ids[0]);
  },
};
