/** The differences of Express 5: its values for the record that the engine keeps for each version of the API. */
import { basename } from 'node:path';
import { registeredType, registeredTypeOfFile } from '@ristretto/private-engine/lib/protocol';
import type { Version } from '@ristretto/private-engine/lib/version';
import {
  compileQueryParser,
  contentDisposition,
  normalizeType,
  readAcceptParameters,
  setCharset,
} from './protocol';
import { debug } from './routing/debug';
import Layer = require('./routing/layer');
import {
  callInRoute,
  callWithError,
  callWithRequest,
  hasParamCallbacks,
  matchOf,
  matchesAll,
  processParams,
  sendOptions,
  withoutAddedSlash,
} from './routing/walk';
import View = require('./view');

const SLASH = 0x2f;

/** A route. Declared here, because its module imports this file. */
interface Handling {
  _handlesMethod(method: string): boolean;
  _methods(): string[];
}

export const version: Version = {
  router: {
    // Prints the messages of the package `router`.
    print: debug.router,
    // Layers and routes have other members, and layers do not store their matches.
    layers: { prototype: Layer.prototype, match: Layer.prototype.match },
    matchesAll,
    matchOf,
    callWithRequest,
    callWithError,
    callInRoute,
    handlesMethod: (route: Handling, method) => route._handlesMethod(method),
    methodsOf: (route: Handling) => route._methods(),
    // Braces make a part of a path optional.
    hasLiteralBraces: false,
    // Handlers for other methods do not count as calls of `next`, whose depth is limited.
    countsSkippedLayers: false,
    // Promises of callbacks are watched; a parameter may have the name of an inherited property.
    hasParamCallbacks,
    processParams,
    // Sorts `Allow` alphabetically, and does not use the members of the response, because routers also work without
    // them.
    sendOptions,
    release: () => undefined,
    // Only a slash may follow, even after a regular expression.
    mayFollowMount: code => code === SLASH,
    // Removes only a slash that the walk has added, not one from a URL that a handler has written.
    withoutAddedSlash,
  },
  application: {
    // `a[b]=c` does not create a nested object.
    queryParser: 'simple',
    // Long lists and high indexes become objects; false leaves the setting without a parser.
    compileQueryParser,
    // Calls back asynchronously, even if the engine is synchronous.
    View,
    jsonSpaces: undefined,
    // Only applications of the same copy share the members of their requests and responses.
    recognizes: () => false,
    // Supports `app.listen(port, error => …)`.
    reportsListenErrors: true,
    // Logs causes and properties too.
    logsWholeErrors: true,
  },
  requests: {
    // Uses the table of mime-types 3: scripts are text/javascript.
    typeOf: registeredType,
    // `req.is` and the body parsers ignore malformed parameters.
    readsParameters: false,
    // `q` is read in the same way in all headers, as RFC 9110 section 5.6.6 defines parameters.
    readAcceptParameters,
    // RFC 9110, section 13.2.2 requires this.
    tagDecides: true,
    // One malformed range makes the header malformed.
    hasStrictRanges: true,
  },
  bodies: {
    // Parsers check whether the request has ended, and do not set `req._body`.
    marksRead: false,
    // Without a body, `req.body` is undefined.
    hasEmptyBody: false,
  },
  files: {
    // A name that starts with a dot is hidden anywhere in a path.
    dotfiles: 'ignore',
    knowsHidden: false,
    // Uses the table of mime-types 3.
    contentType: registeredTypeOfFile,
    // `res.sendFile` follows the setting `etag`.
    tagsBySetting: true,
    redirectStatus: 301,
    // There is no `web.static.mime`.
    hasMime: false,
  },
  responses: {
    // Unknown extensions are application/octet-stream.
    normalizeType,
    // Omits directories.
    nameOfFile: path => basename(path),
    // A name outside ASCII is also sent with question marks; a name that is a token is sent without quotes.
    contentDisposition,
    // The page is a complete document.
    redirectPage: (title, target) =>
      `<!DOCTYPE html><head><title>${title}</title></head><body><p>${title}. Redirecting to ${target}</p></body>`,
    // Malformed parameters are left out; only a malformed type is an error.
    setCharset,
    // Both headers would make the framing ambiguous.
    omitsLengthIfEncoded: true,
    // `res.send`, `res.redirect` and `res.sendStatus` call `res.status`.
    callsStatus: true,
    tagsText: false,
  },
};
