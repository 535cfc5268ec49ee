/**
 * The observed behaviour of the versions of Node in the test matrix. The tests run all programs of the proofs on them,
 * so nothing needs to be tried when the framework is loaded. Trying has a cost: Node's functions then have seen objects
 * of other kinds, which slows a small response down by 15 %. Any other version is examined when the framework is
 * loaded.
 */
import type { NodesEnd } from './request-state';

/** The observed behaviour of one version. */
export interface ProvenNode {
  /** Whether Node's own `end` sends a complete response in one write. */
  endsInOneWrite: boolean;
  /** How Node ends an unread request. */
  requestEnd: NodesEnd;
}

const OLDER: ProvenNode = {
  endsInOneWrite: false,
  requestEnd: { ticksToEnd: 2, ticksToClosed: 1, ticksToClose: 1, flowing: true, isAnnounced: true },
};

/** The versions in scripts/nodes.json. */
const PROVEN: Record<string, ProvenNode | undefined> = {
  'v20.20.2': OLDER,
  'v22.23.3': OLDER,
  'v24.21.0': { ...OLDER, endsInOneWrite: true },
  'v26.10.0': {
    endsInOneWrite: true,
    requestEnd: { ticksToEnd: 1, ticksToClosed: 0, ticksToClose: 1, flowing: null, isAnnounced: false },
  },
};

const { bun, v8 } = process.versions;
/** Bun, Deno, workerd and Electron report a Node.js version too; of these, only Bun also reports Node's build of V8. */
const isNode = bun === undefined && /-node\.\d+$/.test(v8);

/** The behaviour of the current version of Node; undefined if it has to be examined. */
export const provenNode = isNode ? PROVEN[process.version] : undefined;
