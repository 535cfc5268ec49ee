/** The limits of a form, with defaults. */

/** The maximum sizes and counts of a form's fields and files; `Infinity` for no limit. */
export interface Limits {
  /** The length of a field's name as sent: a browser sends `"` as `%22`. @default Infinity */
  fieldNameSize?: number | undefined;
  /** The size of a field's value in bytes. @default 1048576 */
  fieldSize?: number | undefined;
  /** The number of fields that are not files. @default Infinity */
  fields?: number | undefined;
  /** The number of brackets in a field's name: `a[b][c]` has 2. @default Infinity */
  fieldNestingDepth?: number | undefined;
  /** The greatest array index in a field's name: that of `a[3]` is 3. @default Infinity */
  fieldArrayIndexLimit?: number | undefined;
  /** The size of each file in bytes. @default Infinity */
  fileSize?: number | undefined;
  /** The number of files. @default Infinity */
  files?: number | undefined;
  /** The number of fields and files. @default Infinity */
  parts?: number | undefined;
  /** Has no effect, as in multer: the header of a part has at most 16 KiB. */
  headerPairs?: number | undefined;
}

export type FormLimits = Required<{ [Name in keyof Limits]: number }>;

const DEFAULTS: FormLimits = {
  fieldNameSize: Infinity,
  fieldSize: 1024 * 1024,
  fields: Infinity,
  fieldNestingDepth: Infinity,
  fieldArrayIndexLimit: Infinity,
  fileSize: Infinity,
  files: Infinity,
  parts: Infinity,
  headerPairs: Infinity,
};

const NAMES = Object.keys(DEFAULTS);

/**
 * Returns the limits, completed with defaults.
 * @throws TypeError for a limit that is neither a non-negative integer nor `Infinity`, and for a name in another case
 */
export function readLimits(limits: unknown): FormLimits {
  if (limits === undefined || limits === null) return DEFAULTS;
  const read: Record<string, number> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || value === null) continue;
    // `filesize` would leave the size of files unlimited.
    const meant = NAMES.find(one => one !== name && one.toLowerCase() === name.toLowerCase());
    if (meant !== undefined) throw new TypeError(`Expected limits.${meant}, got limits.${name}`);
    if (value !== Infinity && !(Number.isInteger(value) && (value as number) >= 0)) {
      throw new TypeError(`Expected limits.${name} to be a non-negative integer or Infinity`);
    }
    read[name] = value as number;
  }
  return read as FormLimits;
}
