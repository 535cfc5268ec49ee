/** Creates new texts by random mutation of the corpus. */
import type { Random } from '../../packages/engine/test/support/random.js';
import type { Target } from './target.js';

/** Character codes with a meaning in some grammar. */
const SPECIAL = [
  ...[
    0, 9, 10, 13, 27, 32, 33, 34, 35, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 57, 58, 59, 60, 61, 62,
  ],
  ...[63, 64, 65, 91, 92, 93, 94, 95, 96, 97, 122, 123, 124, 125, 126, 127, 128, 133, 160, 195, 255],
];
const WIDE = [0x100, 0x2028, 0x2029, 0x20ac, 0xd800, 0xdbff, 0xdc00, 0xfeff, 0xfffd, 0xffff];

export class Mutator {
  private readonly codes: number[];
  private readonly dictionary: string[];
  private readonly maxLength: number;

  constructor(
    private readonly random: Random,
    target: Pick<Target, 'characters' | 'dictionary' | 'maxLength'>,
  ) {
    this.codes = target.characters === 'unicode' ? [...SPECIAL, ...WIDE] : SPECIAL;
    this.dictionary = target.dictionary;
    this.maxLength = target.maxLength ?? 600;
  }

  /** Returns a mutation of `text`, possibly with parts of `other`. */
  mutate(text: string, other: string): string {
    let result = text;
    // Makes a few changes usually, many sometimes
    const changes = 1 << this.random.between(0, this.random.chance(0.2) ? 5 : 2);
    for (let change = 0; change < changes; change++) result = this.change(result, other);
    return result.length > this.maxLength ? result.slice(0, this.maxLength) : result;
  }

  private change(text: string, other: string): string {
    const { random } = this;
    const at = random.between(0, text.length);
    const end = Math.min(text.length, at + random.between(1, random.chance(0.1) ? 64 : 6));
    const before = text.slice(0, at);
    switch (random.between(0, 11)) {
      case 0:
      case 1:
        return before + this.character() + text.slice(at);
      case 2:
      case 3:
        return before + this.piece() + text.slice(at);
      case 4:
        return before + this.character() + text.slice(at + 1);
      case 5:
        return before + this.piece() + text.slice(end);
      case 6:
        return before + text.slice(end);
      case 7:
        return before + text.slice(at, end) + text.slice(at);
      case 8:
        return before + text.slice(at, end).repeat(1 << random.between(1, 7)) + text.slice(end);
      case 9:
        return before + partOf(random, other) + text.slice(random.chance(0.5) ? at : end);
      case 10:
        return before + other.slice(random.between(0, other.length));
      default:
        return before + changeCase(text.slice(at, end)) + text.slice(end);
    }
  }

  private character(): string {
    const { random } = this;
    if (random.chance(0.6)) return String.fromCharCode(random.pick(this.codes));
    return String.fromCharCode(random.between(0, random.chance(0.8) ? 127 : 255));
  }

  private piece(): string {
    if (this.dictionary.length > 0 && this.random.chance(0.8)) return this.random.pick(this.dictionary);
    return String(this.random.pick([0, 1, -1, 2, 255, 65536, 2 ** 31, 2 ** 53, 1e21, '999999999']));
  }
}

function partOf(random: Random, text: string): string {
  const start = random.between(0, text.length);
  return text.slice(start, start + random.between(0, 24));
}

function changeCase(text: string): string {
  const lower = text.toLowerCase();
  return lower === text ? text.toUpperCase() : lower;
}
