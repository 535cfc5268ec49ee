/**
 * What differs between the versions of the API. Each version fills in one record, in `src/version.ts` of its package;
 * the engine itself names none of them. Routers, body parsers and file servers receive the record when they are
 * created; applications, requests and responses inherit it from their prototypes.
 */

/** A version of the API. */
export interface Version {
  /** Sending responses. */
  readonly responses: {
    /**
     * Returns a `Content-Type` with a charset in place of its own.
     * @throws TypeError if the type is malformed; what that means differs
     */
    setCharset(type: string, charset: string): string;
    /** Whether `res.send` leaves out `Content-Length` if `Transfer-Encoding` is set. */
    readonly omitsLengthIfEncoded: boolean;
    /** Whether a 304 is set through `res.status`, so that a tool that replaces that member sees it. */
    readonly setsNotModifiedByStatus: boolean;
    /** Whether an application's own `etag` function gets text as a string, not as bytes. */
    readonly tagsText: boolean;
  };
}

/** The property under which prototypes and applications hold their version. */
export const VERSION: unique symbol = Symbol('version of the API');

interface Versioned {
  readonly [VERSION]: Version;
}

/** Returns the version of an application, a request or a response. */
export function versionOf(holder: object): Version {
  return (holder as Versioned)[VERSION];
}
