/** Closes file descriptors. */
import { closeSync } from 'node:fs';

/** Closes a descriptor that was only read from. No data can be lost, so errors are ignored. */
export function closeNow(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The system has released the descriptor anyway.
  }
}
