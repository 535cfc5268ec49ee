/** The errors of multer's own checks, and those of the application's functions. */

/** What a check found. */
export type ErrorCode =
  | 'LIMIT_PART_COUNT'
  | 'LIMIT_FILE_SIZE'
  | 'LIMIT_FILE_COUNT'
  | 'LIMIT_FIELD_KEY'
  | 'LIMIT_FIELD_VALUE'
  | 'LIMIT_FIELD_COUNT'
  | 'LIMIT_FIELD_NESTING'
  | 'LIMIT_FIELD_ARRAY_INDEX'
  | 'LIMIT_UNEXPECTED_FILE'
  | 'MISSING_FIELD_NAME'
  | 'INVALID_FIELD_NAME'
  | 'STREAM_DESTROYED';

const MESSAGES: Record<ErrorCode, string> = {
  LIMIT_PART_COUNT: 'Too many parts',
  LIMIT_FILE_SIZE: 'File too large',
  LIMIT_FILE_COUNT: 'Too many files',
  LIMIT_FIELD_KEY: 'Field name too long',
  LIMIT_FIELD_VALUE: 'Field value too long',
  LIMIT_FIELD_COUNT: 'Too many fields',
  LIMIT_FIELD_NESTING: 'Field name nesting too deep',
  LIMIT_FIELD_ARRAY_INDEX: 'Field name array index too large',
  LIMIT_UNEXPECTED_FILE: 'Unexpected file field',
  MISSING_FIELD_NAME: 'Field name missing',
  INVALID_FIELD_NAME: 'Invalid field name',
  STREAM_DESTROYED: 'File stream was destroyed',
};

/** An error of multer itself, rather than of a storage or of the application. */
export class MulterError extends Error {
  code: ErrorCode;
  /** The name of the form field, if the error concerns one. */
  field?: string;
  /** The name of the file as the client sent it, if the error concerns one. */
  filename?: string;
  /** The errors that `_removeFile` reported for files of the failed request. */
  storageErrors?: Error[];

  constructor(code: ErrorCode, field?: string, filename?: string) {
    super();
    // Assigned, because error handlers that copy or serialize errors use enumerable properties.
    this.name = new.target.name;
    this.message = MESSAGES[code] ?? `Unknown error: ${code as string}`;
    // The stack captured by `super()` has neither the name nor the message.
    Error.captureStackTrace(this, new.target);
    this.code = code;
    if (field) this.field = field;
    if (filename) this.filename = filename;
  }
}

/** Calls a function of the application, and passes on what it throws, or rejects with by a promise of any class. */
export function run(call: () => unknown, failed: (error: unknown) => void): void {
  const fail = (reason: unknown): void => {
    // Without a reason, a failure would pass for a file that is stored, or a form that is complete
    failed(reason || new Error(`An upload failed without a reason (${String(reason)})`));
  };
  try {
    watchPromise(call(), fail);
  } catch (reason) {
    fail(reason);
  }
}

function watchPromise(result: unknown, failed: (error: unknown) => void): void {
  const isPromise =
    typeof (result as PromiseLike<unknown> | undefined)?.then === 'function' &&
    typeof (Object(result) as { constructor?: Partial<PromiseConstructor> }).constructor?.resolve ===
      'function';
  if (isPromise) (result as PromiseLike<unknown>).then(() => undefined, failed);
}
