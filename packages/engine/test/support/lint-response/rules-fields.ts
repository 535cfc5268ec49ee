/** Rules on the values of single headers: each has the form that its section defines. */
import * as grammar from './grammar.js';
import { unless } from './rule.js';
import type { Rule } from './rule.js';

/** Headers whose every line must have a certain form. */
const FORMS: [name: string, section: string, form: RegExp | ((value: string) => boolean)][] = [
  ['accept-ranges', 'RFC 9110 14.3', grammar.someTokens],
  ['access-control-allow-credentials', 'Fetch 3.3.3', /^true$/],
  ['access-control-allow-headers', 'Fetch 3.3.3', grammar.tokens],
  ['access-control-allow-methods', 'Fetch 3.3.3', grammar.tokens],
  ['access-control-allow-origin', 'Fetch 3.3.3', /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+)$/],
  ['access-control-expose-headers', 'Fetch 3.3.3', grammar.tokens],
  ['access-control-max-age', 'Fetch 3.3.3', grammar.digits],
  ['age', 'RFC 9111 5.1', grammar.digits],
  ['allow', 'RFC 9110 10.2.1', grammar.tokens],
  ['cache-control', 'RFC 9111 5.2', grammar.cacheControl],
  ['content-disposition', 'RFC 6266 4.1', grammar.disposition],
  ['content-encoding', 'RFC 9110 8.4', grammar.tokens],
  ['content-language', 'RFC 9110 8.5', grammar.languages],
  ['content-length', 'RFC 9110 8.6', grammar.digits],
  ['content-location', 'RFC 9110 8.7', value => grammar.uriReference.test(value) && !value.includes('#')],
  ['content-range', 'RFC 9110 14.4', value => grammar.parseContentRange(value) !== undefined],
  ['content-type', 'RFC 9110 8.3', grammar.mediaType],
  ['date', 'RFC 9110 5.6.7', grammar.isDate],
  ['etag', 'RFC 9110 8.8.3', grammar.entityTag],
  ['expires', 'RFC 9111 5.3', grammar.isDate],
  ['last-modified', 'RFC 9110 8.8.2', grammar.isDate],
  ['link', 'RFC 8288 3', grammar.link],
  ['location', 'RFC 9110 10.2.2', grammar.uriReference],
  ['proxy-authenticate', 'RFC 9110 11.7.1', grammar.challenge],
  ['retry-after', 'RFC 9110 10.2.3', value => grammar.digits.test(value) || grammar.isDate(value)],
  ['strict-transport-security', 'RFC 6797 6.1', grammar.strictTransportSecurity],
  ['trailer', 'RFC 9110 6.6.2', grammar.tokens],
  ['upgrade', 'RFC 9110 7.8', grammar.upgrade],
  ['vary', 'RFC 9110 12.5.5', grammar.tokens],
  ['www-authenticate', 'RFC 9110 11.6.1', grammar.challenge],
  ['x-content-type-options', 'Fetch 3.6', /^nosniff$/i],
  ['x-frame-options', 'RFC 7034 2.1', /^(?:deny|sameorigin)$/i],
];

export const fieldRules: Rule[] = [
  ...FORMS.map(([name, section, form]): Rule => ({
    id: `form-${name}`,
    section,
    says: `${name} matches its grammar.`,
    check: ({ head }) => {
      const isRight = typeof form === 'function' ? form : (value: string) => form.test(value);
      const wrong = head.all(name).find(value => !isRight(value));
      return wrong === undefined ? undefined : JSON.stringify(wrong);
    },
  })),
  {
    id: 'form-set-cookie',
    section: 'RFC 6265 4.1.1',
    says: 'Set-Cookie has a name-value pair, then known attributes, each at most once.',
    check: ({ head }) => head.all('set-cookie').map(grammar.wrongCookie).find(Boolean),
  },
  {
    id: 'cookie-once',
    section: 'RFC 6265 4.1.1',
    says: 'Cookies with the same name, domain and path are set at most once.',
    check: ({ head }) => {
      const keys = head.all('set-cookie').map(value => {
        const attribute = (name: string) => new RegExp(`; ${name}=([^;]*)`, 'i').exec(value)?.[1] ?? '';
        return [value.split('=')[0], attribute('domain'), attribute('path')].join(' ');
      });
      return unless(new Set(keys).size === keys.length, head.all('set-cookie').join(' | '));
    },
  },
  {
    id: 'cookie-none-secure',
    section: 'RFC 6265bis 4.1.2.7',
    says: 'A cookie with SameSite=None, or a name that begins with __Secure- or __Host-, has the Secure attribute.',
    check: ({ head }) => {
      const needs = /; samesite=none(?:;|$)|^__(?:Secure|Host)-/i;
      return head.all('set-cookie').find(value => needs.test(value) && !/; secure(?:;|$)/i.test(value));
    },
  },
  {
    id: 'vary-star',
    section: 'RFC 9110 12.5.5',
    says: 'An asterisk is the only member of Vary.',
    check: ({ head }) => {
      const members = head.list('vary');
      return unless(!members.includes('*') || members.length === 1, members.join());
    },
  },
  {
    id: 'not-from-the-future',
    section: 'RFC 9110 8.8.2.1',
    says: 'Last-Modified is not more than a second later than Date.',
    check: ({ head }) => {
      const modified = Date.parse(head.get('last-modified') ?? '');
      const date = Date.parse(head.get('date') ?? '');
      // A comparison with no date is false. Node renews the date by a timer, which may be late for a file just written.
      return unless(
        !(modified > date + 1000),
        `${head.get('last-modified') ?? ''}, but the Date is ${head.get('date') ?? ''}`,
      );
    },
  },
  {
    id: 'cors-credentials',
    section: 'Fetch 3.3.5',
    says: 'If credentials are allowed, the allowed origin is not an asterisk.',
    check: ({ head }) =>
      unless(
        !head.has('access-control-allow-credentials') || head.get('access-control-allow-origin') !== '*',
        'an asterisk',
      ),
  },
  {
    id: 'accept-ranges-none',
    section: 'RFC 9110 14.3',
    says: 'Accept-Ranges: none is the only value, and is not sent with 206.',
    check: ({ head }) => {
      const units = head.list('accept-ranges');
      return unless(!units.includes('none') || (units.length === 1 && head.status !== 206), units.join());
    },
  },
];
