/**
 * Removes copies of Express 4 from an npm installation: npm keeps the versions in its lock file in spite of a new
 * override.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Project } from './project';
import { readTree } from './tree';

/** Makes the next installation choose a new version of Express for the packages that depend on Express 4. */
export function releaseCopies(project: Project): void {
  const { root, manager, lockFile } = project;
  if (manager !== 'npm') return;
  const places = readTree(project)
    .copies.filter(
      ({ name, version, place }) =>
        name === 'express' && version.startsWith('4.') && /\bnode_modules\/express$/.test(place),
    )
    .map(({ place }) => place);
  for (const place of places) fs.rmSync(path.join(root.folder, place), { recursive: true, force: true });
  if (lockFile === undefined) return;
  const file = path.join(root.folder, lockFile);
  const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as { packages?: Record<string, unknown> };
  const isKept = (key: string) => !places.some(place => key === place || key.startsWith(`${place}/`));
  lock.packages = Object.fromEntries(Object.entries(lock.packages ?? {}).filter(([key]) => isKept(key)));
  fs.writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
}
