/** Posts with their pictures, replies and likes, and the events that update the pages. */
import type { Database } from './database.js';
import type { User } from './users.js';

export interface Post {
  id: number;
  text: string;
  authorId: number;
  author: string;
  role: User['role'];
  created: Date;
  edited: Date | null;
  /** The post that this one replies to. */
  parent: number | null;
  replies: number;
  likes: number;
  /** Whether the reader likes it. */
  liked: boolean;
  picture: { id: string; alt: string; width: number; height: number } | null;
}

/** A picture as stored: decoded and re-encoded in two sizes, without the camera's metadata. */
export interface Picture {
  width: number;
  height: number;
  large: Uint8Array;
  small: Uint8Array;
}

export interface Query {
  /** Search words, in the syntax of web search engines: `coffee -tea "flat white"`. */
  search?: string;
  /** Only posts that are older than the one with this id. */
  before?: number;
  /** Only these. */
  ids?: number[];
  /** Only replies to this post. */
  parent?: number;
  /** The reader, for `liked`. */
  reader?: number;
  limit: number;
}

export interface Event {
  id: number;
  kind: 'added' | 'changed' | 'removed';
  post: number;
}

export interface NewPost {
  text: string;
  picture?: Picture;
  alt?: string;
  /** The same key with the same text means the same post, so a client that got no response can send it again. */
  key?: string;
  /** The post to reply to. A reply to a reply becomes a reply to the same post. */
  parent?: number;
}

export type Posts = ReturnType<typeof makePosts>;

export function makePosts({ sql, transaction }: Database) {
  /**
   * Returns the newest posts first, without replies unless they are asked for; `next` is the cursor of the next page, if
   * there is one.
   */
  async function page({ search = '', before, ids, parent, reader, limit }: Query) {
    const cursor = before ?? null;
    const only = ids ?? null;
    const root = parent ?? null;
    const found = await sql<Post>`
      select p.id, p.text, p.author as "authorId", u.name as author, u.role, p.created, p.edited, p.parent,
        (select count(*)::int from posts r where r.parent = p.id) as replies,
        (select count(*)::int from likes l where l.post = p.id) as likes,
        exists (select from likes l where l.post = p.id and l.member = ${reader ?? null}::int) as liked,
        case when i.id is null then null
          else json_build_object('id', i.id, 'alt', i.alt, 'width', i.width, 'height', i.height) end as picture
      from posts p join users u on u.id = p.author left join pictures i on i.post = p.id
      where (${cursor}::bigint is null or p.id < ${cursor}::bigint)
        and (${only}::int[] is null or p.id = any(${only}::int[]))
        and (${root}::int is null or p.parent = ${root}::int)
        and (p.parent is null or ${search} <> '' or ${only}::int[] is not null or ${root}::int is not null)
        and (${search} = '' or p.words @@ search_query(${search}))
      order by p.id desc limit ${limit + 1}`;
    const posts = found.slice(0, limit);
    return { posts, next: found.length > limit ? posts.at(-1)?.id : undefined };
  }

  async function find(id: number, reader?: number): Promise<Post | undefined> {
    return (await page({ ids: [id], reader, limit: 1 })).posts[0];
  }

  /** Returns the id of the new post, or of the one that was added with this key before. */
  async function add(authorId: number, { text, picture, alt = '', key, parent }: NewPost): Promise<number> {
    return transaction(async tx => {
      const [post] = await tx.sql<{ id: number }>`
        insert into posts (author, text, key, parent) values (${authorId}, ${text}, ${key ?? null},
          (select coalesce(parent, id) from posts where id = ${parent ?? null}::int))
        on conflict (author, key, text) do update set key = excluded.key returning id`;
      if (picture) {
        await tx.sql`insert into pictures (post, alt, width, height, large, small)
          values (${post!.id}, ${alt}, ${picture.width}, ${picture.height}, ${picture.large}, ${picture.small})
          on conflict do nothing`;
      }
      return post!.id;
    });
  }

  return {
    page,
    find,
    add,

    /** Changes the text of a post of this author; returns false if there is none. */
    async edit(id: number, authorId: number, text: string): Promise<boolean> {
      const edited = await sql`
        update posts set text = ${text}, edited = now() where id = ${id} and author = ${authorId} returning id`;
      return edited.length > 0;
    },

    /** Deletes a post of this author, or of any author; returns it, or undefined if there is none. */
    async remove(id: number, authorId?: number): Promise<Pick<Post, 'parent'> | undefined> {
      const author = authorId ?? null;
      const removed = await sql<Pick<Post, 'parent'>>`
        delete from posts where id = ${id} and (${author}::int is null or author = ${author}::int) returning parent`;
      return removed[0];
    },

    /** Likes a post, or stops liking it; returns false if there is no such post. */
    async like(id: number, member: number, isLiked: boolean): Promise<boolean> {
      if (!isLiked) await sql`delete from likes where post = ${id} and member = ${member}`;
      else {
        await sql`insert into likes (post, member) select id, ${member} from posts where id = ${id}
          on conflict do nothing`;
      }
      return (await sql`select id from posts where id = ${id}`).length > 0;
    },

    async picture(id: string, size: 'large' | 'small'): Promise<Uint8Array | undefined> {
      const found = await sql<{ bytes: Uint8Array }>`
        select case when ${size} = 'small' then small else large end as bytes from pictures where id = ${id}::uuid`;
      return found[0]?.bytes;
    },

    eventsAfter: (id: number, limit: number) =>
      sql<Event>`select id, kind, post from events where id > ${id} order by id limit ${limit}`,

    /** Returns the id of the event before the newest `count` ones. */
    async eventBefore(count: number): Promise<number> {
      const [found] = await sql<{ id: number }>`
        select id from events order by id desc offset ${count} limit 1`;
      return found?.id ?? 0;
    },
  };
}
