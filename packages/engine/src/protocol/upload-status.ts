/** The errors of multer, which have no status although clients cause them. */

/** What malformed forms are called by multer 2 and by busboy, which many parsers use. */
const MALFORMED = /^(?:Unexpected end of form$|Malformed (?:part header|content type)$|Multipart: Boundary )/;

/**
 * Returns the status and the type for an error of multer, or for a malformed form; undefined for all others. The type is the
 * code of multer in the form of those of body parsers: `limit.file.size` for `LIMIT_FILE_SIZE`.
 */
export function uploadProblem({
  name,
  code,
  message,
}: {
  name?: unknown;
  code?: unknown;
  message?: unknown;
}): { status: 400 | 413; type: string } | undefined {
  if (name === 'MulterError') {
    const type = String(code).toLowerCase().replaceAll('_', '.');
    return { status: code === 'LIMIT_FILE_SIZE' ? 413 : 400, type };
  }
  return MALFORMED.test(String(message)) ? { status: 400, type: 'form.malformed' } : undefined;
}
