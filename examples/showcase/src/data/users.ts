/** Accounts. */
import type { Database } from './database.js';
import { hashPassword, isPassword } from './passwords.js';

export interface User {
  id: number;
  name: string;
  role: 'member' | 'admin';
}

export type Users = ReturnType<typeof makeUsers>;

export function makeUsers({ sql }: Database) {
  return {
    async find(id: number): Promise<User | undefined> {
      return (await sql<User>`select id, name, role from users where id = ${id}`)[0];
    },

    /** Undefined if somebody has the name already, in whatever letters. */
    async add(name: string, password: string, role: User['role'] = 'member'): Promise<User | undefined> {
      const hash = await hashPassword(password);
      const added = await sql<User>`
        insert into users (name, password, role) values (${name}, ${hash}, ${role})
        on conflict do nothing returning id, name, role`;
      return added[0];
    },

    /** The user of this name, if the password is right. */
    async verify(name: string, password: string): Promise<User | undefined> {
      const found = await sql<User & { password: string }>`
        select id, name, role, password from users where lower(name) = lower(${name})`;
      const isRight = await isPassword(password, found[0]?.password);
      return isRight && found[0] ? { id: found[0].id, name: found[0].name, role: found[0].role } : undefined;
    },

    list: () => sql<User & { created: Date; posts: number }>`
      select u.id, u.name, u.role, u.created, count(p.id)::int as posts
      from users u left join posts p on p.author = u.id group by u.id order by u.id`,

    /** Deletes an account with its posts. Administrators stay. */
    async remove(id: number): Promise<boolean> {
      return (await sql`delete from users where id = ${id} and role <> 'admin' returning id`).length > 0;
    },

    /** Sets the password of the administrator, who is made if there is none. */
    async setAdministrator(password: string): Promise<void> {
      const hash = await hashPassword(password);
      await sql`insert into users (name, password, role) values ('admin', ${hash}, 'admin')
        on conflict (lower(name)) do update set password = excluded.password, role = 'admin'`;
    },

    async hasAdministrator(): Promise<boolean> {
      return (await sql`select id from users where role = 'admin' limit 1`).length > 0;
    },
  };
}
