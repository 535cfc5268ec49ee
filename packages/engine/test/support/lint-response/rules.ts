/** All rules: those on one response, and those on the bytes of a connection, whose violations `tap.ts` detects. */
import { fieldRules } from './rules-fields.js';
import { messageRules } from './rules-message.js';
import { statusRules } from './rules-status.js';
import type { Rule } from './rule.js';

const streamRule = (id: string, section: string, says: string): Rule => ({
  id,
  section,
  says,
  check: () => undefined,
});

/** Violated by bytes between messages, not by a message. */
export const streamRules = {
  framing: streamRule(
    'framing',
    'RFC 9112 6.3',
    'The body has the length that its framing gives; HEAD, 1xx, 204 and 304 have no body; nothing follows the message.',
  ),
  short: streamRule('short', 'RFC 9110 8.6', 'A response that has been sent is complete.'),
  afterClose: streamRule(
    'after-close',
    'RFC 9112 9.6',
    'No response follows a response with Connection: close.',
  ),
};

export const rules: Rule[] = [...messageRules, ...fieldRules, ...statusRules, ...Object.values(streamRules)];
