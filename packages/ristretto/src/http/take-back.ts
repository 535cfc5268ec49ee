/** Takes back what a response that is not going to be sent says of itself. */
import type { ServerResponse } from 'node:http';

/** Headers that describe a response, and are wrong for the one to an error. */
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

/** Puts the status back, and removes the headers that describe the response. Others, such as cookies, stay. */
export function takeBack(res: ServerResponse): void {
  for (const name of ABOUT_RESPONSE) res.removeHeader(name);
  res.statusCode = 200;
  res.statusMessage = undefined as unknown as string;
}
