/** The one header field that answers of `res.redirect` have here and not in Express 4. */
import escapeHtml from 'escape-html';
import statuses from 'statuses';

export const POLICY: [string, string] = ['Content-Security-Policy', "default-src 'none'"];

interface RedirectAnswer {
  status: number;
  fields: [string, string][];
  body: string;
}

/** Makes the HTML page of `res.redirect`. @param location escaped */
export type RedirectPage = (title: string, location: string) => string;

const express4: RedirectPage = (title, location) => `<p>${title}. Redirecting to ${location}</p>`;

/** The fields that follow on what `res.redirect` sets. */
const LAST = /^(?:Content-Length|Date|Connection|Keep-Alive)$/;

/**
 * The fields of an answer of the oracle's with what ours has to have beside them: a policy in front of the length, where
 * it is the HTML page of `res.redirect`, or HEAD for it, and the application set no policy. All others come back as they
 * are.
 */
export function withRedirectPolicy(
  { status, fields, body }: RedirectAnswer,
  redirectPage = express4,
): [string, string][] {
  const value = (name: string) => fields.find(([one]) => one === name)?.[1];
  const location = value('Location');
  const hasPolicy = fields.some(([name]) => name.toLowerCase() === 'content-security-policy');
  if (location === undefined || hasPolicy || value('Content-Type') !== 'text/html; charset=utf-8')
    return fields;
  const page = redirectPage(String(statuses.message[status]), escapeHtml(location));
  const place = (name: string) => fields.findIndex(([one]) => one === name);
  // what `res.send` answers to HEAD may be as long: its entity tag comes behind the length
  const isHead =
    body === '' && value('Content-Length') === String(page.length) && place('ETag') < place('Content-Length');
  const behind = fields.findLastIndex(([name]) => !LAST.test(name)) + 1;
  return body === page || isHead ? fields.toSpliced(behind, 0, POLICY) : fields;
}
