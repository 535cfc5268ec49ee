/** Functions of Node.js itself, where the globals may be those of a test runner. */
import { runInThisContext } from 'node:vm';

/**
 * Jest gives tests copies of globals, in which its fake timers replace functions, and old versions lack some. Node's streams do
 * not see the copies: with them, requests and responses must go on. In other programs, these are the globals.
 */
export const nodeProcess = ofNode('process') as NodeJS.Process;
export const nodeMicrotask = ofNode('queueMicrotask') as typeof queueMicrotask;

function ofNode(name: 'process' | 'queueMicrotask'): unknown {
  try {
    return runInThisContext(name) ?? globalThis[name];
  } catch {
    // Hosts other than Node may not run code from a string
    return globalThis[name];
  }
}
