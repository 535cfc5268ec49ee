/** Creates the prototype of the responses of a version: Node's, with the members of the API. */
import { ServerResponse } from 'node:http';
import { defineHidden } from '../../serving/define-hidden';
import { extendResponses } from '../../serving/message-prototypes';
import { setVersion } from '../../version';
import type { ResponseAdditions } from '../../types/response-additions';
import type { Version } from '../../version';
import { earlyHints } from './early-hints';
import { onSend } from './on-send';
import { sse } from './sse';

const additions = { sse, earlyHints, onSend } satisfies Record<keyof ResponseAdditions, unknown>;

/**
 * Creates a prototype that inherits directly from Node's: members that a version lacks must not be inherited, and what
 * a tool patches in one version must not affect another.
 * @param members the members of this version, by name
 */
export function defineResponse(version: Version, members: object): ServerResponse {
  const response = Object.create(ServerResponse.prototype) as ServerResponse;
  // Not enumerable, so that code that lists the members of Express does not see them.
  defineHidden(response, additions);
  setVersion(response, version);
  // Installed before the members, because a version may have its own form of these methods.
  extendResponses(response);
  return Object.assign(response, members);
}
