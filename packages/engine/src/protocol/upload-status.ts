/** The errors of multer, which have no status although clients cause them. */

/** What malformed forms are called by multer 2 and by busboy, which many parsers use. */
const MALFORMED = /^(?:Unexpected end of form$|Malformed (?:part header|content type)$|Multipart: Boundary )/;

/** Returns the status for an error of multer, or for a malformed form; undefined for all others. */
export function uploadStatus({
  name,
  code,
  message,
}: {
  name?: unknown;
  code?: unknown;
  message?: unknown;
}): 400 | 413 | undefined {
  if (name === 'MulterError') return code === 'LIMIT_FILE_SIZE' ? 413 : 400;
  return MALFORMED.test(String(message)) ? 400 : undefined;
}
