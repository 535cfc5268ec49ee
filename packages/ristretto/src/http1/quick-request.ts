/**
 * Gives requests the faster methods of this directory. On a version of Node outside the test matrix, the first ticks
 * after loading are used to prove that requests behave with them as Node's own do. Until then, and if they behave
 * differently, the methods leave every request to Node.
 */
import { IncomingMessage } from 'node:http';
import { shortenEnd } from './dump';
import { areNative } from '../http/native';
import { provenNode } from './proven';
import type * as Proof from './request-proof';
import type { ReadBody } from './request-proof';
import { canMark, noteNodesEnd } from './request-state';
import { handOverBodies, takeBody } from './take-body';

/**
 * The methods with which Node ends a request, each with a word that occurs in its source but not in that of a wrapper.
 */
const marks = { _dump: '_dumped', resume: '_readableState', read: 'doRead', emit: 'kErrorMonitor' } as const;

/**
 * Gives requests the faster methods.
 * @param prototype one that inherits from Node's
 */
export function quickenRequests(prototype: object): void {
  if (!canMark || !areNative(IncomingMessage.prototype as never, marks)) return;
  if (provenNode !== undefined) {
    noteNodesEnd(provenNode.requestEnd);
    hideAll(prototype);
    return;
  }
  const { behavesAsNode, observeEnd } = require('./request-proof') as typeof Proof;
  const sample = Object.create(IncomingMessage.prototype) as object;
  hideAll(sample);
  hideAll(prototype);
  observeEnd(end => {
    noteNodesEnd(end, sample);
    behavesAsNode(sample, readTaken, readAsStream, isSame => {
      noteNodesEnd(isSame ? end : undefined);
    });
  });
}

function hideAll(prototype: object): void {
  shortenEnd(prototype);
  handOverBodies(prototype);
}

/** Reads a body as the body parsers do if the request has no other listeners. */
export const readTaken: ReadBody = (req, done) => {
  let bytes = '';
  const take = (chunk: Buffer): void => void (bytes += chunk.toString());
  const finish = (): void => {
    done(bytes);
  };
  const listen = (): void => void req.on('data', take).prependListener('end', finish);
  takeBody(req, { take, finish, listen });
};

/** Reads a body as the body parsers do otherwise. */
export const readAsStream: ReadBody = (req, done) => {
  let bytes = '';
  req.on('data', chunk => (bytes += String(chunk)));
  req.on('end', () => {
    done(bytes);
  });
};
