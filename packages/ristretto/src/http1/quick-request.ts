/**
 * Gives requests the faster functions of this directory. On a version of Node that the tests do not run on, it is first
 * proven, in the first turns after loading, that requests behave with them as Node's own do. Until then, and where they
 * differ, the functions leave every request to Node.
 */
import { IncomingMessage } from 'node:http';
import { shortenEnd } from './dump';
import { areNative } from '../http/native';
import { provenNode } from './proven';
import type * as Proof from './request-proof';
import type { ReadBody } from './request-proof';
import { canMark, noteNodesEnd } from './request-state';
import { handOverBodies, takeBody } from './take-body';

/** The functions that Node ends a request with, each with a word that its source has and a wrapper's has not. */
const marks = { _dump: '_dumped', resume: '_readableState', read: 'doRead', emit: 'kErrorMonitor' } as const;

/**
 * Gives requests the faster functions.
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

/** As the body parsers read where nobody else listens. */
export const readTaken: ReadBody = (req, done) => {
  let bytes = '';
  const take = (chunk: Buffer): void => void (bytes += chunk.toString());
  const finish = (): void => {
    done(bytes);
  };
  const listen = (): void => void req.on('data', take).prependListener('end', finish);
  takeBody(req, { take, finish, listen });
};

/** As they read otherwise. */
export const readAsStream: ReadBody = (req, done) => {
  let bytes = '';
  req.on('data', chunk => (bytes += String(chunk)));
  req.on('end', () => {
    done(bytes);
  });
};
