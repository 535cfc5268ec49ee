/**
 * What differs between the versions of the API. Each version fills in one record, in `src/version.ts` of its package;
 * the engine itself names none of them. Routers, body parsers and file servers receive the record when they are
 * created; applications, requests and responses inherit it from their prototypes.
 */
import type { Next } from './types/next';

/** The run of a stack that calls a layer: of a router's, a walk. */
export interface LayerCall {
  readonly req: object;
  readonly res: unknown;
  readonly next: Next;
}

/** The match of a layer and a path: its parameters, and the part of the path that it consumed. */
export interface Match {
  readonly params: Record<string, unknown> | undefined;
  readonly path: string | undefined;
}

/**
 * A version of the API.
 *
 * Functions are declared as methods, whose parameters a version may narrow to its own types of layers, routes and
 * matches: the engine passes on what it has received from the same version.
 */
export interface Version {
  /**
   * Routers, routes, and the walk of a request through their stacks. Functions of an object, not methods of subclasses:
   * one walk is created for each request and router, and the constructor of a subclass takes twice as long.
   */
  readonly router: {
    /** Prints debug messages; undefined if `DEBUG` does not enable them. */
    readonly print: ((format: string, ...values: unknown[]) => void) | undefined;
    /** The prototype of layers, and its unpatched `match`: the index over routes relies on both. */
    readonly layers: { readonly prototype: { match: unknown }; readonly match: unknown };
    matchOf(layer: object, path: string): Match | undefined;
    /** Calls a layer of a router; its result, if any, may be a promise. */
    callWithRequest(walk: LayerCall & { router: object }, layer: object): unknown;
    callWithError(walk: LayerCall & { router: object }, layer: object, error: unknown): unknown;
    /** Calls a layer of a route, with the error if there is one; its result may be a promise. */
    callInRoute(run: LayerCall, layer: object, error: unknown): unknown;
    /** Whether skipping a layer for another method counts as a call of `next`. */
    readonly countsSkippedLayers: boolean;
    /** Whether any parameter of the layer has a callback. */
    hasParamCallbacks(router: object, match: Match): boolean;
    /**
     * Runs the callbacks of a layer's parameters, and then `done`.
     * @param called the outcomes of callbacks in this request so far
     */
    processParams(
      walk: LayerCall & { router: object },
      layer: object,
      match: Match,
      called: object,
      done: Next,
    ): void;
    /** Whether a route has a handler for a method. */
    handlesMethod(route: object, method: string): boolean;
    /** Returns the methods of a route for an `Allow` header, in upper case. */
    methodsOf(route: object): string[];
    /** Sends the automatic response to OPTIONS. */
    sendOptions(res: object, allowed: string[], out: Next): void;
    /** Whether a character may follow a mount path. */
    mayFollowMount(code: number): boolean;
    /**
     * Returns the URL, which a layer may have changed, without the slash that the walk had added in front.
     * @param removed the layer's mount path
     */
    withoutAddedSlash(url: string, removed: string): string;
  };
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
