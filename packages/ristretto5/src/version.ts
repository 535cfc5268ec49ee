/** What is different in Express 5: its values for the record that the engine keeps for each version of the API. */
import type { Version } from '@ristretto/private-engine/lib/version';
import { setCharset } from './protocol/content-type';

export const version: Version = {
  responses: {
    // Malformed parameters are left out; only a malformed type is an error.
    setCharset,
    // Both headers would make the framing ambiguous.
    omitsLengthIfEncoded: true,
    setsNotModifiedByStatus: true,
    tagsText: false,
  },
};
