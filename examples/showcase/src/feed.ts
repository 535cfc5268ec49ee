/**
 * Live updates. The truth is the table `events`: a process reads what is new there when it is woken, by its own
 * handlers, by the other processes through Redis, or by a timer in case a message was lost.
 */
import type { EventStream } from 'ristretto';
import type { Event, Post, Posts } from './data/posts.js';
import { log } from './log.js';
import type { Redis } from './redis.js';

const CHANNEL = 'board';
const POLL_EVERY = 5000;
/** A client that missed more than this is told to load the page again. */
const MOST_MISSED = 100;

/** What a page gets for an event: its name, and data that can be JSON. */
type Describe = (event: Event, post: Post | undefined) => Promise<{ event: string; data: object }>;

export class Feed {
  /** The streams, with the id of the event that each has got last. */
  readonly #streams = new Map<EventStream, number>();
  readonly #posts: Posts;
  readonly #redis: Redis | undefined;
  #subscriber: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #last = 0;
  /** Set by the application, which knows its views. */
  describe: Describe = async ({ kind, post }) => ({ event: kind, data: { post } });

  constructor(posts: Posts, redis?: Redis) {
    this.#posts = posts;
    this.#redis = redis;
  }

  async start(): Promise<void> {
    this.#last = await this.#posts.lastEvent();
    if (this.#redis) {
      this.#subscriber = this.#redis.duplicate();
      this.#subscriber.on('error', () => undefined); // logged by the first connection
      await this.#subscriber.connect();
      await this.#subscriber.subscribe(CHANNEL, () => this.#read());
    }
    this.#timer = setInterval(() => this.#read(), POLL_EVERY).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscriber?.destroy();
    await this.#reading;
  }

  /** To be called when something was written. */
  wake(): void {
    this.#read();
    this.#redis
      ?.publish(CHANNEL, '')
      .catch((error: unknown) => log.warn({ err: error }, 'others were not woken'));
  }

  /** The newest event; a page that is rendered now has seen all up to it. */
  get position(): number {
    return this.#last;
  }

  /** Sends a stream everything after the given event, now and from now on. */
  async follow(stream: EventStream, after: number): Promise<void> {
    if (after > this.#last) {
      // The client comes from another process, which has read more than this one.
      this.#read();
      await this.#reading;
    }
    let position = Math.min(after, this.#last);
    for (;;) {
      const missed = await this.#posts.eventsAfter(position, MOST_MISSED + 1);
      if (missed.length > MOST_MISSED) {
        void stream.send({ event: 'reload', data: '', id: this.#last });
        return stream.close();
      }
      for (const event of missed) {
        await stream.send(await this.#message(event));
        position = event.id;
      }
      if (stream.closed) return;
      // From here to the end nothing waits: what is broadcast later, this stream gets.
      if (position >= this.#last) break;
    }
    this.#streams.set(stream, position);
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  get followers(): number {
    return this.#streams.size;
  }

  /** Reads what is new, one reading after the other. */
  #read(): void {
    this.#reading = this.#reading
      .then(() => this.#broadcast())
      .catch((error: unknown) => log.warn({ err: error }, 'live updates could not be read'));
  }

  async #broadcast(): Promise<void> {
    for (const event of await this.#posts.eventsAfter(this.#last, 1000)) {
      const message = await this.#message(event);
      this.#last = event.id;
      // Not awaited: a client that reads slowly does not hold up the others, and is disconnected in the end.
      for (const [stream, seen] of this.#streams) if (event.id > seen) void stream.send(message);
    }
  }

  async #message(event: Event) {
    const post = event.kind === 'added' ? await this.#posts.find(event.post) : undefined;
    return { id: event.id, ...(await this.describe(event, post)) };
  }
}
