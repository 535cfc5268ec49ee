/** What `web.requestId` takes. */
import type * as http from 'node:http';

/** Where the id of a request comes from, and where it goes. */
export interface RequestIdOptions {
  /** The header that is read from trusted proxies and set on the response; `X-Request-Id` unless given. */
  header?: string | undefined;
  /** Whose ids are taken over: a value of the setting `trust proxy`; that setting itself unless given. */
  trust?:
    boolean | number | string | string[] | ((address: string | undefined, hop: 0) => boolean) | undefined;
  /** Make an id where none is taken over; `crypto.randomUUID` unless given. */
  generate?: ((req: http.IncomingMessage) => string) | undefined;
  /** Whether the response gets the header; true unless given. */
  respond?: boolean | undefined;
}
