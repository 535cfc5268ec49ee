/**
 * What differs between the versions of the API. Each version fills in one record, in `src/version.ts` of its package;
 * the engine itself names none of them. Routers, body parsers and file servers receive the record when they are
 * created; applications, requests and responses inherit it from their prototypes.
 */
import type { ReadParameters } from './protocol/accept';
import type { NormalizedType } from './protocol/content-type';
import type { QueryParser } from './protocol/query-string';
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
    /** Whether a layer matches every path and need not be asked: middleware that was registered without a path. */
    matchesAll(layer: object): boolean;
    matchOf(layer: object, path: string): Match | undefined;
    /** Calls a layer of a router; its result, if any, may be a promise. */
    callWithRequest(walk: LayerCall & { router: object }, layer: object): unknown;
    callWithError(walk: LayerCall & { router: object }, layer: object, error: unknown): unknown;
    /** Calls a layer of a route, with the error if there is one; its result may be a promise. */
    callInRoute(run: LayerCall, layer: object, error: unknown): unknown;
    /** Whether braces and named wildcards in paths are literal text, of which development warns; otherwise, syntax. */
    readonly hasLiteralBraces: boolean;
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
    /** Releases what a request that is kept after its response holds of its walk, besides `next`. */
    release(req: object): void;
    /** Whether a character may follow a mount path. */
    mayFollowMount(code: number): boolean;
    /**
     * Returns the URL, which a layer may have changed, without the slash that the walk had added in front.
     * @param removed the layer's mount path
     */
    withoutAddedSlash(url: string, removed: string): string;
  };
  /** Applications and their settings. */
  readonly application: {
    /** The default of the setting `query parser`. */
    readonly queryParser: 'extended' | 'simple';
    /**
     * Returns the parser for a value of that setting; undefined if it disables parsing.
     * @throws TypeError for an invalid value
     */
    compileQueryParser(value: unknown): QueryParser | undefined;
    /** The default of the setting `view`. */
    readonly View: new (...args: never) => object;
    /** The default of the setting `json spaces` in development. */
    readonly jsonSpaces: number | undefined;
    /** Whether an application without a record, of Express or of another copy of the framework, is of this version. */
    recognizes(app: object): boolean;
    /** Whether the callback of `app.listen` is also called with an error. */
    readonly reportsListenErrors: boolean;
    /** Whether unhandled errors are logged with their causes and properties, not only their stacks. */
    readonly logsWholeErrors: boolean;
  };
  /** Reading requests. */
  readonly requests: {
    /** Returns the media type of an extension, for negotiation and for comparisons; false if it is unknown. */
    typeOf(extension: string): string | false;
    /** Whether malformed parameters make a `Content-Type` match no type. */
    readonly readsParameters: boolean;
    /** Reads the parameters in all `Accept` headers; undefined if each header is read in its own way. */
    readonly readAcceptParameters: ReadParameters | undefined;
    /** Whether `If-Modified-Since` is ignored if the client has also sent a tag (RFC 9110, section 13.2.2). */
    readonly tagDecides: boolean;
    /** Whether one malformed range makes the whole `Range` header malformed. */
    readonly hasStrictRanges: boolean;
  };
  /** The body parsers. */
  readonly bodies: {
    /** Whether `req._body` marks a body that has been read; otherwise, the end of the request does. */
    readonly marksRead: boolean;
    /** Whether `req.body` is `{}` without a body, instead of undefined. */
    readonly hasEmptyBody: boolean;
  };
  /** Serving files: `web.static`, `res.sendFile` and `res.download`. */
  readonly files: {
    /**
     * The default of the option `dotfiles`. `'ignore-files'` ignores files whose names begin with a dot, but sends files
     * in directories with such a name.
     */
    readonly dotfiles: 'allow' | 'deny' | 'ignore' | 'ignore-files';
    /** Whether the option `hidden` is an alias of `dotfiles: 'allow'`. */
    readonly knowsHidden: boolean;
    /** Returns the `Content-Type` of a file; undefined for none. */
    contentType(path: string): string | undefined;
    /** Whether the setting `etag` decides about the tags of `res.sendFile`, instead of the option. */
    readonly tagsBySetting: boolean;
    /** The status of the redirect that adds a slash to the path of a directory. */
    readonly redirectStatus: 301 | 303;
    /** Whether `web.static.mime` is the table of media types. */
    readonly hasMime: boolean;
  };
  /** Sending responses. */
  readonly responses: {
    /** Converts a key of `res.format` to a media type. */
    normalizeType(type: string): NormalizedType;
    /** Returns the name under which `res.attachment` and `res.download` tell the client to save a file. */
    nameOfFile(path: string): string;
    /** Returns a `Content-Disposition` for a name. */
    contentDisposition(name?: string): string;
    /** Returns the HTML page of a redirect. @param target the URL, escaped */
    redirectPage(title: string, target: string): string;
    /**
     * Returns a `Content-Type` with a charset in place of its own.
     * @throws TypeError if the type is malformed; versions differ in what they accept
     */
    setCharset(type: string, charset: string): string;
    /** Whether `res.send` leaves out `Content-Length` if `Transfer-Encoding` is set. */
    readonly omitsLengthIfEncoded: boolean;
    /** Whether other members set the status through `res.status`, so that a tool that replaces it sees that. */
    readonly callsStatus: boolean;
    /** Whether an application's own `etag` function gets text as a string, not as bytes. */
    readonly tagsText: boolean;
  };
}

/** The parts of a version that body parsers need. */
export interface BodyVersion {
  readonly requests: Pick<Version['requests'], 'typeOf' | 'readsParameters'>;
  readonly bodies: Version['bodies'];
}

/** The parts of a version that file serving needs. */
export interface FileVersion {
  readonly requests: Pick<Version['requests'], 'tagDecides' | 'hasStrictRanges'>;
  readonly files: Version['files'];
}

/** The property under which prototypes and applications hold their version. */
export const VERSION: unique symbol = Symbol('version of the API');

interface Versioned {
  readonly [VERSION]: Version;
}

/** Gives a prototype or an application its version. */
export function setVersion(holder: object, version: Version): void {
  Object.defineProperty(holder, VERSION, { value: version });
}

/** Returns the version of an application, a request or a response that this copy of the framework has created. */
export function versionOf(holder: object): Version {
  return (holder as Versioned)[VERSION];
}
