/** What `res.sse()` takes and gives. */

/** An event, as `EventSource` receives it. */
export interface ServerSentEvent {
  /** The type, for `addEventListener`. Without line breaks. @default `message` */
  event?: string | undefined;
  /** Text, of any number of lines; anything else is sent as JSON. An event without data has none, and no `event` either. */
  data?: unknown;
  /** What the client sends as `Last-Event-ID` when it reconnects. Without line breaks and NUL. */
  id?: string | number | undefined;
  /** Milliseconds after which the client reconnects when the connection is lost; for this event and all that follow. */
  retry?: number | undefined;
}

/** Options of an event stream. */
export interface EventStreamOptions {
  /** Milliseconds without an event after which a comment is sent, so that proxies keep the connection; 0 for never. @default 15_000 */
  heartbeat?: number | undefined;
  /** Bytes that may wait for a client that reads too slowly, before the stream is broken off. @default 1 MiB */
  limit?: number | undefined;
}

/** A response of events, `text/event-stream`. */
export interface EventStream {
  /** The `Last-Event-ID` of a client that reconnects; empty for any other. */
  readonly lastEventId: string;
  /** Whether nothing more can be sent: `close` was called, the client has disconnected, or the server is being stopped. */
  readonly closed: boolean;
  /**
   * Send an event.
   * @param event its text, or its fields
   * @returns a promise of true when there is room for more, and of false when the stream is closed; it never rejects
   * @throws TypeError for fields that have no meaning, hold line breaks, or can't be expressed in JSON
   * @example if (!(await events.send({ event: 'price', data: { eur: 5 }, id: 7 }))) return;
   */
  send(event: string | ServerSentEvent): Promise<boolean>;
  /** Send a comment, which clients ignore. Returns as `send` does. */
  comment(text?: string): Promise<boolean>;
  /** End the response. The client reconnects; to keep it from that, respond to its next request with 204. */
  close(): void;
}
