/** The parts of a form, as events that can be awaited one by one. */
import { BOUNDARY_LIMIT, HEADER_LIMIT, MultipartParser } from '@ristretto/private-engine/lib/multipart';
import type { MultipartHandler } from '@ristretto/private-engine/lib/multipart';
import { httpError } from '@ristretto/private-engine/lib/protocol';
import type { HttpError } from '@ristretto/private-engine/lib/protocol';
import { parsePartHeader } from './part-header';
import type { PartHeader } from './part-header';

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
   * @throws an error with status 400 for an invalid header, 413 for one that is too long, after the events before it
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
