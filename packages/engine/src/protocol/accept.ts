/**
 * Proactive negotiation (RFC 9110 section 12.5), the part that all Accept headers share: the elements of a header in
 * order of preference, and the choice between the server's offers.
 *
 * The header comes from the client and is read once, from left to right. The offers come from the application and are
 * few: the choice compares each offer with each element.
 */

const WHITE_SPACE = /\s/;

/** One element of an Accept header. */
export interface Element {
  /** The name as the client spelled it, without parameters. */
  name: string;
  /** The `q` parameter, 1 if it is missing. NaN if it is malformed; such an element accepts nothing. */
  quality: number;
  /** Position in the header. */
  order: number;
}

/**
 * Parses the parameters of an element in place of the header's own parser.
 * @param text what follows the first semicolon
 * @returns the quality, and the other parameters by lower-case name
 */
export type ReadParameters = (text: string) => {
  quality: number;
  others: Record<string, string | undefined> | undefined;
};

/** The specificity of an element that does not apply to an offer. */
export const NO_MATCH = -1;

/** Returns the elements that accept something, the most preferred first. */
export function byPreference<E extends Element>(elements: readonly E[]): E[] {
  const accepted = elements.filter(element => element.quality > 0);
  return accepted.sort((a, b) => b.quality - a.quality || a.order - b.order);
}

/** Returns the names of all elements that accept something, the most preferred first. */
export function namesByPreference(elements: readonly Element[]): string[] {
  return byPreference(elements).map(element => element.name);
}

/**
 * Chooses between offers: the most specific element that matches an offer determines its quality, and the offer with
 * the highest quality wins. Ties are broken by specificity, then by the client's order, then by the order of the
 * offers.
 * @param offers the parsed offers; undefined for a malformed one, which is never chosen.
 * @param specificity how exactly an element names an offer, or `NO_MATCH`.
 * @returns the index of the chosen offer, or -1 if none is acceptable.
 */
export function choose<E extends Element, Offer>(
  elements: readonly E[],
  offers: readonly (Offer | undefined)[],
  specificity: (element: E, offer: Offer) => number,
): number {
  let chosen = -1;
  let chosenElement: E | undefined;
  let chosenSpecificity = 0;
  for (let index = 0; index < offers.length; index++) {
    const offer = offers[index];
    if (offer === undefined) continue;
    let decisive: E | undefined;
    let decisiveSpecificity = 0;
    for (const element of elements) {
      const specific = specificity(element, offer);
      if (specific === NO_MATCH || !overrules(element, specific, decisive, decisiveSpecificity)) continue;
      decisive = element;
      decisiveSpecificity = specific;
    }
    if (decisive === undefined || !(decisive.quality > 0)) continue;
    if (chosenElement !== undefined) {
      const better =
        decisive.quality - chosenElement.quality ||
        decisiveSpecificity - chosenSpecificity ||
        chosenElement.order - decisive.order;
      if (!(better > 0)) continue;
    }
    chosen = index;
    chosenElement = decisive;
    chosenSpecificity = decisiveSpecificity;
  }
  return chosen;
}

/** Whether an element takes precedence over an earlier one for an offer. If they are equal, the later one wins. */
function overrules(
  element: Element,
  specific: number,
  decisive: Element | undefined,
  decided: number,
): boolean {
  // No decision yet counts as quality 0 at specificity 0, so that a malformed or negative quality never wins.
  const quality = decisive === undefined ? 0 : decisive.quality;
  const order = decisive === undefined ? -1 : decisive.order;
  return (specific - decided || element.quality - quality || element.order - order) > 0;
}

/**
 * Returns the name of an element, which precedes the first semicolon, or undefined if it is empty or contains
 * whitespace, which makes the element malformed.
 */
export function nameOf(element: string, semicolon: number): string | undefined {
  const name = (semicolon < 0 ? element : element.slice(0, semicolon)).trim();
  return name === '' || WHITE_SPACE.test(name) ? undefined : name;
}
