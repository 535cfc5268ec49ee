/** The differences of Express 4: its values for the record that the engine keeps for each version of the API. */
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
import View = require('@ristretto/private-engine/lib/view');
import type { Version } from '@ristretto/private-engine/lib/version';

const DOT = 0x2e;
const SLASH = 0x2f;

export const version: Version = {
  router: {
    ...engineLayers,
    print: debug.router,
    hasLiteralBraces: true,
    // `Allow` in the order of registration, sent with the members of the response.
    sendOptions,
    release: () => undefined,
    // A dot can only follow what a regular expression matched: string paths end at a segment boundary.
    mayFollowMount: code => code === SLASH || code === DOT,
    // Removes the first character even if a handler has written another URL.
    withoutAddedSlash: url => url.slice(1),
  },
  application: {
    queryParser: 'extended',
    compileQueryParser,
    View,
    jsonSpaces: undefined,
    // Only 4.x has this member.
    recognizes: app => 'lazyrouter' in app,
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
    redirectStatus: 301,
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
    tagsText: false,
  },
};
