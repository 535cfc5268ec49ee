/**
 * Compiles the tree of an expression to a program.
 *
 * An iteration of a loop that consumes no character must fail. Therefore an iteration that might do so is preceded by
 * `fresh`, which every consumed character cancels, and followed by `progress`, which fails if it was not cancelled.
 */
import { CharacterSet } from './character-set';
import { filterAt } from './filter';
import { Op } from './program';
import type { Program } from './program';
import type { Assertion, GroupRange, Node, Tree } from './syntax';

/** Counted repetitions are unrolled; a program longer than this is left to the native engine. */
const MAX_LENGTH = 1 << 16;

const ASSERTION_OPS: Record<Assertion, Op> = {
  start: Op.start,
  end: Op.end,
  boundary: Op.boundary,
  inside: Op.inside,
};

function isAnchored(node: Node): boolean {
  switch (node.type) {
    case 'assertion':
      return node.is === 'start';
    case 'sequence':
      return node.nodes.length > 0 && isAnchored(node.nodes[0]!);
    case 'choice':
      return node.nodes.every(isAnchored);
    case 'group':
      return isAnchored(node.node);
    default:
      return false;
  }
}

function canBeEmpty(node: Node): boolean {
  switch (node.type) {
    case 'atom':
      return false;
    case 'sequence':
      return node.nodes.every(canBeEmpty);
    case 'choice':
      return node.nodes.some(canBeEmpty);
    case 'group':
      return canBeEmpty(node.node);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.node);
    default:
      return true;
  }
}

class Compiler {
  readonly code: number[] = [];
  readonly sets: CharacterSet[] = [];
  states = 0;
  hasFresh = false;
  hasLook = false;
  readonly savingLooks: number[] = [];
  /** The places in the code for which filters are created at the end. */
  readonly filterPlaces: number[] = [];
  /** The numbers of the filters of alternatives, which loops emit more than once. */
  private readonly alternatives = new Map<Node, number>();
  /** The `save` instruction to which another slot can be added, or -1. */
  private openSave = -1;
  /** In a look-ahead, every choice is a `split`; in a negative one, nothing is saved. */
  private looking = false;
  private saving = true;

  constructor(private readonly ignoreCase: boolean) {}

  get tooLong(): boolean {
    return this.code.length > MAX_LENGTH;
  }

  emit(...instruction: number[]): number {
    this.openSave = -1;
    return this.code.push(...instruction) - instruction.length;
  }

  node(node: Node): void {
    switch (node.type) {
      case 'atom':
        this.atom(node.source);
        break;
      case 'assertion':
        this.emit(ASSERTION_OPS[node.is]);
        break;
      case 'sequence':
        for (const part of node.nodes) this.node(part);
        break;
      case 'choice':
        this.choice(node.nodes);
        break;
      case 'group':
        if (this.saving) this.save(2 * node.index);
        this.node(node.node);
        if (this.saving) this.save(2 * node.index + 1);
        break;
      case 'repeat':
        this.repeat(node);
        break;
      case 'look':
        this.look(node);
    }
  }

  /** Returns the end of the code as a jump target. */
  private target(): number {
    this.openSave = -1;
    return this.code.length;
  }

  private save(slot: number): void {
    const save = this.openSave < 0 ? this.emit(Op.save, 0, 0, 0) : this.openSave;
    this.code.push(slot);
    this.code[save + 3]!++;
    this.openSave = save;
  }

  private set(source: string): number {
    const set = CharacterSet.of(source, this.ignoreCase);
    const known = this.sets.indexOf(set);
    return known < 0 ? this.sets.push(set) - 1 : known;
  }

  private atom(source: string): void {
    if (!/^[!-~]$/.test(source) || source === '.') {
      this.emit(Op.set, this.set(source));
      return;
    }
    const lower = this.ignoreCase ? source.toLowerCase() : source;
    const upper = this.ignoreCase ? source.toUpperCase() : source;
    this.emit(Op.character, lower.charCodeAt(0), upper.charCodeAt(0));
  }

  private choice(nodes: readonly Node[]): void {
    const jumps: number[] = [];
    nodes.forEach((node, i) => {
      if (i === nodes.length - 1) {
        this.node(node);
        return;
      }
      const split = this.split();
      if (!canBeEmpty(node)) this.code[split + 4] = this.beginningOf(node);
      this.node(node);
      jumps.push(this.emit(Op.jump, 0));
      this.code[split + 2] = this.code.length;
    });
    for (const jump of jumps) this.code[jump + 1] = this.target();
  }

  /** Returns the filter for an alternative that is emitted next. */
  private beginningOf(node: Node): number {
    const filter = this.alternatives.get(node) ?? this.filterPlaces.push(this.code.length) - 1;
    this.alternatives.set(node, filter);
    return filter;
  }

