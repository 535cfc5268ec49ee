/** One request and its response, as the rules see them. */
import type { IncomingHttpHeaders } from 'node:http';

export interface Field {
  name: string;
  /** The value without surrounding white space. */
  value: string;
  /** The whole line as it was sent, without its end. */
  line: string;
}

/** The parts of a request that are kept before the application may change it. */
export interface RequestSeen {
  method: string;
  target: string;
  /** `1.0` or `1.1`. */
  version: string;
  headers: IncomingHttpHeaders;
}

/** How the end of the body is found (RFC 9112, section 6.3). */
export type Framing = 'none' | 'length' | 'chunked' | 'close';

/** A header block as it was sent. */
export class Head {
  readonly statusLine: string;
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  readonly fields: Field[];

  constructor(readonly text: string) {
    const [statusLine = '', ...lines] = text.split('\r\n');
    this.statusLine = statusLine;
    const match = /^(\S*) (\S*) ?([^]*)$/.exec(statusLine);
    this.version = match?.[1] ?? '';
    this.status = Number(match?.[2] ?? Number.NaN);
    this.reason = match?.[3] ?? '';
    this.fields = lines.map(parseField);
  }

  /** All values of a field. @param name in lower case */
  all(name: string): string[] {
    return this.fields.filter(field => field.name.toLowerCase() === name).map(field => field.value);
  }

  /** The first value of a field. @param name in lower case */
  get(name: string): string | undefined {
    return this.all(name)[0];
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** The members of a field that is a list, in lower case. @param name in lower case */
  list(name: string): string[] {
    return this.all(name)
      .flatMap(value => value.split(','))
      .map(member => member.trim().toLowerCase())
      .filter(member => member !== '');
  }
}

export interface Exchange {
  request: RequestSeen;
  head: Head;
  framing: Framing;
  /** The bytes of content received, after chunks are joined. */
  length: number;
  trailers: Field[];
  /** The response to an earlier GET for the same target on the same server, if any. */
  get?: Exchange | undefined;
}

/** A header line; without a colon, all of it is the name. */
export function parseField(line: string): Field {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line, value: '', line };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, ''), line };
}
