/** Counts requests in the memory of the process. */
import type { ClientRateLimitInfo, Options, Store } from './types.js';
import type { Validations } from './validations.js';

export interface Client {
  totalHits: number;
  resetTime: Date;
}

/** Counts requests in the memory of the process. Clients that sent none for one to two windows are discarded. */
export class MemoryStore implements Store {
  private validations?: Validations | undefined;
  windowMs!: number;
  /** The clients that have sent no request since the last interval. */
  previous = new Map<string, Client>();
  current = new Map<string, Client>();
  interval?: NodeJS.Timeout;
  localKeys = true;

  constructor(validations?: Validations) {
    this.validations = validations;
  }

  init(options: Options): void {
    this.windowMs = options.windowMs;
    this.validations?.windowMs(this.windowMs);
    if (this.interval) clearInterval(this.interval);
    this.interval = setInterval(() => this.clearExpired(), this.windowMs);
    // It must not keep the process running; timers of browsers and tests are numbers.
    this.interval.unref?.();
  }

  get(key: string): Promise<ClientRateLimitInfo | undefined> {
    const client = this.current.get(key) ?? this.previous.get(key);
    return Promise.resolve(client && client.resetTime.getTime() > Date.now() ? client : undefined);
  }

  increment(key: string): Promise<ClientRateLimitInfo> {
    return Promise.resolve(this.count(key));
  }

  decrement(key: string): Promise<void> {
    const client = this.getClient(key);
    if (client.totalHits > 0) client.totalHits--;
    return Promise.resolve();
  }

  resetKey(key: string): Promise<void> {
    this.current.delete(key);
    this.previous.delete(key);
    return Promise.resolve();
  }

  resetAll(): Promise<void> {
    this.current.clear();
    this.previous.clear();
    return Promise.resolve();
  }

  shutdown(): void {
    clearInterval(this.interval);
    void this.resetAll();
  }

  /** Counts a request without a promise. @internal */
  count(key: string): Client {
    const client = this.getClient(key);
    const now = Date.now();
    if (client.resetTime.getTime() <= now) this.resetClient(client, now);
    client.totalHits++;
    return client;
  }

  private resetClient(client: Client, now = Date.now()): Client {
    client.totalHits = 0;
    // Creates a new Date, because in-flight requests still refer to that of their window.
    client.resetTime = new Date(now + this.windowMs);
    return client;
  }

  private getClient(key: string): Client {
    let client = this.current.get(key);
    if (client !== undefined) return client;
    client = this.previous.get(key);
    if (client === undefined) client = this.resetClient({ totalHits: 0, resetTime: new Date() });
    else this.previous.delete(key);
    this.current.set(key, client);
    return client;
  }

  private clearExpired(): void {
    this.previous = this.current;
    this.current = new Map();
  }
}
