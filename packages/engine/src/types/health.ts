/** The options of `web.health`. */

/**
 * Checks whether a dependency of the application is available.
 * @param signal aborted when the time for the check is over
 * @returns nothing or a result, or a promise of it, if it is available. It is not if the check throws or rejects, or
 * returns `false`, `null`, another falsy value except undefined, an error, or an object whose `ok` is false, such as a
 * `Response` of `fetch`
 */
export type HealthCheck = (signal: AbortSignal) => unknown;

/** The paths that report health, and the checks they run. */
export interface HealthOptions {
  /** The checks that must succeed before requests can be served, by name. @default none */
  checks?: Readonly<Record<string, HealthCheck>> | undefined;
  /**
   * The path of the liveness endpoint, which reports whether the process is alive; false for none.
   * @default '/livez'
   */
  live?: string | false | undefined;
  /**
   * The path of the readiness endpoint, which reports whether requests can be served; false for none.
   * @default '/readyz'
   */
  ready?: string | false | undefined;
  /** The timeout of each check, in milliseconds or as a string. @default '2s' */
  timeout?: number | string | undefined;
  /** How long the result of the checks is cached, in milliseconds or as a string; 0 disables caching. @default '1s' */
  maxAge?: number | string | undefined;
  /** Whether the response lists the checks and their results. @default true */
  details?: boolean | undefined;
}
