/** The `process` of Node.js itself. */
import { runInThisContext } from 'node:vm';

/**
 * Jest gives tests a copy of `process`, in which its fake timers replace `nextTick`. Node's streams do not see the copy: with
 * them, requests and responses must go on. In other programs, this is the global `process`.
 */
export const nodeProcess = ofNode();

function ofNode(): NodeJS.Process {
  try {
    return (runInThisContext('process') as NodeJS.Process | undefined) ?? process;
  } catch {
    // Hosts other than Node may not run code from a string
    return process;
  }
}
