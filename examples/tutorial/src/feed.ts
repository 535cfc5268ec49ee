import type { EventStream } from 'express';

/** Sends each event to all pages that are open. */
export class Feed {
  readonly #pages = new Set<EventStream>();

  join(page: EventStream): void {
    this.#pages.add(page);
  }

  leave(page: EventStream): void {
    this.#pages.delete(page);
  }

  publish(event: string, data: unknown): void {
    // Not awaited: a page that does not read is disconnected when its buffer is full.
    for (const page of this.#pages) void page.send({ event, data });
  }
}
