/** The type of rules. */
import type { Exchange } from './exchange.js';

export interface Rule {
  /** A short name, for reports and exemptions. */
  id: string;
  /** Where it is written. */
  section: string;
  /** The requirement, in a sentence. */
  says: string;
  /** Returns the problem with the exchange, or undefined. */
  check(exchange: Exchange): string | undefined;
}

/** The sentence that describes the problem, if there is one. */
export function unless(right: boolean, wrong: string): string | undefined {
  return right ? undefined : wrong;
}
