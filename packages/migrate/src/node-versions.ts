/** Finds files that choose a version of Node that is too old: images, workflows, and the files of version managers. */
import fs from 'node:fs';
import path from 'node:path';
import { relative } from './paths';
import type { Project } from './project';

const OLDEST = 20;

/** The names of older releases, as in `lts/hydrogen`. */
const NAMES = 'argon|boron|carbon|dubnium|erbium|fermium|gallium|hydrogen';

/** What to search for, by file name. */
const FILES: readonly (readonly [name: RegExp, version: RegExp])[] = [
  [
    /^(?:Docker|Container)file(?:\..+)?$|\.[Dd]ockerfile$/,
    new RegExp(
      `^\\s*FROM\\s+(?:--\\S+\\s+)*(?:\\S+\\/)?node:(?:lts-)?(\\d+|${NAMES})|^\\s*ARG\\s+NODE_VERSION=["']?v?(\\d+)`,
      'gim',
    ),
  ],
  [/^\.(?:nvmrc|node-version)$/, new RegExp(`^\\s*(?:v?(\\d+)|lts\\/(${NAMES})\\b)`, 'gm')],
  [/^\.tool-versions$/, /^node(?:js)?\s+v?(\d+)/gm],
  [/^package\.json$/, /"volta"\s*:\s*\{[^}]*"node"\s*:\s*"v?(\d+)/g],
  [
    /\.ya?ml$/,
    new RegExp(
      `^\\s*(?:- +)?image: *["']?(?:\\S+\\/)?node:(?:lts-)?(\\d+|${NAMES})|^\\s*(?:- +)?node-version: *\\[? *["']?v?(\\d+)`,
      'gm',
    ),
  ],
];

/** Returns a note for each file in the directories of an application's packages. */
export function notesOnNode({ home, root, packages }: Project): string[] {
  const workflows = path.join(root.folder, '.github/workflows');
  const folders = new Set([root.folder, home, ...packages.map(({ folder }) => folder), workflows]);
  return [...folders].filter(fs.existsSync).flatMap(folder =>
    fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      const [, version] = FILES.find(([name]) => entry.isFile() && name.test(entry.name)) ?? [];
      if (version === undefined) return [];
      const file = path.join(folder, entry.name);
      const found = [...fs.readFileSync(file, 'utf8').matchAll(version)].map(match => match[1] ?? match[2]!);
      const old = found.find(each => !(Number(each) >= OLDEST));
      if (old === undefined) return [];
      const needed = `Ristretto needs Node.js ${String(OLDEST)} or newer`;
      return [`${relative(root.folder, file)} has Node ${old}; ${needed}.`];
    }),
  );
}
