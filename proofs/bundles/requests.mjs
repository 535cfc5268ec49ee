/** Sends the listed requests to a program. */
import { request } from '../compat/harness/request.mjs';

/**
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string | Buffer }} Wanted
 * @typedef {Record<string, Wanted[]>} Parts requests by the part that they test
 */

export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';

export const get = (/** @type {string} */ path, /** @type {Record<string, string>} */ headers = {}) => ({
  path,
  headers,
});

export const gets = (/** @type {string[]} */ ...paths) => paths.map(path => get(path));

export const post = (
  /** @type {string} */ path,
  /** @type {string} */ type,
  /** @type {string | Buffer} */ body,
  /** @type {Record<string, string>} */ headers = {},
) => ({ method: 'POST', path, headers: { 'Content-Type': type, ...headers }, body });

/** Sends a request; resolves with the response as one text, and its entity tag. */
async function ask(/** @type {number} */ port, /** @type {Wanted} */ wanted) {
  const body = wanted.body === undefined ? undefined : Buffer.from(wanted.body).toString('base64');
  const response = await request({ port, ...wanted, body, encoding: 'latin1' });
  const { status, reason, rawHeaders, headers } = response;
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? `${name}: ${rawHeaders[index + 1]}` : [],
  );
  return { text: [`${status} ${reason}`, ...lines, '', response.body].join('\n'), etag: headers['etag'] };
}

/**
 * Sends all requests to a program, and repeats each GET whose response has an entity tag with that tag.
 *
 * @returns {Promise<Record<string, string>>} the responses by part and request
 */
export async function askAll(/** @type {number} */ port, /** @type {Parts} */ parts) {
  /** @type {Record<string, string>} */
  const responses = {};
  for (const [part, list] of Object.entries(parts)) {
    for (const [index, wanted] of list.entries()) {
      const title = `${part} ${index + 1}: ${wanted.method ?? 'GET'} ${wanted.path}`;
      const { text, etag } = await ask(port, wanted);
      responses[title] = text;
      if (wanted.method === undefined && typeof etag === 'string')
        responses[`${title} again`] = (
          await ask(port, get(wanted.path, { ...wanted.headers, 'If-None-Match': etag }))
        ).text;
    }
  }
  return responses;
}
