/** The boundary of a form, from its Content-Type (RFC 2046, section 5.1.1). */
import { BOUNDARY_LIMIT } from '@ristretto/private-engine/lib/multipart';
import { parseContentType } from '@ristretto/private-engine/lib/protocol';

const BOUNDARY_PARAMETER = /;[ \t]*boundary[ \t]*=/i;

/**
 * Returns the boundary of a form.
 * @throws Error for a Content-Type without a usable boundary, or of another type
 */
export function boundaryOf(contentType: string): string {
  let parsed: ReturnType<typeof parseContentType>;
  try {
    parsed = parseContentType(contentType);
  } catch {
    throw new Error('Malformed content type');
  }
  const { type, parameters } = parsed;
  if (type !== 'multipart/form-data') throw new Error(`Unsupported content type: ${contentType}`);
  const { boundary } = parameters;
  // If there are two boundaries, software in front of us may have used the other one.
  if (contentType.split(BOUNDARY_PARAMETER).length > 2) throw new Error('Malformed content type');
  if (!boundary) throw new Error('Multipart: Boundary not found');
  if (boundary.length > BOUNDARY_LIMIT) {
    throw new Error(`Multipart: Boundary exceeds ${BOUNDARY_LIMIT} characters`);
  }
  return boundary;
}
