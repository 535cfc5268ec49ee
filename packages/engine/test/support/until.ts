/** Waiting for what usually takes milliseconds, and on a busy machine may take many seconds. */

/** Milliseconds after which something counts as never happening: a condition, or the end of a process. */
export const LONGEST_WAIT = 60_000;

/** Resolves as soon as the condition holds. One that throws or rejects, such as a request to a server that is still starting, does not hold yet. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_WAIT;
  let cause: unknown;
  while (performance.now() < end) {
    // Asking another process each millisecond would slow down what is waited for
    let pause = 50;
    try {
      const holds = condition();
      if (await holds) return;
      if (typeof holds === 'boolean') pause = 1;
    } catch (error) {
      cause = error;
    }
    await new Promise(resolve => setTimeout(resolve, pause));
  }
  throw new Error(`never came true: ${String(condition)}`, { cause });
}
