/** Bodies of forms with files, and checks that they leave no files or handles open. */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Ask } from '../../../engine/test/support/http.js';

export const BOUNDARY = 'AaB03x';
export const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** One part: a field, a file if it has a file name, or a custom header. */
export interface Part {
  name?: string;
  filename?: string;
  type?: string;
  header?: string;
  value?: string | Buffer;
}

function headerOf({ name, filename, type, header }: Part): string {
  if (header !== undefined) return header;
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return `Content-Disposition: form-data; name="${name ?? ''}"${file}${type ? `\r\nContent-Type: ${type}` : ''}`;
}

/** The body of a form. */
export function bodyOf(parts: readonly Part[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(part => [
    Buffer.from(`--${boundary}\r\n${headerOf(part)}\r\n\r\n`),
    Buffer.from(part.value ?? ''),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** A request that sends a form. */
export function form(parts: readonly Part[], rest: Ask = {}): Ask {
  return raw(bodyOf(parts), rest);
}

/** A request with any body and the form's content type. */
export function raw(body: string | Buffer, rest: Ask = {}): Ask {
  return { method: 'POST', ...rest, headers: { 'Content-Type': TYPE, ...rest.headers }, body };
}

/** Creates an empty directory for uploads, which is removed after the test. */
export function uploadDirectory(t: TestContext): { uploadDir: string; left: () => string[] } {
  const uploadDir = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-uploads-'));
  t.after(() => fs.rmSync(uploadDir, { recursive: true, force: true }));
  return { uploadDir, left: () => fs.readdirSync(uploadDir) };
}

/**
 * Records the file handles opened until the end of the test; returns them, and a function that counts those still open.
 * @param change called with each handle, to make it fail
 */
export function watchHandles(
  t: TestContext,
  change?: (handle: FileHandle) => void,
): { opened: FileHandle[]; open: () => number } {
  const opened: FileHandle[] = [];
  const { open } = fs.promises;
  t.mock.method(fs.promises, 'open', async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    opened.push(handle);
    change?.(handle);
    return handle;
  });
  return { opened, open: () => opened.filter(handle => handle.fd !== -1).length };
}
