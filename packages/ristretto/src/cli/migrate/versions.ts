/** Determines from a version range of Express which version of the API a package needs. */

/**
 * Returns the major version that a range names.
 * @returns undefined for a tag, a URL, and a range that names none
 */
export function majorOf(range: string): number | undefined {
  const [, major] = /^[\^~=v><\s]*(\d+)/.exec(range.replace(/^npm:express@/, '')) ?? [];
  return major === undefined ? undefined : Number(major);
}

/** Whether a range names Express 4, and is not open-ended like `>=4`. */
export function wantsFour(range: string): boolean {
  const isOpen = /^>=?\s*[\d.]+$/.test(range);
  return !isOpen && /(?:^|[\s|^~=v<>])4(?:\.|\b)/.test(range);
}

/** Whether npm resolves this range to Ristretto, whose version is higher than every version of Express 4. */
export function acceptsNewest(range: string): boolean {
  return /^(?:\^4(?:\.\d+){0,2}|4|4\.[x*](?:\.[x*])?)$/.test(range);
}
