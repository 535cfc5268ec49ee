/** Decides whether mistakes are reported and errors explained, and so whether anything of dev/ is loaded. */

type Settings = Readonly<Record<string, unknown>>;

/**
 * Whether to check for mistakes and report them: only in development, and only if warnings are not disabled. Call it
 * before loading any file of dev/.
 * @param settings those of the application concerned, if known
 * @example
 * const warnings = deferred(() => require('../dev/warn') as typeof warn, reportsMistakes);
 * if (reportsMistakes(app.settings)) warnings().warnOnce('RISTRETTO_X', 'X is wrong.');
 */
export function reportsMistakes(settings?: Settings): boolean {
  if (settings?.['development warnings'] === false) return false;
  return isDevelopment(settings) && process.env.RISTRETTO_WARNINGS !== 'off';
}

/**
 * Whether unhandled errors are explained, on a page and in the log: only in development, and only if not disabled by
 * the setting `error page` or the environment variable `RISTRETTO_ERROR_PAGE`.
 */
export function explainsErrors(settings?: Settings): boolean {
  if (settings?.['error page'] === false) return false;
  return isDevelopment(settings) && process.env.RISTRETTO_ERROR_PAGE !== 'off';
}

function isDevelopment(settings?: Settings): boolean {
  if (settings !== undefined && settings.env !== 'development') return false;
  // Read on each call, because programs may load it from a .env file after the framework
  const { NODE_ENV } = process.env;
  return !NODE_ENV || NODE_ENV === 'development';
}

/** The directories of the versions that the process has loaded: their frames in a stack are not the program's. */
export const versionRoots: string[] = [];

/**
 * Adds the directory of a version.
 * @param lib the directory of its compiled code; undefined in a bundle, which has none
 */
export function noteVersionRoot(lib: string | undefined): void {
  if (lib !== undefined) versionRoots.push(lib.replace(/[\\/](?:lib|src)$/, ''));
}
