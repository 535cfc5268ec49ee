/** What `web.requestId` takes. */
import type * as http from 'node:http';

/** Where the id of a request comes from, and where it goes. */
export interface RequestIdOptions {
  /** The header that is read from trusted proxies and set on the response. @default 'X-Request-Id' */
  header?: string | undefined;
  /** Whose ids are taken over: a value of the setting `trust proxy`. @default that setting itself */
  trust?:
    boolean | number | string | string[] | ((address: string | undefined, hop: 0) => boolean) | undefined;
  /** Make an id where none is taken over. @default `crypto.randomUUID` */
  generate?: ((req: http.IncomingMessage) => string) | undefined;
  /** Whether the response gets the header. @default true */
  respond?: boolean | undefined;
}
