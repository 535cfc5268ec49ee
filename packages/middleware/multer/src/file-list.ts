/** Places files in `req.file` or `req.files`, in the order in which the client sent them. */
import type { Request, UploadFile } from './types';

/** The positions where a middleware stores files. */
export type FileStrategy = 'NONE' | 'VALUE' | 'ARRAY' | 'OBJECT';

export class FileList {
  private readonly all: UploadFile[] = [];
  private readonly byName = Object.create(null) as Record<string, UploadFile[]>;

  constructor(
    private readonly req: Request,
    private readonly strategy: FileStrategy,
  ) {
    if (strategy === 'ARRAY') req.files = this.all;
    if (strategy === 'OBJECT') req.files = this.byName;
  }

  /** Returns an entry that reserves the position of a file. */
  reserve({ fieldname }: UploadFile): UploadFile {
    const place = { fieldname } as UploadFile;
    if (this.strategy === 'ARRAY') this.all.push(place);
    if (this.strategy === 'OBJECT') (this.byName[fieldname] ??= []).push(place);
    return place;
  }

  /** Stores a file at its position. */
  fill(place: UploadFile, file: UploadFile): void {
    if (this.strategy === 'VALUE') {
      this.req.file = file;
      return;
    }
    Object.assign(place, file);
  }

  /** Removes an entry. */
  release(place: UploadFile): void {
    if (this.strategy === 'ARRAY') remove(this.all, place);
    if (this.strategy !== 'OBJECT') return;
    const list = this.byName[place.fieldname]!;
    remove(list, place);
    if (list.length === 0) delete this.byName[place.fieldname];
  }
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
