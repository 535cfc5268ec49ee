/**
 * A field of a form that is not a file: its value as it arrives, and its checks. Fields such as `pet[name]` and `tags[]`
 * are added to an object as the W3C's HTML JSON form submission describes: a name that is not a path is a single key.
 */
import { Bytes } from './bytes';
import { decoderOf } from './charset';
import type { Decode } from './charset';
import type { FormLimits } from './limits';
import { MulterError } from './multer-error';
import type { PartHeader } from './part-header';

export class FieldPart {
  private readonly value = new Bytes();

  constructor(
    private readonly header: PartHeader,
    private readonly limits: FormLimits,
  ) {}

  private get isTooLong(): boolean {
    return this.value.size > this.limits.fieldSize;
  }

  write(piece: Buffer): void {
    if (!this.isTooLong) this.value.add(piece);
  }

  /**
   * Adds the complete field to an object.
   * @param decodeValue decodes the value, unless the part names another charset
   * @throws MulterError for a field without a name, or beyond the limits
   */
  addTo(fields: Fields, decodeValue: Decode): void {
    const { limits, value } = this;
    const { name, nameSize, charset } = this.header;
    if (name === undefined) throw new MulterError('MISSING_FIELD_NAME');
    if (this.isTooLong) throw new MulterError('LIMIT_FIELD_VALUE', name);
    if (nameSize > limits.fieldNameSize) throw new MulterError('LIMIT_FIELD_KEY');
    if (limits.fieldNestingDepth !== Infinity && bracketsIn(name) > limits.fieldNestingDepth) {
      throw new MulterError('LIMIT_FIELD_NESTING', name);
    }
    const path = parseFieldName(name);
    if (path.steps.some(step => typeof step === 'number' && step > limits.fieldArrayIndexLimit)) {
      throw new MulterError('LIMIT_FIELD_ARRAY_INDEX', name);
    }
    const decode = (charset === undefined ? undefined : decoderOf(charset)) ?? decodeValue;
    const bytes = value.read();
    addField(fields, path, decode(bytes, 0, bytes.length));
  }
}

function bracketsIn(name: string): number {
  return name.split('[').length - 1;
}

/** An object of fields, without prototype, so that no name from a client refers to a member of `Object.prototype`. */
export type Fields = Record<string, unknown>;

/**
 * The greatest index for which an array is created. With larger ones, a single field could keep every loop over the
 * array busy.
 */
const GREATEST_INDEX = 10_000;

interface FieldPath {
  /** The keys; numbers are indexes. */
  steps: (string | number)[];
  /** Whether the name ends with `[]`. */
  isAppend: boolean;
}

const STEP = /\[(?:(\d+)|([^\]]+))\]/y;

/** Returns the path that the name of a field describes. */
export function parseFieldName(name: string): FieldPath {
  const bracket = name.indexOf('[');
  if (bracket <= 0) return { steps: [name], isAppend: false };
  const steps: (string | number)[] = [name.slice(0, bracket)];
  const isAppend = name.endsWith('[]');
  const end = isAppend ? name.length - 2 : name.length;
  let at = bracket;
  while (at < end) {
    STEP.lastIndex = at;
    const match = STEP.exec(name);
    if (match === null || STEP.lastIndex > end) return { steps: [name], isAppend: false };
    steps.push(match[1] === undefined ? match[2]! : Number.parseInt(match[1], 10));
    at = STEP.lastIndex;
  }
  return { steps, isAppend };
}

/** Adds a field. Values at the same place become an array; a value where an object is gets the key `''` in it. */
export function addField(fields: Fields, { steps, isAppend }: FieldPath, value: string): void {
  const last = steps.length - 1;
  let container = fields as Record<string | number, unknown>;
  for (let at = 0; at < last; at++) {
    container = enter(container, steps[at]!, steps[at + 1]!);
  }
  let key = steps[last]!;
  let current = container[key];
  while (typeof current === 'object' && current !== null && !Array.isArray(current)) {
    container = current as Record<string, unknown>;
    key = '';
    current = container[key];
  }
  if (current === undefined) container[key] = isAppend && key !== '' ? [value] : value;
  else if (Array.isArray(current)) current.push(value);
  else container[key] = [current, value];
}

/** Returns the object or array at a key, created or converted to suit the next key. */
function enter(
  container: Record<string | number, unknown>,
  key: string | number,
  next: string | number,
): Record<string | number, unknown> {
  const current = container[key];
  const isIndex = typeof next === 'number' && next <= GREATEST_INDEX;
  let entered: unknown = current;
  if (current === undefined) {
    entered = isIndex ? [] : Object.create(null);
  } else if (Array.isArray(current)) {
    // Uses the keys, because `forEach` visits each index of a sparse array.
    if (!isIndex) entered = Object.assign(Object.create(null) as object, current);
  } else if (typeof current !== 'object') {
    entered = Object.assign(Object.create(null) as object, { '': current });
  }
  if (entered !== current) container[key] = entered;
  return entered as Record<string | number, unknown>;
}
