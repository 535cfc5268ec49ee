/**
 * Live updates. The source of truth is the table `events`: a process reads new rows when it is woken by its own
 * handlers, by other processes through Redis or the fleet, or by a timer in case a message was lost. It keeps the newest ones, so that
 * pages that reconnect cost no queries, however many they are.
 */
import type { EventStream } from 'ristretto';
import type { Event, Post, Posts } from './data/posts.js';
import type { Fleet } from './fleet/member.js';
import { log } from './log.js';
import type { Redis } from './redis.js';

const CHANNEL = 'board';
const POLL_EVERY = 5000;
/** A client that missed more events than this gets an event that makes it reload the page. */
const MOST_MISSED = 100;

/** Returns what a page receives for an event: its name, and JSON data. */
type Describe = (event: Event, post: Post | undefined) => Promise<{ event: string; data: object }>;
type Message = Awaited<ReturnType<Describe>> & { id: number };

/** An event with the data that pages receive for it, which is rendered for the first of them. */
interface Recent extends Event {
  message(): Promise<Message>;
}

export class Feed {
  /** The streams, with the id of the last event sent to each. */
  readonly #streams = new Map<EventStream, number>();
  readonly #posts: Posts;
  readonly #redis: Redis | undefined;
  readonly #fleet: Fleet | undefined;
  #subscriber: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isBehind = false;
  /** All events after `#before`, up to `#last`. */
  #recent: Recent[] = [];
  #before = 0;
  #last = 0;
  /** Set by the application, which has the views. */
  describe: Describe = async ({ kind, post }) => ({ event: kind, data: { post } });

  constructor(posts: Posts, redis?: Redis, fleet?: Fleet) {
    this.#posts = posts;
    this.#redis = redis;
    this.#fleet = fleet;
  }

  async start(): Promise<void> {
    this.#last = this.#before = await this.#posts.eventBefore(MOST_MISSED);
    await this.#broadcast();
    if (this.#redis) {
      this.#subscriber = this.#redis.duplicate();
      this.#subscriber.on('error', () => undefined); // The first connection logs it
      await this.#subscriber.connect();
      await this.#subscriber.subscribe(CHANNEL, () => void this.#read());
    }
    this.#fleet?.events.on('wake', () => void this.#read());
    this.#timer = setInterval(() => void this.#read(), POLL_EVERY).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscriber?.destroy();
    await this.#reading;
  }

  /** Call this after writing an event. */
  wake(): void {
    void this.#read();
    void this.#fleet?.call('wake');
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
    // The client was connected to another process, which has read further than this one.
    if (after > this.#last) await this.#read();
    let position = Math.min(after, this.#last);
    while (position < this.#last && !stream.closed) {
      const next = this.#recent.find(({ id }) => id > position);
      if (position < this.#before || !next) {
        void stream.send({ event: 'reload', data: '', id: this.#last });
        return stream.close();
      }
      await stream.send(await next.message());
      position = next.id;
    }
    // Nothing is awaited after the last comparison, so the stream gets every later broadcast.
    if (!stream.closed) this.#streams.set(stream, position);
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  /** Reads new events; calls during a read are served by one more read. */
  #read(): Promise<void> {
    this.#isBehind = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#isBehind) {
      this.#isBehind = false;
      await this.#broadcast().catch((error: unknown) =>
        log.warn({ err: error }, 'live updates could not be read'),
      );
    }
  }

  async #broadcast(): Promise<void> {
    const events = await this.#posts.eventsAfter(this.#last, 1000);
    const ids = events.filter(({ kind }) => kind !== 'removed').map(({ post }) => post);
    const { posts } =
      ids.length > 0 ? await this.#posts.page({ ids, limit: ids.length }) : { posts: [] as Post[] };
    const byId = new Map(posts.map(post => [post.id, post]));
    for (const event of events) {
      let rendered: Promise<Message> | undefined;
      const render = async () => ({ id: event.id, ...(await this.describe(event, byId.get(event.post))) });
      const message = () => (rendered ??= render());
      const sent = this.#streams.size > 0 ? await message() : undefined;
      // Removed posts are not shown again to later visitors.
      if (event.kind === 'removed') this.#recent = this.#recent.filter(({ post }) => post !== event.post);
      this.#recent.push({ ...event, message });
      this.#last = event.id;
      while (this.#recent.length > MOST_MISSED) this.#before = this.#recent.shift()!.id;
      // Not awaited: a client that reads slowly does not delay the others, and is disconnected eventually.
      for (const [stream, seen] of this.#streams) {
        if (sent && event.id > seen) void stream.send(sent);
      }
    }
  }
}
