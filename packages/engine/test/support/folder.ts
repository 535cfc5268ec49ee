/** Folders for modules that tests write beside themselves, so that they resolve the packages. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';

/** Returns the path of a folder that exists while the tests of the file run. */
export function ownFolder(): string {
  const folder = path.join(__dirname, '..', `.own-${randomUUID()}`);
  before(() => fs.mkdirSync(folder));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
