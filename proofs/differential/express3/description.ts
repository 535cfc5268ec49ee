/**
 * An application of 3.x and requests to it as plain data: generated, printed as JSON, and built on either framework.
 */

/** How a handler ends. */
export type End =
  | { do: 'send' | 'json' | 'jsonp'; args: unknown[] }
  | { do: 'end'; text: string }
  | { do: 'redirect' | 'location'; args: unknown[] }
  | { do: 'sendfile'; name: string }
  | { do: 'format'; types: string[] }
  | { do: 'next'; with?: string }
  | { do: 'throw'; message: string }
  | { do: 'look'; member: string; args?: unknown[] };

/** What a handler does before that. */
export type Act =
  | {
      act: 'set' | 'type' | 'status' | 'cookie' | 'clearCookie' | 'vary' | 'attachment' | 'setHeader';
      args: unknown[];
    }
  | { act: 'charset'; value: string }
  | { act: 'locals'; values: Record<string, unknown> }
  | { act: 'onHeader'; name: string };

export interface Handler {
  /** Whether it handles errors: it has four parameters. */
  error?: boolean;
  acts: Act[];
  end: End;
}

export type Layer =
  | { layer: 'use'; path?: string; handler: Handler }
  | { layer: 'app'; path: string; layers: Layer[] }
  | { layer: 'router' }
  | { layer: 'route'; method: string; path: string; handlers: Handler[]; nested: boolean }
  | { layer: 'param'; name: string; handler: Handler }
  | { layer: 'remove'; method: string; at: number };

export interface Ask {
  method: string;
  path: string;
  headers: Record<string, string>;
}

export interface Case {
  settings: Record<string, unknown>;
  layers: Layer[];
  requests: Ask[];
}
