// @ts-check
/** What a message must look like, whether a form or a program sends it. */

export const LIMITS = { name: 40, text: 500 };

/**
 * Checks what a client has sent.
 * @param {unknown} body
 * @returns {{ message: { name: string, text: string }, mistakes: Record<string, string> }} the message as far as it
 *   can be understood, and what is wrong with each of its fields
 */
export function readMessage(body) {
  const message = { name: field(body, 'name'), text: field(body, 'text') };
  /** @type {Record<string, string>} */
  const mistakes = {};
  for (const name of /** @type {const} */ (['name', 'text'])) {
    const { length } = message[name];
    if (length === 0) mistakes[name] = `The ${name} is missing.`;
    if (length > LIMITS[name]) mistakes[name] = `At most ${LIMITS[name]} characters, please.`;
  }
  return { message, mistakes };
}

/**
 * A field if it is text, without blanks around it and in one Unicode form; else nothing.
 * @param {unknown} body
 * @param {string} name
 */
export function field(body, name) {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return '';
  const value = /** @type {Record<string, unknown>} */ (body)[name];
  return typeof value === 'string' ? value.trim().normalize() : '';
}
