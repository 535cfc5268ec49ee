/** Fills a new board for a demonstration, so that its first visitor sees what it can do. */
import fs from 'node:fs';
import type { Database } from './database.js';
import { LOCKED } from './passwords.js';
import { makePosts } from './posts.js';

const folder = new URL('../../seed/', import.meta.url);
/** The size of all pictures in that folder, which are our own. */
const SIZE = { width: 1200, height: 800 };

interface Seed {
  author: string;
  /** Minutes ago. */
  age: number;
  text: string;
  picture?: string;
  alt?: string;
  /** Who likes it. */
  likes?: string[];
  replies?: Omit<Seed, 'replies' | 'picture' | 'alt'>[];
}

const SEEDS: Seed[] = [
  {
    author: 'Tove Lindqvist',
    age: 2900,
    text: 'Walked up before sunrise. Six ridges, one thermos, no signal. Recommended.',
    picture: 'dawn',
    alt: 'Mountain ridges fading into orange fog at sunrise',
    likes: ['Amara Osei', 'Jun Watanabe', 'Rosa Iglesias'],
    replies: [
      {
        author: 'Rosa Iglesias',
        age: 2810,
        text: 'Which coffee was in the thermos? Asking the real questions.',
      },
    ],
  },
  {
    author: 'Jun Watanabe',
    age: 1500,
    text: 'Which packages of this board were written for Express? Read package.json and guess.',
    likes: ['Tove Lindqvist', 'Amara Osei'],
    replies: [
      { author: 'Amara Osei', age: 1490, text: 'The stores of sessions and rate limits, I think. And ejs?' },
      {
        author: 'Jun Watanabe',
        age: 1470,
        text: 'Yes, and none of them was changed.',
        likes: ['Amara Osei'],
      },
    ],
  },
  {
    author: 'Amara Osei',
    age: 420,
    text: 'Rain on the tram window, city still awake.',
    picture: 'lights',
    alt: 'City lights, out of focus, behind a window with rain drops',
    likes: ['Jun Watanabe', 'Tove Lindqvist'],
  },
  {
    author: 'Rosa Iglesias',
    age: 185,
    text: 'Fresh from the roaster: Sidamo, washed, rested for nine days. Grinding finer than I expected.',
    picture: 'beans',
    alt: 'Roasted coffee beans, close up',
    likes: ['Tove Lindqvist', 'Jun Watanabe', 'Amara Osei'],
    replies: [{ author: 'Tove Lindqvist', age: 171, text: 'Try 20 ml in 22 seconds before you go finer.' }],
  },
  {
    author: 'Amara Osei',
    age: 58,
    text: 'Last light. The ferry captain stopped the engine for it.',
    picture: 'sea',
    alt: 'The sun setting over a calm sea, with violet clouds',
    likes: ['Rosa Iglesias'],
  },
  {
    author: 'Rosa Iglesias',
    age: 6,
    text: 'Tenth attempt at a rosetta, and the first one that I would show to anyone.',
    picture: 'cup',
    alt: 'A cup with latte art on a wooden table, from above',
    likes: ['Jun Watanabe', 'Amara Osei', 'Tove Lindqvist'],
    replies: [{ author: 'Jun Watanabe', age: 3, text: 'Symmetry! I am still at "interesting cloud".' }],
  },
];

/** Adds posts, if there are none and nobody has an account yet. */
export async function seed(db: Database): Promise<void> {
  const [found] = await db.sql<{ isNew: boolean }>`select not exists (select from users) as "isNew"`;
  if (!found?.isNew) return;
  const posts = makePosts(db);
  const members = new Map<string, number>();
  const member = async (name: string) => {
    const known = members.get(name);
    if (known !== undefined) return known;
    const [{ id } = { id: 0 }] = await db.sql<{ id: number }>`
      insert into users (name, password) values (${name}, ${LOCKED}) returning id`;
    members.set(name, id);
    return id;
  };
  const add = async (
    { author, age, text, picture, alt, likes = [], replies = [] }: Seed,
    parent?: number,
  ) => {
    const bytes = picture ? fs.readFileSync(new URL(`${picture}.webp`, folder)) : undefined;
    const post = await posts.add(await member(author), {
      ...{ text, alt, parent },
      picture: bytes && { ...SIZE, large: bytes, small: bytes },
    });
    await db.sql`update posts set created = now() - ${age} * interval '1 minute' where id = ${post}`;
    for (const name of likes) await posts.like(post, await member(name), true);
    for (const reply of replies) await add(reply, post);
  };
  for (const each of SEEDS) await add(each);
}
