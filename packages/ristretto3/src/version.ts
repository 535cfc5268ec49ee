/** What is different in Express 3: its values for the record that the engine keeps for each version of the API. */
import { setCharset } from '@ristretto/private-engine/lib/protocol';
import { debug } from '@ristretto/private-engine/lib/report';
import { ownLayers, sendOptions } from '@ristretto/private-engine/lib/router';
import type { Version } from '@ristretto/private-engine/lib/version';

const DOT = 0x2e;
const SLASH = 0x2f;

export const version: Version = {
  router: {
    ...ownLayers,
    print: debug.router,
    // `Allow` in the order of registration, sent with the members of the response.
    sendOptions,
    // A mount path is literal text, which a dot may follow: `/apple` matches `/apple.html`.
    mayFollowMount: code => code === SLASH || code === DOT,
    // Always, even if a handler has written another URL.
    withoutAddedSlash: url => url.slice(1),
  },
  responses: {
    // A malformed parameter makes the whole value malformed.
    setCharset,
    // `res.send` always sends a length.
    omitsLengthIfEncoded: false,
    setsNotModifiedByStatus: false,
    // The setting `etag` predates functions that take bytes.
    tagsText: true,
  },
};
