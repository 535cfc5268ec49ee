/** Resets a response that will not be sent, so that an error can be sent instead. */
import type { ServerResponse } from 'node:http';

/** Headers that describe a response, and would be wrong for an error. */
const ABOUT_RESPONSE = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'ETag',
  'Last-Modified',
  'Location',
  'Transfer-Encoding',
];

/** Resets the status, and removes the headers that describe the response. Others, such as cookies, are kept. */
export function resetResponse(res: ServerResponse): void {
  for (const name of ABOUT_RESPONSE) res.removeHeader(name);
  res.statusCode = 200;
  res.statusMessage = undefined as unknown as string;
}
