// @ts-check
/** Keeps messages and texts in memory, the latest first, and no more than so many of each. */

/** @typedef {{ id: number, name: string, text: string, at: Date }} Message */
/** @typedef {{ id: number, title: string, content: string, at: Date }} Text */
/** @typedef {ReturnType<typeof makeStore>} Store */

export function makeStore({ capacity = 1000 } = {}) {
  return {
    /** @type {Shelf<Message>} */
    messages: new Shelf(capacity),
    /** @type {Shelf<Text>} */
    texts: new Shelf(capacity / 10),
  };
}

/**
 * Numbered entries; beyond the capacity, the oldest is dropped.
 * @template {{ id: number, at: Date }} Entry
 */
class Shelf {
  #capacity;
  #lastId = 0;
  /** @type {Map<number, Entry>} */
  #entries = new Map();

  /** @param {number} capacity */
  constructor(capacity) {
    this.#capacity = capacity;
  }

  /**
   * Adds an entry and returns it with its number and time.
   * @param {Omit<Entry, 'id' | 'at'>} content
   */
  add(content) {
    const entry = /** @type {Entry} */ ({ id: ++this.#lastId, ...content, at: new Date() });
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > this.#capacity) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(/** @type {number} */ (oldest));
    }
    return entry;
  }

  /** @param {number} id */
  get(id) {
    return this.#entries.get(id);
  }

  /** @param {number} id */
  remove(id) {
    return this.#entries.delete(id);
  }

  /** The latest entries, the newest first. */
  latest(limit = 20) {
    return [...this.#entries.values()].slice(-limit).reverse();
  }

  get size() {
    return this.#entries.size;
  }
}
