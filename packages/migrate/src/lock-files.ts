/** Reads the packages in a lock file of npm, yarn or pnpm. */
import fs from 'node:fs';
import path from 'node:path';

/** A copy of Express, or of Ristretto under any name. */
export interface Copy {
  name: string;
  version: string;
  /** Its directory, relative to the root; if only a lock file is read, its key there. */
  place: string;
}

/** A package in an installation or a lock file. */
export interface Entry extends Copy {
  /** The range of Express that it depends on, if any. */
  express: string | undefined;
}

/** An installed package in npm's lock file. */
interface Locked {
  name?: string;
  version?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
}

/** Reads a lock file; one in an unknown format yields no packages. */
export function readLockFile(file: string): Entry[] {
  const text = fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const name = path.basename(file);
  if (name === 'yarn.lock') return fromYarn(text);
  return name === 'pnpm-lock.yaml' ? fromPnpm(text) : fromNpm(text);
}

function fromNpm(text: string): Entry[] {
  try {
    const { packages = {} } = JSON.parse(text) as { packages?: Record<string, Locked> };
    return Object.entries(packages).flatMap(([place, { name, version, dependencies }]) => {
      const [, folder] = /(?:^|.*\/)node_modules\/(.+)$/.exec(place) ?? [];
      if (folder === undefined || version === undefined) return [];
      return [{ name: name ?? folder, version, place, express: dependencies?.express }];
    });
  } catch {
    return [];
  }
}

/** Both formats of yarn: a block begins with the ranges that it resolves, at the start of a line. */
function fromYarn(text: string): Entry[] {
  return text.split(/\n(?=\S)/).flatMap(block => {
    const [, place] = /^"?((?:@[^@/]+\/)?[^@"]+@[^",:]+(?::[^",]+)?)/.exec(block) ?? [];
    const [, version] = /^ {2}version:? "?([^"\n]+)/m.exec(block) ?? [];
    const [, resolved] = /^ {2}resolution: "((?:@[^@/]+\/)?[^@"]+)@/m.exec(block) ?? [];
    if (place === undefined || version === undefined || version === '0.0.0-use.local') return [];
    // An alias, in the format of yarn 1: express@npm:ristretto@^4.50.0
    const [, alias] = /^[^@]+@npm:((?:@[^@/]+\/)?[^@\s]+)@/.exec(place) ?? [];
    const name = resolved ?? alias ?? place.slice(0, place.indexOf('@', 1));
    const [, express] = /^ {4}"?express"?:? "?(?:npm:)?([^"\n]+)/m.exec(block) ?? [];
    return [{ name, version, place, express }];
  });
}

/**
 * The lock file of pnpm: `packages` has a block for each package; from format 9 on, `snapshots` has its dependencies.
 */
function fromPnpm(text: string): Entry[] {
  const entries = new Map<string, Entry>();
  for (const block of text.replace(/^[^]*?\n(?:packages|snapshots):\n/, '\n').split(/\n(?= {2}\S)/)) {
    const [, name, version] = /^ {2}'?\/?((?:@[^@/]+\/)?[^@/']+)[@/](\d[^(:']*)/.exec(block) ?? [];
    if (name === undefined || version === undefined) continue;
    const [, express] = /^ {6}express: (\d[^\s(]*)/m.exec(block) ?? [];
    const place = `${name}@${version}`;
    entries.set(place, { name, version, place, express: express ?? entries.get(place)?.express });
  }
  return [...entries.values()];
}
