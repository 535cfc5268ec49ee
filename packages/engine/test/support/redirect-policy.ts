/** The one header that `res.redirect` sends here, and in neither Express 4 nor Express 5. */
import escapeHtml from 'escape-html';
import statuses from 'statuses';

export const POLICY: [string, string] = ['Content-Security-Policy', "default-src 'none'"];

interface RedirectAnswer {
  status: number;
  fields: [string, string][];
  body: string;
}

/** The HTML pages of `res.redirect` in Express 4 and 5. @param location escaped */
function redirectPages(title: string, location: string): string[] {
  const text = `<p>${title}. Redirecting to ${location}</p>`;
  return [text, `<!DOCTYPE html><head><title>${title}</title></head><body>${text}</body>`];
}

/** Headers that come after those that `res.redirect` sets. */
const LAST = /^(?:Content-Length|Date|Connection|Keep-Alive)$/;

/**
 * Adds to the oracle's headers the one that ours must have: the policy, in front of Content-Length, if the response is
 * the HTML page of `res.redirect`, or the HEAD response for it, and the application set no policy. Otherwise returns
 * the headers unchanged.
 */
export function withRedirectPolicy({ status, fields, body }: RedirectAnswer): [string, string][] {
  const value = (name: string) => fields.find(([one]) => one === name)?.[1];
  const location = value('Location');
  const hasPolicy = fields.some(([name]) => name.toLowerCase() === 'content-security-policy');
  if (location === undefined || hasPolicy || value('Content-Type') !== 'text/html; charset=utf-8')
    return fields;
  const pages = redirectPages(String(statuses.message[status]), escapeHtml(location));
  const place = (name: string) => fields.findIndex(([one]) => one === name);
  // A HEAD response of `res.send` may have the same length, but its ETag comes after Content-Length
  const isHead =
    body === '' &&
    pages.some(page => value('Content-Length') === String(page.length)) &&
    place('ETag') < place('Content-Length');
  const behind = fields.findLastIndex(([name]) => !LAST.test(name)) + 1;
  return pages.includes(body) || isHead ? fields.toSpliced(behind, 0, POLICY) : fields;
}
