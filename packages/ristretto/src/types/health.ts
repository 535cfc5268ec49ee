/** What `web.health` takes. */

/**
 * Looks whether something that the application depends on can be used.
 * @param signal aborted when the time for the check is over
 * @returns `false`, or a promise of it, where it can't; or it throws or rejects. Anything else means that it can
 */
export type HealthCheck = (signal: AbortSignal) => unknown;

/** Where health is reported, and what it depends on. */
export interface HealthOptions {
  /** What must work before requests can be served, by name. @default nothing */
  checks?: Readonly<Record<string, HealthCheck>> | undefined;
  /** The path that says whether the process is alive; false for none. @default '/livez' */
  live?: string | false | undefined;
  /** The path that says whether requests can be served; false for none. @default '/readyz' */
  ready?: string | false | undefined;
  /** The time for each check, in milliseconds or as text. @default '2s' */
  timeout?: number | string | undefined;
  /** How long the outcome of the checks is used again, in milliseconds or as text; 0 for never. @default '1s' */
  maxAge?: number | string | undefined;
  /** Whether the response names the checks and their outcomes. @default true */
  details?: boolean | undefined;
}
