/**
 * Finds the layers of a stack that can match a path. The index only speeds up the walk: the layers themselves decide
 * what matches.
 *
 * The shapes of the layers' patterns form a trie over path segments. A look-up follows, at each segment, both the child
 * with that name and the parameter child; the set of nodes reached is a state. States are built when a path first needs
 * them and are kept, so that a look-up takes one map access per segment: by the hash of its name, which needs no copy of
 * the segment. For these four layers
 *
 *     0  use '/'          1  get '/users/:id'          2  get '/users/me'          3  use '/users'
 *
 * `/users/me` leads from the root through `users` to both `me` and `:id`: the candidates are 1, 2, 3, and 0, which is a
 * candidate for every path, as is every layer whose pattern has no shape. Each candidate is then matched by its own
 * pattern, in the order of the stack; a layer that is not a candidate cannot match.
 *
 * The hash ignores case. That, and two names with the same hash, can only add candidates. Paths with non-ASCII characters
 * are not looked up, because their case folding is not that simple.
 */
import type { Version } from '../version';
import type { StackLayer } from './stack-layer';
import { PATTERN, PREFIX } from './symbols';

const SLASH = 0x2f;
const LAST_ASCII = 0x7f;
/** The bit by which an ASCII letter differs from its other case. */
const CASE = 0x20;

/** Positions in the stack, ascending. */
export type Positions = readonly number[];

interface TrieNode {
  /** By the hash of a segment's name. */
  children: Map<number, TrieNode>;
  parameter: TrieNode | undefined;
  /** Layers whose path ends here. */
  ends: number[];
  /** Layers that match every path through here. */
  prefixes: number[];
}

interface State {
  nodes: TrieNode[];
  /** By the hash of a segment's name; null if the state has not been built yet. */
  named: Map<number, State | null>;
  /** For every other name. */
  other: State | undefined;
  /** The layers that match whatever follows: those that match every path, and the prefixes passed so far. */
  passed: Positions;
  /** The candidates for a path that ends here. */
  here: Positions;
}

/** Requests create states; when these hold this many positions in total, paths are no longer looked up. */
const MOST_POSITIONS = 1_000_000;

/** The kind of layers in an index: their prototype, and its unpatched `match` method. */
type LayerKind = Version['router']['layers'];

export class RouteIndex {
  /** The number of layers found by their paths; the others are candidates for every path. */
  readonly found: number;
  private readonly root: State;
  private positions = 0;

  private constructor(
    private readonly layers: StackLayer[],
    /**
     * The pattern under which each layer was inserted into the trie; undefined for layers that are always candidates.
     */
    private readonly patterns: StackLayer[typeof PATTERN][],
    trie: TrieNode,
    /** Candidates for every path. */
    always: Positions,
    private readonly kind: LayerKind,
  ) {
    this.found = layers.length - always.length;
    this.root = this.makeState([trie], always);
  }

  /** Builds the index for the current layers. */
  static over(stack: readonly StackLayer[], kind: LayerKind): RouteIndex {
    const trie = makeNode();
    const always: number[] = [];
    const patterns = stack.map((layer, position) => {
      if (insert(trie, layer, position, kind)) return layer[PATTERN];
      always.push(position);
      return undefined;
    });
    return new RouteIndex(stack.slice(), patterns, trie, always, kind);
  }

  /** Whether part of the stack still holds the indexed layers, with unchanged patterns and `match` methods. */
  describes(stack: readonly StackLayer[], from: number, to: number): boolean {
    const { layers, patterns } = this;
    const { match } = this.kind;
    if (stack.length !== layers.length) return false;
    for (let i = from; i < to; i++) {
      const layer = stack[i]!;
      if (layer !== layers[i]) return false;
      const pattern = patterns[i];
      if (pattern !== undefined && (layer[PATTERN] !== pattern || layer.match !== match)) return false;
    }
    return true;
  }

  /** Returns the candidates for a path, or undefined if the index cannot determine them. */
  lookup(path: string): Positions | undefined {
    const { prototype, match } = this.kind;
    if (path.charCodeAt(0) !== SLASH || prototype.match !== match) return undefined;
    let state = this.root;
    let start = 1;
    let hash = 0;
    for (let i = 1; i <= path.length; i++) {
      const code = i === path.length ? SLASH : path.charCodeAt(i);
      if (code > LAST_ASCII) return undefined;
      if (code !== SLASH) {
        hash = extendHash(hash, code);
        continue;
      }
      // A trailing slash is not a segment, and no layer has an empty one. In 5.x, `/` also matches `//`.
      if (i === start) return i >= path.length - 1 ? state.here : state.passed;
      const following = this.follow(state, hash);
      if (following === undefined) return undefined;
      if (following.nodes.length === 0) return following.passed;
      state = following;
      start = i + 1;
      hash = 0;
    }
    return state.here;
  }

  private follow(state: State, hash: number): State | undefined {
    const known = state.named.get(hash);
    if (known) return known;
    if (known === undefined && state.other !== undefined) return state.other;
    if (this.positions > MOST_POSITIONS) return undefined;

    const nodes: TrieNode[] = [];
    for (const node of state.nodes) {
      const child = node.children.get(hash);
      if (child !== undefined) nodes.push(child);
      if (node.parameter !== undefined) nodes.push(node.parameter);
    }
    const made = this.makeState(nodes, state.passed);
    if (known === null) state.named.set(hash, made);
    else state.other = made;
    return made;
  }

  private makeState(nodes: TrieNode[], passedBefore: Positions): State {
    const named = new Map<number, State | null>();
    const prefixes = new Set(passedBefore);
    const all = new Set<number>();
    for (const node of nodes) {
      for (const hash of node.children.keys()) named.set(hash, null);
      for (const position of node.prefixes) prefixes.add(position);
      for (const position of node.ends) all.add(position);
    }
    for (const position of prefixes) all.add(position);
    const passed = ascending(prefixes);
    const here = all.size === prefixes.size ? passed : ascending(all);
    this.positions += named.size + passed.length + here.length;
    return { nodes, named, other: undefined, passed, here };
  }
}

function makeNode(): TrieNode {
  return { children: new Map(), parameter: undefined, ends: [], prefixes: [] };
}

/** Inserts the layer under its pattern's shape; returns false if it has to be a candidate for every path. */
function insert(trie: TrieNode, layer: StackLayer, position: number, kind: LayerKind): boolean {
  // A layer of another kind, a copy, or one with its own `match` is tried for every path
  if (!Object.prototype.isPrototypeOf.call(kind.prototype, layer) || layer.match !== kind.match) return false;
  const shape = layer[PATTERN]?.shape;
  if (shape === undefined || (layer[PREFIX] && shape.segments.length === 0)) return false;
  let node = trie;
  for (const segment of shape.segments) {
    if (segment === null) {
      node = node.parameter ??= makeNode();
    } else {
      const hash = hashOf(segment);
      let child = node.children.get(hash);
      if (child === undefined) node.children.set(hash, (child = makeNode()));
      node = child;
    }
  }
  (layer[PREFIX] ? node.prefixes : node.ends).push(position);
  return true;
}

function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = extendHash(hash, name.charCodeAt(i));
  return hash;
}

/** Returns the hash of a name that continues with another character. */
function extendHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code | CASE)) | 0;
}

function ascending(positions: Set<number>): number[] {
  return [...positions].sort((a, b) => a - b);
}
