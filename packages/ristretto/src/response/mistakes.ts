/** What warns of mistakes in the use of a response, where that is wanted. */
import { reportsMistakes } from '../diagnose/gate';
import type * as values from '../diagnose/values';

/** @param res a response, or what a tool has given the members of one: it may lack an application */
export function mistakesOf(res: object): typeof values | undefined {
  const { app } = res as { app?: { settings: Readonly<Record<string, unknown>> } };
  return reportsMistakes(app?.settings) ? (require('../diagnose/values') as typeof values) : undefined;
}
