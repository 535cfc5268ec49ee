/**
 * The observed behaviour of the versions of Node that the tests run on: of each major, from which minor on. Nothing is
 * tried when the framework is loaded, because Node's functions would then have seen objects of other kinds, which slows
 * a small response down by 15 %. Any other major uses Node's own functions.
 */

/** How Node ends a request. */
export interface NativeEnd {
  /** The number of ticks from `end` until the request is closed, usually 0. */
  ticksToClosed: number;
  /** The number of further ticks until `close` is emitted. */
  ticksToClose: number;
  /** The value of `readableFlowing` after the end of an unread request. */
  flowing: boolean | null;
}

/** The observed behaviour of one version. */
export interface VerifiedNode {
  requestEnd: NativeEnd;
}

const OLDER: VerifiedNode = { requestEnd: { ticksToClosed: 1, ticksToClose: 1, flowing: true } };
const NEWEST: VerifiedNode = { requestEnd: { ticksToClosed: 0, ticksToClose: 1, flowing: null } };

/** The behaviour of each major in scripts/nodes.json by the minor that introduced it, the newest first. */
const PROVEN: Record<string, readonly (readonly [since: number, behaviour: VerifiedNode])[] | undefined> = {
  20: [[0, OLDER]],
  22: [[0, OLDER]],
  24: [[0, OLDER]],
  26: [
    [9, NEWEST],
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
