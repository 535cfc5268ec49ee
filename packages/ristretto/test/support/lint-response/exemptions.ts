/**
 * The responses that may break a rule, each with its reason: those whose bytes Express 4 decides, which
 * docs/proofs/conformance.md lists and `strict http` makes right; and those that tests make wrong on purpose.
 */
import type { Violation } from './report.js';

export interface Exemption {
  /** The test files; none for all. */
  file?: RegExp;
  rule: RegExp;
  /** What the response must be, beyond breaking the rule. */
  when?: (violation: Violation) => boolean;
  reason: string;
}

/** As Express 4 answers, and right with `strict http`. */
const asExpress: Exemption[] = [
  {
    rule: /^range-method$/,
    when: ({ exchange }) => exchange.request.method === 'HEAD',
    reason: 'files: HEAD with Range is answered as GET would be',
  },
  {
    rule: /^304-metadata$/,
    when: ({ exchange }) => exchange.head.has('location'),
    reason: 'res.redirect(304, …) sends type and length',
  },
  {
    rule: /^bodiless-length$/,
    when: ({ exchange }) => exchange.head.status === 204 && exchange.head.get('content-length') === '0',
    reason: '204 by res.end keeps the Content-Length that was set, as middleware for CORS does',
  },
  {
    rule: /^form-location$/,
    when: ({ exchange }) => /^[^\s"<>`{}]*$/.test(exchange.head.get('location') ?? ''),
    reason: 'Location: \\ ^ | [ ] are not encoded',
  },
  {
    rule: /^head-length$/,
    when: ({ exchange: { head } }) =>
      head.status >= 400 && head.get('content-security-policy') === "default-src 'none'",
    reason: 'the final page names the method, and so HEAD has another length than GET',
  },
  {
    rule: /^content-range-status$/,
    file: /^res\.sendFile\.callback\.test/,
    reason: 'a callback that is told of 416 finds Content-Range already set',
  },
];

/** Made wrong by the application of a test. */
const onPurpose: Exemption[] = [
  {
    file: /^(?:generated|scenarios)\.test/,
    rule: /^(?:(?:form|once|cookie|301|304|206|401)-.*|status-range|range-method|content-range-status|vary-star|205-content|head-fields|head-length|date|length-and-chunks|bodiless-length)$/,
    reason: 'generated handlers set statuses and fields to whatever is drawn',
  },
  {
    file: /^res\.members\.test/,
    rule: /^(?:status-range|form-content-type)$/,
    reason: 'ristretto5: 999 is a status to Express 5, and an unknown word as type becomes the header false',
  },
  {
    file: /^http\.conformance\.test/,
    rule: /^(?:bodiless-length|205-content|304-metadata|final-status|status-range|length-and-chunks|short|framing|keep-alive-named)$/,
    reason: 'the cases of the conformance table, without `strict http`',
  },
  {
    file: /^http\.(?:framing|write(?:\.express)?|end|native)\.test/,
    rule: /^(?:304-metadata|framing|final-status|bodiless-length|status-range|length-and-chunks|date|close-answered|keep-alive-named|304-asked)$/,
    reason: 'tests of answers whose framing is out of the ordinary',
  },
  {
    file: /^http\.set-header\.test/,
    rule: /./,
    reason:
      'fields, framing among them, are set to whatever is drawn, and compared with those of the runtime',
  },
  {
    file: /^(?:res\.(?:send|sendStatus|status|redirect|links|unchanged)|threats)\.test/,
    rule: /^(?:304-asked|304-metadata|401-.*|301-.*|status-range)$/,
    reason: 'tests of statuses go through them all, asked for or not',
  },
  {
    file: /^(?:app\.(?:all|route|METHOD)|router\.(?:all|METHOD))\.test/,
    rule: /^head-/,
    reason: 'handlers answer with the name of the method',
  },
  {
    file: /^(?:web\.(?:json|raw|text|urlencoded)|web\.static\.safety)\.test/,
    rule: /^401-/,
    reason: 'a guard or `verify` that says 401 and nothing else',
  },
  {
    file: /^(?:showcase\.[a-z]+|rate-limit|typescript|auth-passport)\.test/,
    rule: /^401-/,
    reason: 'examples: a login by form or cookie has no scheme of WWW-Authenticate',
  },
  {
    file: /^(?:res\.(?:set|header|type|contentType|links|vary)|setting\.etag|web\.static)\.test/,
    rule: /^form-/,
    reason: 'tests of values that applications may set, malformed ones too',
  },
  {
    file: /^res\.cookie\.test/,
    rule: /^cookie-/,
    reason: 'tests of cookies that browsers would refuse',
  },
  {
    file: /^(?:threats|res\.req|web\.static\.descriptors)\.test/,
    rule: /^short$/,
    reason: 'handlers end an answer that was announced longer, or say that it is for HEAD',
  },
];

export const exemptions: Exemption[] = [...asExpress, ...onPurpose];

/** The exemption that a violation falls under. */
export function exemptionFor(file: string, violation: Violation): Exemption | undefined {
  return exemptions.find(
    exemption =>
      (exemption.file?.test(file) ?? true) &&
      exemption.rule.test(violation.rule.id) &&
      (exemption.when?.(violation) ?? true),
  );
}
