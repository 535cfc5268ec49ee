/** The class of the entries of `req.files`. */
import type { PartHeader } from './part-header';

/** An uploaded file, as 3.x describes it. It is in a temporary directory: the application moves or removes it. */
export class UploadedFile {
  /** The name of the form field. */
  readonly fieldName: string;
  /** The name of the file as the client sent it, without directories. */
  readonly originalFilename: string;
  /** The path of the file. */
  readonly path: string;
  /** The headers of the part, by name in lower case. */
  readonly headers: Record<string, string>;
  /** The size in bytes. */
  size = 0;
  name: string;
  /** The media type that the client sent, or null. */
  type: string | null;
  /** The digest of the content in hexadecimal, if the option `hash` is set. */
  hash: string | null = null;
  /** When the last byte was written. */
  lastModifiedDate: Date | null = null;

  constructor(header: PartHeader, path: string) {
    this.fieldName = header.name;
    this.originalFilename = header.filename!;
    this.path = path;
    this.headers = header.fields;
    this.name = header.filename!;
    this.type = header.type;
  }

  /** The same as `size`. */
  get length(): number {
    return this.size;
  }

  /** The same as `name`. */
  get filename(): string {
    return this.name;
  }

  /** The same as `type`. */
  get mime(): string | null {
    return this.type;
  }
}
