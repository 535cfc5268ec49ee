/**
 * Gives responses the faster methods of this directory, after proving that they behave as Node's own. If they behave
 * differently, every response is left to Node.
 */
import { ServerResponse } from 'node:http';
import { endAtOnce } from './end';
import { canWriteDirectly, writeNothingDirectly } from '../http/native';
import { nodeEndsInOneWrite, noteWritesOfEnd } from './one-write';
import { provenNode } from './proven';
import type * as Proof from './response-proof';
import { setHeadersQuickly } from '../http/set-header';
import { takeTurns } from './turn';
import { respond } from './write';

/**
 * Gives responses the faster methods.
 * @param prototype one that inherits from Node's
 */
export function quickenResponses(prototype: object): void {
  if (!canWriteDirectly) return;
  if (provenNode !== undefined) {
    noteWritesOfEnd(provenNode.endsInOneWrite);
    hideAll(prototype);
    return;
  }
  const { behavesAsNode, writesOfNodesEnd } = require('./response-proof') as typeof Proof;
  noteWritesOfEnd(writesOfNodesEnd() === 1);
  const sample = Object.create(ServerResponse.prototype) as object;
  hideAll(sample);
  if (behavesAsNode(sample, respond)) hideAll(prototype);
  else writeNothingDirectly();
}

function hideAll(prototype: object): void {
  setHeadersQuickly(prototype);
  takeTurns(prototype);
  if (!nodeEndsInOneWrite()) endAtOnce(prototype);
}
