/**
 * An application and its requests as plain data, which can be generated, printed as JSON, shrunk, and built on either
 * framework by the interpreter.
 */

/** JSON, and objects with the key `$` for values that JSON cannot represent (see `revive` in interpreter.ts). */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

export type PathValue = string | { $: 'regexp'; source: string; flags: string } | PathValue[];

/** One thing that a handler does. Exactly one of the keys is present. */
export interface Step {
  /** Call this member of the response. */
  res?: string;
  /** Read this member of the request, or call it when there are `args`, and record the result. */
  req?: string;
  /** Read this member of the response and record it. */
  seen?: string;
  /** Read this setting of the current application, and record it. */
  setting?: string;
  /** Assign `value` to this member of the request or response: 'req.url'. */
  put?: string;
  value?: Value;
  args?: Value[];
  /** Call next with these arguments. */
  next?: Value[];
  throw?: Value;
  /** Perform these in a later turn of the event loop. */
  later?: Step[];
}

export interface Handler {
  id: number;
  /** True for a handler with four parameters. */
  error?: boolean;
  steps: Step[];
}

export interface ParamHandler {
  id: number;
  steps: Step[];
}

export interface Layer {
  /** In Express 3, `place` mounts the application's router, and `remove` removes a route. */
  kind:
    'use' | 'route' | 'chain' | 'router' | 'app' | 'param' | 'body' | 'static' | 'query' | 'place' | 'remove';
  /** How many arrays the handlers are wrapped in. */
  nested?: number;
  path?: PathValue;
  /** route: the lower-case method or 'all'; body: the parser. */
  method?: string;
  handlers?: Handler[];
  chain?: { method: string; handlers: Handler[] }[];
  options?: Record<string, Value>;
  settings?: Record<string, Value>;
  layers?: Layer[];
  name?: string | string[];
  param?: ParamHandler;
  /** remove: the position among the routes of the method. */
  at?: number;
}

export interface Ask {
  method: string;
  target: string;
  headers: [string, string][];
  /** Sent with Content-Length, latin1, or chunked when `chunked`. */
  body?: string;
  coding?: 'gzip' | 'deflate' | 'br';
  chunked?: boolean;
  version?: '1.0';
}

export interface Case {
  /** True if each application gets its own server, false if another server's listener calls it. */
  ownServer: boolean;
  settings: Record<string, Value>;
  layers: Layer[];
  requests: Ask[];
}
