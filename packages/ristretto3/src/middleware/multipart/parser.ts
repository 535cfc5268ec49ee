/**
 * The parts of a form, as events that can be awaited one by one. The header of a part (RFC 7578, section 4) has fields,
 * and the parameters of Content-Disposition.
 */
import { BOUNDARY_LIMIT, HEADER_LIMIT, MultipartParser } from '@ristretto/private-engine/lib/multipart';
import type { MultipartHandler } from '@ristretto/private-engine/lib/multipart';
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { HttpError } from '@ristretto/private-engine/lib/protocol';

/** The events of a body, in order. */
export type FormEvent =
  { type: 'begin'; header: PartHeader } | { type: 'data'; chunk: Buffer } | { type: 'end' };

export class FormParser implements MultipartHandler {
  private readonly parser: MultipartParser;
  private events: FormEvent[] = [];

  /**
   * @param boundary the parameter of the Content-Type
   * @throws an error with status 400 for a missing or overlong boundary
   */
  constructor(boundary: string | undefined) {
    if (!boundary || boundary.length > BOUNDARY_LIMIT) throw malformed('content-type missing boundary');
    this.parser = new MultipartParser(boundary, this);
  }

  /**
   * Parses the next chunk.
   * @throws an error with status 400 for an invalid header, 413 for one that is too long; the events before it come first
   */
  *push(chunk: Buffer): Generator<FormEvent, void> {
    let failure: { error: unknown } | undefined;
    try {
      this.parser.write(chunk);
    } catch (error) {
      failure = { error };
    }
    const { events } = this;
    this.events = [];
    yield* events;
    if (failure !== undefined) throw failure.error;
  }

  /** Throws unless the body was complete. */
  assertComplete(): void {
    if (!this.parser.isComplete) throw malformed('stream ended unexpectedly');
  }

  onHeader(bytes: Buffer, start: number, end: number): void {
    this.events.push({ type: 'begin', header: parsePartHeader(bytes.toString('utf8', start, end)) });
  }

  onData(bytes: Buffer, start: number, end: number): void {
    this.events.push({ type: 'data', chunk: bytes.subarray(start, end) });
  }

  onEnd(): void {
    this.events.push({ type: 'end' });
  }

  onStray(): void {
    throw malformed('multipart body has text after a boundary');
  }

  onBadHeader(reason: 'overlong' | 'boundary'): void {
    if (reason === 'boundary') throw malformed('multipart body has a boundary in the header of a part');
    throw httpError(413, `header of a part exceeds ${HEADER_LIMIT} bytes`, { type: 'entity.too.large' });
  }
}

export function malformed(message: string): HttpError {
  return httpError(400, message, { type: 'multipart.malformed' });
}

export interface PartHeader {
  /** The headers by name, in lower case. */
  fields: Record<string, string>;
  /** The name of the form field. */
  name: string;
  /** The name of the file without directories; `undefined` if the part is not a file. */
  filename: string | undefined;
  /** The Content-Type as sent. */
  type: string | null;
}

type Parameters = Map<string, string>;

const FIELD_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/**
 * Parses the header of a part, in time linear in its length.
 * @param text the lines between the boundary and the empty line
 * @throws an error with status 400 for a header that is malformed, or does not name a form field
 * @example parsePartHeader('Content-Disposition: form-data; name="photo"; filename="me.png"').filename; // 'me.png'
 */
export function parsePartHeader(text: string): PartHeader {
  const fields = parseFields(text === '' ? [] : text.split('\r\n'));
  const disposition = fields['content-disposition'];
  if (disposition === undefined) fail('a part without Content-Disposition');
  const parameters = parseDisposition(disposition);
  const name = parameters.get('name');
  if (!name) fail('a part without a name');
  // Has a prototype, because programs call object methods on it
  return {
    fields: Object.assign({}, fields),
    name,
    filename: filenameOf(parameters),
    type: fields['content-type'] ?? null,
  };
}

function parseFields(lines: readonly string[]): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const line of unfold(lines)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    const value = line.slice(colon + 1).trim();
    if (!FIELD_NAME.test(name) || CONTROL.test(value)) fail('a malformed field');
    const key = name.toLowerCase();
    // Choosing one of them would be a guess, and other software may choose another.
    if (key in fields) fail(`more than one ${key}`);
    fields[key] = value;
  }
  return fields;
}

/** Appends lines that start with white space to the lines that they continue. */
function unfold(lines: readonly string[]): string[] {
  const unfolded: string[][] = [];
  for (const line of lines) {
    const last = unfolded[unfolded.length - 1];
    if (last !== undefined && (line.startsWith(' ') || line.startsWith('\t'))) last.push(line.trim());
    else unfolded.push([line]);
  }
  return unfolded.map(pieces => pieces.join(' '));
}

// Matches one parameter at a time, starting at the end of the previous one: a token, then `=` and a token or a quoted
// string.
const TYPE = /form-data[ \t]*(?=;|$)/iy;
const PARAMETER = /;[ \t]*([!#$%&'*+\-.^_`|~\dA-Za-z]+)=(?:"((?:\\"|[^"])*)"|([^\s";]*))[ \t]*(?=;|$)/y;

function parseDisposition(value: string): Parameters {
  const parameters: Parameters = new Map();
  TYPE.lastIndex = 0;
  if (!TYPE.test(value)) fail('a Content-Disposition that is not form-data');
  let at = TYPE.lastIndex;
  while (at < value.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(value);
    if (match === null) fail('a malformed Content-Disposition');
    const name = match[1]!.toLowerCase();
    if (parameters.has(name)) fail(`more than one ${name} in Content-Disposition`);
    parameters.set(name, match[2] === undefined ? match[3]! : unquote(match[2]));
    at = PARAMETER.lastIndex;
  }
  return parameters;
}

/** Browsers write a quotation mark as `%22` or `\"`, and leave other backslashes as they are. */
function unquote(text: string): string {
  return text.replace(/\\"|%22/g, '"');
}

function filenameOf(parameters: Parameters): string | undefined {
  const extended = parameters.get('filename*');
  const name = extended === undefined ? parameters.get('filename') : decodeExtended(extended);
  // Some clients send the whole path of the file, which is useless here, and dangerous if used as a file name.
  const last = name?.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : last;
}

/** Decodes the value of `filename*` (RFC 8187): charset, language and percent-encoded text. */
function decodeExtended(value: string): string {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value);
  try {
    if (match !== null) return decodeURIComponent(match[1]!);
  } catch {
    // Rejected like other charsets.
  }
  fail('a malformed filename*');
}

function fail(what: string): never {
  throw httpError(400, `multipart body has ${what}`, { type: 'multipart.malformed' });
}
