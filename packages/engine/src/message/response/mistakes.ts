/** Loads the functions that warn about misuse of a response, if warnings are enabled. */
import { deferred } from '../../deferred';
import { reportsMistakes } from '../../report/development';
import type * as values from '../../dev/response-values';

const checks = deferred(() => require('../../dev/response-values') as typeof values, reportsMistakes);

/** @param res a response, or an object to which a tool has added the members of one: it may lack an application */
export function mistakesOf(res: object): typeof values | undefined {
  const { app } = res as { app?: { settings: Readonly<Record<string, unknown>> } };
  return reportsMistakes(app?.settings) ? checks() : undefined;
}
