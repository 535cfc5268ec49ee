/** Folders for modules that tests write beside themselves, so that they resolve the packages. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';

/**
 * Returns the path of a folder that exists while the tests of the file run. It is not created when the file is loaded,
 * because the table of features loads all test files without running their hooks: the folders would stay behind, and lint
 * would read what they contain.
 */
export function ownFolder(): string {
  const folder = path.join(__dirname, '..', `.own-${randomUUID()}`);
  before(() => fs.mkdirSync(folder));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
