/** What a rule is. */
import type { Exchange } from './exchange.js';

export interface Rule {
  /** A short name, for reports and exemptions. */
  id: string;
  /** Where it is written. */
  section: string;
  /** What it asks for, in a sentence. */
  says: string;
  /** What is wrong with the exchange, or undefined. */
  check(exchange: Exchange): string | undefined;
}

/** The sentence that says what is wrong where something is. */
export function unless(right: boolean, wrong: string): string | undefined {
  return right ? undefined : wrong;
}
