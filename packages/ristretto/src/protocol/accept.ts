/**
 * Proactive negotiation (RFC 9110 section 12.5), the part all Accept fields share: the elements of a field in the
 * order of preference, and the choice between what a server has to offer.
 *
 * The field is the client's and is read once, from left to right. What is offered is the application's, and short:
 * the choice compares each offer with each element.
 */

const WHITE_SPACE = /\s/;

/** One element of an Accept field. */
export interface Element {
  /** As the client spelled it, without parameters. */
  name: string;
  /** The `q` parameter, 1 where absent. Not a number where it is malformed, which accepts nothing. */
  quality: number;
  /** Position in the field. */
  order: number;
}

/** What an element must say of an offer for the element to be of no concern to it. */
export const NO_MATCH = -1;

/** The elements that accept something, the most preferred first. */
export function byPreference<E extends Element>(elements: readonly E[]): E[] {
  const accepted = elements.filter(element => element.quality > 0);
  return accepted.sort((a, b) => b.quality - a.quality || a.order - b.order);
}

/** Names of all elements that accept something, the most preferred first. */
export function namesByPreference(elements: readonly Element[]): string[] {
  return byPreference(elements).map(element => element.name);
}

/**
 * Chooses between offers: the most specific element that matches an offer decides about it, and the offer with the
 * highest quality wins; after that the more specific, the one named first by the client, the one offered first.
 *
 * @param elements - the elements of the field.
 * @param offers - what can be had, parsed; undefined for one that is malformed and never chosen.
 * @param specificity - how exactly an element names an offer, or `NO_MATCH`.
 * @returns the index of the chosen offer, or -1 when none is acceptable.
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

/** Whether an element decides about an offer rather than one further left: the later one where they are equal. */
function overrules(
  element: Element,
  specific: number,
  decisive: Element | undefined,
  decided: number,
): boolean {
  // Nothing decided yet counts as quality 0 at specificity 0, so that a malformed or negative quality stays behind.
  const quality = decisive === undefined ? 0 : decisive.quality;
  const order = decisive === undefined ? -1 : decisive.order;
  return (specific - decided || element.quality - quality || element.order - order) > 0;
}

/**
 * The name of an element, which stands before the first semicolon; undefined where there is none or it has white
 * space in it, which makes the element malformed.
 */
export function nameOf(element: string, semicolon: number): string | undefined {
  const name = (semicolon < 0 ? element : element.slice(0, semicolon)).trim();
  return name === '' || WHITE_SPACE.test(name) ? undefined : name;
}
