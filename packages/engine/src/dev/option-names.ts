/** Checks the names of options for typos. */
import { isOneEditAway } from './settings';
import { warnOnce } from './warn';

/**
 * Warns of each option that differs from a known one by a letter, or only in upper and lower case. Other unknown names
 * may be those of a program or a tool.
 * @param call the function that got the options, for the message
 */
export function warnOfUnknownOption(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) return;
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const meant = known.find(one => isOneEditAway(name.toLowerCase(), one.toLowerCase()));
    if (meant === undefined) continue;
    warnOnce(
      'RISTRETTO_UNKNOWN_OPTION',
      `${call} has no option '${name}', and ignores it. Did you mean '${meant}'?`,
    );
  }
}
