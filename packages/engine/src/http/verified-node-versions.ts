/**
 * The observed behaviour of the versions of Node that the tests run on: of each major, from which minor on. Nothing is
 * tried when the framework is loaded, because Node's functions would then have seen objects of other kinds, which slows
 * a small response down by 15 %. Any other major uses Node's own functions.
 */

/** How Node ends an unread request. */
export interface NativeEnd {
  /** The number of ticks until `end` is emitted. */
  ticksToEnd: number;
  /** The number of further ticks until the request is closed, usually 0. */
  ticksToClosed: number;
  /** The number of further ticks until `close` is emitted. */
  ticksToClose: number;
  /** The value of `readableFlowing` from the start. */
  flowing: boolean | null;
  /** Whether one tick is used to emit `readable` at the end of a request, for listeners added by then. */
  isAnnounced: boolean;
}

/** The observed behaviour of one version. */
export interface VerifiedNode {
  /** Whether Node's own `end` sends a complete response in one write. */
  endsInOneWrite: boolean;
  requestEnd: NativeEnd;
}

const OLDER: VerifiedNode = {
  endsInOneWrite: false,
  requestEnd: { ticksToEnd: 2, ticksToClosed: 1, ticksToClose: 1, flowing: true, isAnnounced: true },
};
const ONE_WRITE: VerifiedNode = { ...OLDER, endsInOneWrite: true };
const NEWEST: VerifiedNode = {
  endsInOneWrite: true,
  requestEnd: { ticksToEnd: 1, ticksToClosed: 0, ticksToClose: 1, flowing: null, isAnnounced: false },
};

/** The behaviour of each major in scripts/nodes.json by the minor that introduced it, the newest first. */
const PROVEN: Record<string, readonly (readonly [since: number, behaviour: VerifiedNode])[] | undefined> = {
  20: [[0, OLDER]],
  22: [[0, OLDER]],
  24: [
    [21, ONE_WRITE],
    [0, OLDER],
  ],
  26: [
    [9, NEWEST],
    [8, ONE_WRITE],
    [0, OLDER],
  ],
};

/** Returns the behaviour of a version of Node; undefined if its major is not in the test matrix. */
function behaviourOf(version: string): VerifiedNode | undefined {
  const [major, minor] = version.split('.');
  return PROVEN[major!]?.find(([since]) => Number(minor) >= since)?.[1];
}

const { bun, node, v8 } = process.versions;
/** Bun, Deno, workerd and Electron report a Node.js version too; of these, only Bun also reports Node's build of V8. */
const isNode = bun === undefined && /-node\.\d+$/.test(v8);

/** The behaviour of this version of Node; undefined if Node's own functions are to be used. */
export const verifiedNode = isNode ? behaviourOf(node) : undefined;
