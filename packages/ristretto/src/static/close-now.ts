/** How a file descriptor is closed. */
import { closeSync } from 'node:fs';

/** Closes a descriptor that was only read from. There is nothing to be lost, so an error is of no interest. */
export function closeNow(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The system has let go of it all the same.
  }
}
