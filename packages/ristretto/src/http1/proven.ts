/**
 * What was observed of the versions of Node that every test runs on: there the tests run all programs of the proofs, and
 * nothing is tried when the framework is loaded. What is tried leaves its marks: Node's functions have then seen objects
 * of other kinds, and are slower from then on, 15 % of a small response. Any other version is examined when loaded.
 */
import type { NodesEnd } from './request-state';

/** What was observed of one version. */
export interface ProvenNode {
  /** Whether Node's own `end` sends a whole response in one write. */
  endsInOneWrite: boolean;
  /** How Node ends a request that is not read. */
  requestEnd: NodesEnd;
}

const OLDER: ProvenNode = {
  endsInOneWrite: false,
  requestEnd: { ticksToEnd: 2, ticksToClosed: 1, ticksToClose: 1, flowing: true, isAnnounced: true },
};

/** The versions of scripts/nodes.json. */
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
/** Bun, Deno, workerd and Electron give a version of Node.js as theirs; only Bun names Node's build of V8 as well. */
const isNode = bun === undefined && /-node\.\d+$/.test(v8);

/** What is known of the Node at hand; undefined where it has to be examined. */
export const provenNode = isNode ? PROVEN[process.version] : undefined;
