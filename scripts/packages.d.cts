/** The repository's directory. */
export const root: string;
/** The directory of the middleware packages. */
export const MIDDLEWARE: string;
/** The directory of the package that the versions of the API depend on. */
export const ENGINE: string;
/** The directories of the versions of the API. */
export const VERSIONS: readonly string[];
/**
 * Returns the directory of every package, or of the named ones and of what they depend on, relative to the repository and
 * with slashes, none before what it depends on.
 */
export function packageHomes(...names: string[]): string[];
/** Returns the manifest of a package as it is published: with the fields that it shares with all others. */
export function publishedManifest(home: string): Record<string, unknown>;
