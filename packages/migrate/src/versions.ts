/** Determines from a version range of Express which version of the API a package needs. */

/** The lowest and the highest major version that a range allows. */
interface Bounds {
  from: number;
  /** Infinite without an upper bound. */
  to: number;
}

const HYPHEN = /^v?(\d+)\S*\s+-\s+v?(\d+)\S*$/;
const COMPARATOR = /(<=?|>=?|[\^~=])?\s*v?(\d+)((?:\.[\dxX*]+)*)(?:[-+][\w.+-]*)?(?:\s+|$)/y;

/**
 * Returns the major version that an installation of a range gets: the newest one that it allows.
 * @returns undefined for a tag, a URL, and a range without an upper bound
 */
export function majorOf(range: string): number | undefined {
  const bounds = boundsOf(range);
  const newest = bounds && Math.max(...bounds.map(({ to }) => to));
  return Number.isFinite(newest) ? newest : undefined;
}

/** Whether a range allows a major version; true if that is unknown. */
export function allows(range: string, major: number): boolean {
  return boundsOf(range)?.some(({ from, to }) => from <= major && major <= to) ?? true;
}

/** Whether npm resolves this range to Ristretto, whose version is higher than every version of Express 4. */
export function acceptsNewest(range: string): boolean {
  return /^(?:\^4(?:\.\d+){0,2}|4|4\.[x*](?:\.[x*])?)$/.test(range);
}

/** Returns the bounds of each alternative of a range, or undefined for anything else. */
function boundsOf(range: string): Bounds[] | undefined {
  const alternatives = range.replace(/^npm:express@/, '').split('||');
  const all = alternatives.map(text => boundsOfComparators(text.trim()));
  return all.includes(undefined) ? undefined : (all as Bounds[]);
}

function boundsOfComparators(text: string): Bounds | undefined {
  const hyphen = HYPHEN.exec(text);
  if (hyphen !== null) return { from: Number(hyphen[1]), to: Number(hyphen[2]) };
  const bounds = { from: 0, to: Infinity };
  COMPARATOR.lastIndex = 0;
  do {
    const found = COMPARATOR.exec(text);
    if (found === null) return undefined;
    const [, sign = '', digits, rest = ''] = found;
    const major = Number(digits);
    // `<5.0.0` excludes all of 5, `>4` all of 4
    if (sign === '<') bounds.to = Math.min(bounds.to, /[1-9]/.test(rest) ? major : major - 1);
    else if (sign === '<=') bounds.to = Math.min(bounds.to, major);
    else bounds.from = Math.max(bounds.from, sign === '>' && rest === '' ? major + 1 : major);
    if (!/[<>]/.test(sign)) bounds.to = Math.min(bounds.to, major);
  } while (COMPARATOR.lastIndex < text.length);
  return bounds;
}
