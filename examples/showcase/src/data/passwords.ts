/** Stored passwords: hashed with scrypt, each with its own salt and the cost it was hashed with. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { makeQueue } from '../queue.js';

/** The parameters that OWASP recommends: 32 MiB of memory and about a fifth of a second for each guess. */
const COST = { N: 2 ** 15, r: 8, p: 3 };

const inTurn = makeQueue(2, 50);

const derive = (password: string, salt: Buffer, { N, r, p } = COST) =>
  inTurn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );

/** Returns the hash that is stored instead of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$');
}

// Unknown names take as long as known ones, so that response times do not reveal which names exist.
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

/** Stored instead of a hash for accounts that nobody can log in to. */
export const LOCKED = '!';

export async function isPassword(password: string, given = NOBODY): Promise<boolean> {
  const stored = given === LOCKED ? NOBODY : given;
  const [, N, r, p, salt = '', key = ''] = stored.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(derived, Buffer.from(key, 'base64')) && stored !== NOBODY;
}
