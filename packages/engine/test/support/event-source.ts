/**
 * An event stream parser that works as browsers do (https://html.spec.whatwg.org/multipage/server-sent-events.html,
 * 9.2.6).
 */

interface ReceivedEvent {
  type: string;
  data: string;
  lastEventId: string;
}

export class EventParser {
  readonly events: ReceivedEvent[] = [];
  readonly comments: string[] = [];
  retry: number | undefined;
  private rest = '';
  private type = '';
  private data = '';
  private id = '';

  /** Parses a piece of the text; a piece that ends in CR must not be followed by one that begins with LF. */
  push(text: string): this {
    const lines = (this.rest + text).split(/\r\n|\n|\r/);
    this.rest = lines.pop()!;
    for (const line of lines) this.take(line);
    return this;
  }

  private take(line: string): void {
    if (line === '') {
      this.dispatch();
      return;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === '') this.comments.push(value);
    else if (name === 'event') this.type = value;
    else if (name === 'data') this.data += `${value}\n`;
    else if (name === 'id' && !value.includes('\0')) this.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
  }

  private dispatch(): void {
    const { type, data, id } = this;
    this.type = this.data = '';
    if (data === '') return;
    this.events.push({ type: type === '' ? 'message' : type, data: data.slice(0, -1), lastEventId: id });
  }
}

/** Returns the events of a whole stream. */
export function parseEvents(text: string): ReceivedEvent[] {
  return new EventParser().push(text).events;
}
