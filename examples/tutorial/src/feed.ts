import type { EventStream } from 'express';

/** Sends each event to all pages that are open. */
export class Feed {
  readonly #pages = new Set<EventStream>();

  join(page: EventStream) {
    this.#pages.add(page);
  }

  leave(page: EventStream) {
    this.#pages.delete(page);
  }

  publish(event: string, data: unknown) {
    // Not awaited: a page that does not read is disconnected when its buffer is full.
    for (const page of this.#pages) void page.send({ event, data });
  }
}
