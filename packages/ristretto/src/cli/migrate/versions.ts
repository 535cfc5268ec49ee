/** What a range of versions of Express says about the interface that is asked for. */

/**
 * Reads the major version that a range names.
 * @returns undefined for a tag, a URL, and a range that names none
 */
export function majorOf(range: string): number | undefined {
  const [, major] = /^[\^~=v><\s]*(\d+)/.exec(range.replace(/^npm:express@/, '')) ?? [];
  return major === undefined ? undefined : Number(major);
}

/** Tells whether a range asks for Express 4, and not for any version from some version on. */
export function wantsFour(range: string): boolean {
  const isOpen = /^>=?\s*[\d.]+$/.test(range);
  return !isOpen && /(?:^|[\s|^~=v<>])4(?:\.|\b)/.test(range);
}

/** Tells whether npm gives Ristretto, whose version is above all of Express 4, to a package that asks for this range. */
export function acceptsNewest(range: string): boolean {
  return /^(?:\^4(?:\.\d+){0,2}|4|4\.[x*](?:\.[x*])?)$/.test(range);
}
