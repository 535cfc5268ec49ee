/** The differences of Express 3: its values for the record that the engine keeps for each version of the API. */
import {
  compileQueryParser,
  contentDisposition,
  normalizeType,
  setCharset,
  typeOfExtension,
  typeOfFile,
} from '@ristretto/private-engine/lib/protocol';
import { debug } from '@ristretto/private-engine/lib/report';
import { engineLayers, sendOptions } from '@ristretto/private-engine/lib/router';
import type { Version } from '@ristretto/private-engine/lib/version';
import View = require('./view');

/** The key under which a request stores the `next` that leaves its router. */
export const BEHIND: unique symbol = Symbol('behind the router');

const DOT = 0x2e;
const SLASH = 0x2f;

export const version: Version = {
  router: {
    ...engineLayers,
    print: debug.router,
    hasLiteralBraces: true,
    // `Allow` in the order of registration, sent with the members of the response.
    sendOptions,
    release(req: { [BEHIND]?: unknown }) {
      req[BEHIND] = undefined;
    },
    // A mount path is literal text, which a dot may follow: `/apple` matches `/apple.html`.
    mayFollowMount: code => code === SLASH || code === DOT,
    // Removes the first character even if a handler has written another URL.
    withoutAddedSlash: url => url.slice(1),
  },
  application: {
    queryParser: 'extended',
    compileQueryParser,
    View,
    jsonSpaces: 2,
    recognizes: () => false,
    reportsListenErrors: false,
    logsWholeErrors: false,
  },
  requests: {
    typeOf: typeOfExtension,
    readsParameters: true,
    // `q` is read in a different way in each header.
    readAcceptParameters: undefined,
    tagDecides: false,
    hasStrictRanges: false,
  },
  bodies: {
    marksRead: true,
    hasEmptyBody: true,
  },
  files: {
    dotfiles: 'ignore-files',
    knowsHidden: true,
    // Uses `mime` 1, whose table applications can extend.
    contentType: typeOfFile,
    tagsBySetting: false,
    redirectStatus: 303,
    hasMime: true,
  },
  responses: {
    normalizeType,
    nameOfFile: path => path,
    contentDisposition,
    redirectPage: (title, target) => `<p>${title}. Redirecting to ${target}</p>`,
    // A malformed parameter makes the whole value malformed.
    setCharset,
    // `res.send` always sends a length.
    omitsLengthIfEncoded: false,
    callsStatus: false,
    // The setting `etag` predates functions that take bytes.
    tagsText: true,
  },
};
