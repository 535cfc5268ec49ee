/** User accounts. */
import { randomInt } from 'node:crypto';
import type { Database } from './database.js';
import { hashPassword, isPassword, LOCKED } from './passwords.js';

export interface User {
  id: number;
  name: string;
  /** Guests have no password, and are removed after a day. */
  role: 'guest' | 'member' | 'admin';
}

/** A user with the generation of the password: sessions of an older generation have ended. */
export interface Account extends User {
  generation: number;
}

const MOODS = ['Quiet', 'Early', 'Bright', 'Gentle', 'Swift', 'Merry', 'Curious', 'Bold'];
const BIRDS = ['Heron', 'Wren', 'Robin', 'Swallow', 'Curlew', 'Finch', 'Plover', 'Tern'];
const pick = (words: string[]) => words[randomInt(words.length)]!;

export const ADMINISTRATOR = 'admin';

export type Users = ReturnType<typeof makeUsers>;

export function makeUsers({ sql }: Database) {
  return {
    /** Returns the user of a session, unless the password has been changed since. */
    async find(id: number, generation: number): Promise<User | undefined> {
      return (
        await sql<User>`select id, name, role from users where id = ${id} and generation = ${generation}`
      )[0];
    },

    /** Returns undefined if the name is taken, in any letter case, or reserved. */
    async add(name: string, password: string, role: User['role'] = 'member'): Promise<Account | undefined> {
      // On the very first start, the board is open a moment before its administrator exists.
      if (role === 'member' && name.toLowerCase() === ADMINISTRATOR) return undefined;
      const hash = await hashPassword(password);
      const added = await sql<Account>`
        insert into users (name, password, role) values (${name}, ${hash}, ${role})
        on conflict do nothing returning id, name, role, generation`;
      return added[0];
    },

    /** Adds a guest with a name such as "Quiet Heron 402", and removes yesterday's guests with their posts. */
    async addGuest(): Promise<Account> {
      await sql`delete from users where role = 'guest' and created < now() - interval '1 day'`;
      for (;;) {
        const name = `${pick(MOODS)} ${pick(BIRDS)} ${randomInt(100, 1000)}`;
        const added = await sql<Account>`
          insert into users (name, password, role) values (${name}, ${LOCKED}, 'guest')
          on conflict do nothing returning id, name, role, generation`;
        if (added[0]) return added[0];
      }
    },

    /** Returns the user with this name, if the password is right. */
    async verify(name: string, password: string): Promise<Account | undefined> {
      const [found] = await sql<Account & { password: string }>`
        select id, name, role, generation, password from users where lower(name) = lower(${name})`;
      if (!(await isPassword(password, found?.password)) || !found) return undefined;
      const { password: _hash, ...account } = found;
      return account;
    },

    /**
     * Sets a new password for a verified account, and ends its sessions; returns undefined if the account has changed
     * since.
     */
    async changePassword({ id, generation }: Account, password: string): Promise<Account | undefined> {
      const hash = await hashPassword(password);
      const changed = await sql<Account>`
        update users set password = ${hash}, generation = generation + 1
        where id = ${id} and generation = ${generation} returning id, name, role, generation`;
      return changed[0];
    },

    list: () => sql<User & { created: Date; posts: number }>`
      select u.id, u.name, u.role, u.created, count(p.id)::int as posts
      from users u left join posts p on p.author = u.id group by u.id order by u.id`,

    /** Deletes an account with its posts. Administrators cannot be deleted. */
    async remove(id: number): Promise<boolean> {
      return (await sql`delete from users where id = ${id} and role <> 'admin' returning id`).length > 0;
    },

    /**
     * Sets the password of the administrator, and creates the account if needed. A new password ends the sessions,
     * because somebody may have known the old one.
     */
    async setAdministrator(password: string): Promise<void> {
      const [found] = await sql<{ password: string }>`
        select password from users where lower(name) = ${ADMINISTRATOR} and role = 'admin'`;
      if (found && (await isPassword(password, found.password))) return;
      const hash = await hashPassword(password);
      await sql`insert into users (name, password, role) values (${ADMINISTRATOR}, ${hash}, 'admin')
        on conflict (lower(name)) do update
        set password = excluded.password, role = 'admin', generation = users.generation + 1`;
    },

    async hasAdministrator(): Promise<boolean> {
      return (await sql`select id from users where role = 'admin' limit 1`).length > 0;
    },
  };
}
