/**
 * Keeps `process.nextTick` fast, by keeping one of the objects that it queues.
 *
 * The keys of these objects are symbols, so V8 compiles their creation for the hidden class that it has seen. It frees a
 * hidden class that no object has: if several full garbage collections find no tick queued, as in a server that waits, the
 * next ticks have another one, and V8 gives up. From then on each call takes 1 µs instead of 0.1, on all versions of Node,
 * and a request makes several.
 */
import { executionAsyncResource } from 'node:async_hooks';
import { verifiedNode } from './node-internals';

let kept: object | undefined;

function keep(): void {
  kept = executionAsyncResource();
}

/** Keeps the object of one tick. Only Node has such objects, and elsewhere `executionAsyncResource` may print a warning. */
export function keepTick(): void {
  if (kept === undefined && verifiedNode !== undefined) process.nextTick(keep);
}
