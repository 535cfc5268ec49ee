/** The options and the return value of `res.sse()`. */

/** An event as `EventSource` receives it. */
export interface ServerSentEvent {
  /** The type of the event, for `addEventListener`. Must not contain line breaks. @default `message` */
  event?: string | undefined;
  /**
   * A string with any number of lines; other values are sent as JSON. If omitted, an event with a type has empty data,
   * and one without only sets `id` and `retry`.
   */
  data?: unknown;
  /** The ID that the client sends as `Last-Event-ID` when it reconnects. Must not contain line breaks or NUL. */
  id?: string | number | undefined;
  /**
   * The time after which the client reconnects if the connection is lost, in milliseconds or as a string such as '2s';
   * applies from this event on.
   */
  retry?: number | string | undefined;
}

/** Options of an event stream. */
export interface EventStreamOptions {
  /**
   * The time without an event after which a comment is sent, so that proxies keep the connection open, in milliseconds or
   * as a string; false disables it.
   * @default '15s'
   */
  heartbeat?: number | string | false | undefined;
  /** The size, in bytes or as a string, of what is buffered for a slow client before the stream is aborted. @default '1mb' */
  maxBacklog?: number | string | undefined;
}

/** A response that streams events, `text/event-stream`. */
export interface EventStream {
  /** The `Last-Event-ID` of a client that reconnects; otherwise empty. */
  readonly lastEventId: string;
  /** Whether nothing more can be sent: `close` was called, the client has disconnected, or the server is stopping. */
  readonly closed: boolean;
  /**
   * Send an event.
   * @param event the data as a string, or an object with the fields of the event
   * @returns a promise of true once the buffer has room, or of false if the stream is closed; it never rejects
   * @throws TypeError for invalid fields, fields with line breaks, or data that cannot be serialized as JSON
   * @example if (!(await events.send({ event: 'price', data: { eur: 5 }, id: 7 }))) return;
   */
  send(event: string | ServerSentEvent): Promise<boolean>;
  /** Send a comment, which clients ignore. Returns the same promise as `send`. */
  comment(text?: string): Promise<boolean>;
  /** End the response. The client reconnects; to prevent that, respond to its next request with 204. */
  close(): void;
}
