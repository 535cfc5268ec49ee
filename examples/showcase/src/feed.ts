/**
 * Live updates. The source of truth is the table `events`: a process reads new rows when it is woken by its own
 * handlers, by other processes through Redis, or by a timer in case a message was lost.
 */
import type { EventStream } from 'ristretto';
import type { Event, Post, Posts } from './data/posts.js';
import { log } from './log.js';
import type { Redis } from './redis.js';

const CHANNEL = 'board';
const POLL_EVERY = 5000;
/** A client that missed more events than this is told to reload the page. */
const MOST_MISSED = 100;

/** Returns what a page receives for an event: its name, and JSON data. */
type Describe = (event: Event, post: Post | undefined) => Promise<{ event: string; data: object }>;

export class Feed {
  /** The streams, with the id of the last event sent to each. */
  readonly #streams = new Map<EventStream, number>();
  readonly #posts: Posts;
  readonly #redis: Redis | undefined;
  #subscriber: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #last = 0;
  /** Set by the application, which has the views. */
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

  /** Call this after writing an event. */
  wake(): void {
    this.#read();
    this.#redis
      ?.publish(CHANNEL, '')
      .catch((error: unknown) => log.warn({ err: error }, 'others were not woken'));
  }

  /** The id of the newest event; a page that is rendered now includes everything up to it. */
  get position(): number {
    return this.#last;
  }

  /** Sends a stream all events after the given one, and then each new one. */
  async follow(stream: EventStream, after: number): Promise<void> {
    if (after > this.#last) {
      // The client was connected to another process, which has read more than this one.
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
      // From here on nothing is awaited, so the stream gets everything that is broadcast later.
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

  /** Reads new events, one read after the other. */
  #read(): void {
    this.#reading = this.#reading
      .then(() => this.#broadcast())
      .catch((error: unknown) => log.warn({ err: error }, 'live updates could not be read'));
  }

  async #broadcast(): Promise<void> {
    for (const event of await this.#posts.eventsAfter(this.#last, 1000)) {
      const message = await this.#message(event);
      this.#last = event.id;
      // Not awaited: a client that reads slowly does not delay the others, and is disconnected eventually.
      for (const [stream, seen] of this.#streams) if (event.id > seen) void stream.send(message);
    }
  }

  async #message(event: Event) {
    const post = event.kind === 'added' ? await this.#posts.find(event.post) : undefined;
    return { id: event.id, ...(await this.describe(event, post)) };
  }
}
