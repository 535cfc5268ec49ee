/** The automatic response to OPTIONS: the methods of all routes that the path matched. */

/** The members of the response that are used here. */
export interface OptionsResponse {
  set(field: string, value: string): unknown;
  send(body: string): unknown;
}

/**
 * Sends 200 with the list as `Allow` header and as body (RFC 9110 section 9.3.7).
 * @param next called with the error if the response cannot be sent
 */
export function sendOptions(res: OptionsResponse, methods: string[], next: (err?: unknown) => void): void {
  try {
    const list = methods.join(',');
    res.set('Allow', list);
    res.send(list);
  } catch (error) {
    next(error);
  }
}

/** Adds methods to the list for an automatic response. */
export function allow(allowed: string[], methods: string[]): void {
  for (const method of methods) {
    if (!allowed.includes(method)) allowed.push(method);
  }
}