  /** Emits a `split` that continues with the next instruction first; its other target is set later. */
  private split(): number {
    const split = this.emit(Op.split, 0, 0, this.states++, -1);
    this.code[split + 1] = this.code.length;
    return split;
  }

  private repeat(node: Extract<Node, { type: 'repeat' }>): void {
    const { min, max, greedy } = node;
    const star = max === Infinity && node.node.type === 'atom' && !this.looking ? node.node : undefined;
    const backwards = max === Infinity && min > 0 && !star && !canBeEmpty(node.node);
    for (let i = backwards ? 1 : 0; i < min && !this.tooLong; i++) this.iteration(node);
    if (max === Infinity) {
      if (star) this.star(star.source, greedy, min > 0);
      else if (backwards) this.loopBack(node);
      else this.loop(node);
      return;
    }
    const splits: number[] = [];
    for (let i = min; i < max && !this.tooLong; i++) {
      splits.push(this.split());
      this.optionalIteration(node);
    }
    for (const split of splits) this.leave(split, greedy);
  }

  private loop(node: Extract<Node, { type: 'repeat' }>): void {
    const split = this.split();
    this.optionalIteration(node);
    this.emit(Op.jump, split);
    this.leave(split, node.greedy);
  }

  /**
   * Emits one iteration and then a choice to repeat it: emitted only once, so that nested loops do not double in size
   * at each level.
   */
  private loopBack(node: Extract<Node, { type: 'repeat' }>): void {
    const begin = this.target();
    this.iteration(node);
    const split = this.split();
    this.code[split + (node.greedy ? 1 : 2)] = begin;
    this.code[split + (node.greedy ? 2 : 1)] = this.code.length;
  }

  /** Sets the split's other target to the current end of the code; if it is lazy, that target is tried first. */
  private leave(split: number, greedy: boolean): void {
    const inside = this.code[split + 1]!;
    this.code[split + (greedy ? 2 : 1)] = this.target();
    this.code[split + (greedy ? 1 : 2)] = inside;
  }

  private star(source: string, greedy: boolean, isRepeated: boolean): void {
    const set = this.set(source);
    // A lazy star consumes another character with the instruction before it: that of the required first iteration, or
    // one that is added here, and that the first pass jumps over
    if (!greedy && !(isRepeated && this.code.at(-2) === Op.set)) {
      const jump = this.emit(Op.jump, 0);
      this.emit(Op.set, set);
      this.code[jump + 1] = this.code.length;
    }
    const filter = this.filterPlaces.length;
    this.emit(greedy ? Op.star : Op.lazyStar, set, this.states++, filter);
    this.filterPlaces.push(this.code.length);
  }

  /** Emits a required iteration, which begins with its own groups unset. */
  private iteration({ node, groups: [from, to] }: { node: Node; groups: GroupRange }): void {
    if (from < to && this.saving) this.openSave = this.emit(Op.save, 2 * from, 2 * to, 0);
    this.node(node);
  }

  /** Emits an optional iteration, which must also consume a character. */
  private optionalIteration(repeat: { node: Node; groups: GroupRange }): void {
    const check = canBeEmpty(repeat.node);
    if (check) this.emit(Op.fresh);
    this.iteration(repeat);
    if (check) this.emit(Op.progress);
    this.hasFresh ||= check;
  }

  private look({ node, negative, groups: [from, to] }: Extract<Node, { type: 'look' }>): void {
    const { looking, saving } = this;
    this.looking = true;
    this.saving = saving && !negative;
    this.hasLook = true;
    const slots = this.saving ? [2 * from, 2 * to] : [0, 0];
    const look = this.emit(Op.look, negative ? 1 : 0, 0, ...slots);
    if (this.saving && to > from) this.savingLooks.push(look);
    this.node(node);
    this.emit(Op.accept);
    this.code[look + 2] = this.code.length;
    this.looking = looking;
    this.saving = saving;
  }
}

/**
 * Returns the program for an expression, or undefined if it would be too long.
 *
 * @param tree from `parseExpression`
 * @param ignoreCase whether the expression has the flag `i`
 */
export function compile({ node, groupCount }: Tree, ignoreCase: boolean): Program | undefined {
  const compiler = new Compiler(ignoreCase);
  compiler.node(node);
  compiler.emit(Op.accept);
  if (compiler.tooLong) return undefined;
  const { code, sets, hasLook, savingLooks } = compiler;
  const placesPerState = compiler.hasFresh ? 2 : 1;
  const filters = compiler.filterPlaces.map(place => filterAt(code, sets, place));
  const places = compiler.states * placesPerState;
  const anchored = isAnchored(node);
  return {
    code,
    sets,
    filters,
    places,
    placesPerState,
    hasLook,
    savingLooks,
    slots: 2 * groupCount,
    anchored,
  };
}
