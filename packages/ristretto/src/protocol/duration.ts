/** Durations as text, such as `'10s'`, in the notation of the package `ms`. */

/**
 * @returns milliseconds; undefined for text that is no duration
 * @example parseDuration('1.5h'); // 5400000
 */
export function parseDuration(text: string): number | undefined {
  // Loaded only for text: most applications give none, or a number.
  return text === '' ? undefined : (require('ms') as (text: string) => number | undefined)(text);
}
