/** Decides whether mistakes of programmers are reported, and errors explained. Of this directory, production loads this file only. */

type Settings = Readonly<Record<string, unknown>>;

/**
 * Whether to look for mistakes and report them: in development only, and not where warnings are switched off. Ask it before
 * you load another file of this directory.
 *
 * @param settings those of the application concerned, where one is at hand
 * @example
 * if (reportsMistakes(app.settings)) (require('../diagnose/warn') as typeof warn).warnOnce('RISTRETTO_X', 'X is wrong.');
 */
export function reportsMistakes(settings?: Settings): boolean {
  if (settings?.warnings === false) return false;
  return isDevelopment(settings) && process.env.RISTRETTO_WARNINGS !== 'off';
}

/**
 * Whether unhandled errors are explained, on a page and in the log: in development only, and not where the application or
 * the environment variable `RISTRETTO_ERROR_PAGE` says no.
 */
export function explainsErrors(settings: Settings): boolean {
  if (settings['error page'] === false) return false;
  return isDevelopment(settings) && process.env.RISTRETTO_ERROR_PAGE !== 'off';
}

function isDevelopment(settings?: Settings): boolean {
  if (settings !== undefined && settings.env !== 'development') return false;
  // read each time: programs set it by a file of variables that they load after the framework
  const { NODE_ENV } = process.env;
  return !NODE_ENV || NODE_ENV === 'development';
}
