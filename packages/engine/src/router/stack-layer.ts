/** A layer in the stack of a router or route, as the functions over stacks read it: of any version, copy, or of Express. */
import type { PathPattern, PatternKey } from './pattern/types';
import type { ORIGINAL_HANDLER, PATTERN, PREFIX } from './symbols';

type Callable = (...args: unknown[]) => unknown;

/** The callback of a path parameter. */
export type ParamCallback = (
  req: unknown,
  res: unknown,
  next: (err?: unknown) => void,
  value: unknown,
  name: string | number,
) => unknown;

export interface StackLayer {
  name: string;
  /** The function to call. */
  handle: Callable;
  /** On a router's layer: the route that it leads to, if any. */
  route?: unknown;
  /** On a route's layer: its method, or undefined for all. */
  method?: string | undefined;
  match(path: string): unknown;
  /** The path as it was registered, of layers that keep it. */
  rawPath?: unknown;
  /** The parameters and the regular expression, of layers that have them. */
  keys?: PatternKey[];
  regexp?: RegExp;
  readonly [ORIGINAL_HANDLER]?: Callable;
  readonly [PATTERN]?: (Pick<PathPattern, 'shape'> & Partial<PathPattern>) | undefined;
  readonly [PREFIX]?: boolean;
}
