/** An entry of `req.files`. */
import type { PartHeader } from './part-header';

/** A file that was uploaded, as 3.x describes it. It lies in a temporary place: the application moves or removes it. */
export class UploadedFile {
  /** The name of the form's field. */
  readonly fieldName: string;
  /** The name that the file had with the client, without directories. */
  readonly originalFilename: string;
  /** Where it is. */
  readonly path: string;
  /** The fields of the part, by their names in lower case. */
  readonly headers: Record<string, string>;
  /** In bytes. */
  size = 0;
  name: string;
  /** The media type that the client gave, null where it gave none. */
  type: string | null;
  /** The digest of the content in hexadecimal, where the option `hash` asks for one. */
  hash: string | null = null;
  /** When its last byte was written. */
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
