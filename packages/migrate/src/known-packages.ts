/** Packages whose newer versions need Express 5, and therefore do not run on the Express 4 API. */

export interface KnownPackage {
  name: string;
  /** The first major version that is affected. */
  from: number;
  reason: string;
}

const NEEDS_EXPRESS_5 = 'It depends on Express 5, and keeps it.';

/** docs/COMPATIBILITY.md lists each of them, as tested on Express 5 or as not run; a test compares both lists. */
export const knownPackages: readonly KnownPackage[] = [
  { name: '@nestjs/platform-express', from: 11, reason: NEEDS_EXPRESS_5 },
  { name: '@google-cloud/functions-framework', from: 5, reason: NEEDS_EXPRESS_5 },
  { name: 'webpack-dev-server', from: 6, reason: NEEDS_EXPRESS_5 },
  { name: 'n8n', from: 2, reason: NEEDS_EXPRESS_5 },
  { name: 'parse-server', from: 9, reason: NEEDS_EXPRESS_5 },
];

/** Returns the known packages that are installed. */
export function installedOf(
  versions: ReadonlyMap<string, ReadonlySet<string>>,
): (KnownPackage & { version: string })[] {
  return knownPackages.flatMap(known =>
    [...(versions.get(known.name) ?? [])]
      .filter(version => Number.parseInt(version, 10) >= known.from)
      .map(version => ({ ...known, version })),
  );
}
