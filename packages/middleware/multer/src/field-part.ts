/** A field of a form that is not a file: its value as it arrives, and its checks. */
import { Bytes } from './bytes';
import { decoderOf } from './charset';
import type { Decode } from './charset';
import { addField, parseFieldName } from './field-path';
import type { Fields } from './field-path';
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
