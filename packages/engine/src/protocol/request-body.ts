/** What the headers and the stream of a request say about its body. */

interface BodyHeaders {
  readonly 'transfer-encoding'?: unknown;
  readonly 'content-length'?: unknown;
}

/** Whether a request has a body that is not empty (RFC 9112, section 6.3). */
export function hasContent(headers: BodyHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** Whether something has read from a request. Those that programs make by hand have no stream, and Node's getter throws. */
export function wasRead(req: { readonly readableDidRead?: boolean }): boolean {
  try {
    return req.readableDidRead === true;
  } catch {
    return false;
  }
}
