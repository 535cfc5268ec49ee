/** The match of a layer's path; the layer itself does not store it. */
import type { Params } from './pattern/path';

export interface LayerMatch {
  params: Params;
  /** The part of the path that matched. */
  path: string;
  keys: string[];
  /** The path as it was registered; if there are several, the one that matched. */
  pattern: unknown;
}
