/** The options of `web.requestId`. */
import type * as http from 'node:http';

/** The source of a request's ID, and the header for it. */
export interface RequestIdOptions {
  /** The header that is read from trusted proxies and set in the response. @default 'X-Request-Id' */
  header?: string | undefined;
  /** The proxies whose IDs are accepted: a value of the setting `trust proxy`. @default the setting itself */
  trust?:
    boolean | number | string | string[] | ((address: string | undefined, hop: 0) => boolean) | undefined;
  /** A function that generates an ID if none is accepted. @default `crypto.randomUUID` */
  generate?: ((req: http.IncomingMessage) => string) | undefined;
  /** Whether to set the header in the response. @default true */
  respond?: boolean | undefined;
}
