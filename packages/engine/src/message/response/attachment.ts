/** `res.attachment`: marks the response as a file to be saved (RFC 6266). */
import { extname } from 'node:path';
import type { Response } from '../../types/core';
import { versionOf } from '../../version';

/**
 * Sets `Content-Disposition` to 'attachment'; with a name also its `filename`, and `Content-Type` from its extension.
 *
 * @returns the response, for chaining
 * @throws TypeError if the name is not a string
 * @example res.attachment('path/to/logo.png'); // attachment; filename="logo.png"
 */
export function attachment(this: Response, filename?: string): Response {
  const { contentDisposition, nameOfFile } = versionOf(this).responses;
  const name = filename === undefined ? undefined : nameOfFile(filename);
  if (name) this.type(extname(name));
  return this.set('Content-Disposition', contentDisposition(name));
}
