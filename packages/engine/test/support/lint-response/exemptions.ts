/**
 * The responses that may break a rule, each with its reason: those that must equal the responses of Express 4, which
 * docs/proofs/conformance.md lists and `strict http` corrects; and those that tests break on purpose.
 */
import type { Violation } from './report.js';

interface Exemption {
  /** The test files; undefined for all. */
  file?: RegExp;
  rule: RegExp;
  /** The condition that the response must meet, besides breaking the rule. */
  when?: (violation: Violation) => boolean;
  reason: string;
}

/** Responses that are as in Express 4, and corrected by `strict http`. */
const asExpress: Exemption[] = [
  {
    rule: /^range-method$/,
    when: ({ exchange }) => exchange.request.method === 'HEAD',
    reason: 'files: HEAD with Range gets the headers that GET would get',
  },
  {
    rule: /^304-metadata$/,
    when: ({ exchange }) => exchange.head.has('location'),
    reason: 'res.redirect(304, …) sends Content-Type and Content-Length',
  },
  {
    rule: /^bodiless-length$/,
    when: ({ exchange }) => exchange.head.status === 204 && exchange.head.get('content-length') === '0',
    reason: 'a 204 sent by res.end keeps the Content-Length that CORS middleware sets',
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
    reason: 'the default error page contains the method, so its length differs between HEAD and GET',
  },
  {
    rule: /^content-range-status$/,
    file: /^res\.sendFile\.callback\.test/,
    reason: 'Content-Range is already set when a callback receives a 416 error',
  },
];

/** Violations that the application of a test causes on purpose. */
const onPurpose: Exemption[] = [
  {
    file: /^(?:generated|scenarios)\.test/,
    rule: /^(?:(?:form|once|cookie|301|304|206|401)-.*|status-range|range-method|content-range-status|vary-star|205-content|head-fields|head-length|date|length-and-chunks|bodiless-length)$/,
    reason: 'generated handlers set random statuses and fields',
  },
  {
    file: /^res\.members\.test/,
    rule: /^(?:status-range|form-content-type)$/,
    reason:
      'ristretto5: Express 5 accepts 999 as a status, and turns an unknown word into the Content-Type false',
  },
  {
    file: /^members\.test/,
    rule: /^(?:301-|304-|401-|content-range-status|cookie-|form-|head-|short|status-range)/,
    reason: 'ristretto5: these tests are those of the files below',
  },
  {
    file: /^http\.conformance\.test/,
    rule: /^(?:bodiless-length|205-content|304-metadata|final-status|status-range|length-and-chunks|short|framing|keep-alive-named)$/,
    reason: 'the cases of the conformance table, without `strict http`',
  },
  {
    file: /^http\.(?:framing|write(?:\.express)?|end|native)\.test/,
    rule: /^(?:304-metadata|framing|final-status|bodiless-length|status-range|length-and-chunks|date|close-answered|keep-alive-named|304-asked)$/,
    reason: 'tests of responses with unusual framing',
  },
  {
    file: /^http\.header-store\.test/,
    rule: /./,
    reason: 'fields, including those for framing, are set to random values and compared with those of Node',
  },
  {
    file: /^(?:res\.(?:send|status|headers|members)|threats)\.test/,
    rule: /^(?:304-asked|304-metadata|401-.*|301-.*|status-range)$/,
    reason: 'tests of statuses send all of them, whatever the request',
  },
  {
    file: /^(?:app|router)\.METHOD\.test/,
    rule: /^head-/,
    reason: 'handlers respond with the name of the method',
  },
  {
    file: /^(?:web\.(?:json|raw|text|urlencoded)|web\.static\.safety)\.test/,
    rule: /^401-/,
    reason: 'a guard or `verify` responds with 401 and nothing else',
  },
  {
    file: /^(?:showcase\.[a-z]+|examples\.(?:access|typescript)|environments)\.test/,
    rule: /^401-/,
    reason: 'examples: login by form or cookie has no scheme for WWW-Authenticate',
  },
  {
    file: /^(?:res\.headers|settings\.responses|web\.static)\.test/,
    rule: /^form-/,
    reason: 'tests of values that applications may set, including malformed ones',
  },
  {
    file: /^res\.cookie\.test/,
    rule: /^cookie-/,
    reason: 'tests of cookies that browsers would reject',
  },
  {
    file: /^(?:threats|res\.app|web\.static\.descriptors)\.test/,
    rule: /^short$/,
    reason: 'handlers end a response before its Content-Length, or send it as if for HEAD',
  },
  {
    file: /^upgrades\.test/,
    rule: /^(?:framing|head-)/,
    reason:
      'Node sends 100 Continue in the middle of an earlier response, and the lint mistakes pipelined requests',
  },
  {
    file: /\.differential\.test/,
    rule: /^(?:form-|vary-|cors-|cookie-|302-|304-|bodiless-)/,
    reason: 'middleware compared with its original: options and responses that no client understands',
  },
];

export const exemptions: Exemption[] = [...asExpress, ...onPurpose];

/** Whether responses of a test file may break rules that those of other files may not. */
export function isExempted(file: string): boolean {
  return exemptions.some(exemption => exemption.file?.test(file));
}

/** The exemption that a violation falls under. */
export function exemptionFor(file: string, violation: Violation): Exemption | undefined {
  return exemptions.find(
    exemption =>
      (exemption.file?.test(file) ?? true) &&
      exemption.rule.test(violation.rule.id) &&
      (exemption.when?.(violation) ?? true),
  );
}
