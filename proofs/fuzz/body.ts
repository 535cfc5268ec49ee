/** Parses bodies without a server: the parser gets a stream that looks like a request. */
import { Readable } from 'node:stream';

type Parser = (req: unknown, res: unknown, next: (error?: unknown) => void) => void;

export interface BodyError extends Error {
  status: number;
  type: string;
}

/** Returns the body parser's result for these bytes: `req.body`, or the error passed to `next`. */
export function bodyOf(
  parser: Parser,
  bytes: Buffer,
  headers: Record<string, string>,
): Promise<{ error?: BodyError; body?: unknown }> {
  let sent = false;
  const req = new Readable({
    read() {
      if (!sent && bytes.length > 0) this.push(bytes);
      this.push(null);
      sent = true;
    },
  }) as Readable & { headers: object; method: string; body?: unknown };
  req.headers = { 'content-length': String(bytes.length), ...headers };
  req.method = 'POST';
  return new Promise(resolve => {
    parser(req, {}, error => {
      resolve(error ? { error: error as BodyError } : { body: req.body });
    });
  });
}
