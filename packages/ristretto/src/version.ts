/** What is different in Express 4: its values for the record that the engine keeps for each version of the API. */
import { setCharset } from '@ristretto/private-engine/lib/protocol';
import type { Version } from '@ristretto/private-engine/lib/version';

export const version: Version = {
  responses: {
    // A malformed parameter makes the whole value malformed.
    setCharset,
    // `res.send` always sends a length.
    omitsLengthIfEncoded: false,
    setsNotModifiedByStatus: false,
    tagsText: false,
  },
};
