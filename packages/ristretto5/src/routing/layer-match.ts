/** What a layer's path has matched: the layer itself keeps nothing of it. */
import type { Params } from './pattern/path';

export interface LayerMatch {
  params: Params;
  /** The part of the path that was taken. */
  path: string;
  keys: string[];
  /** The path as it was registered; of several the one that matched. */
  pattern: unknown;
}
