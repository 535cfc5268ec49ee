/** The repository's directory. */
export const root: string;
/** The directory of the middleware packages. */
export const MIDDLEWARE: string;
/** Returns the directory of every package, relative to the repository and with slashes. */
export function packageHomes(): string[];
