/** Connects the outputs through which hooks receive a body that is sent in chunks. */
import type { ServerResponse } from 'node:http';
import type { Output, ResponseHook } from './hook';

/**
 * Connects the outputs of the hooks, the first hook next to the connection.
 * @param last sends chunks over the connection
 * @param catching returns an output that handles what another throws
 * @returns the output for what the application writes; undefined if no hook receives chunks
 */
export function connectOutputs(
  res: ServerResponse,
  hooks: ResponseHook[],
  last: Output,
  catching: (output: Output) => Output,
): Output | undefined {
  const emit = res.emit as (...args: unknown[]) => boolean;
  const outputs: Output[] = [];
  const drain = (from: number): void => {
    const output = outputs.slice(from).find(output => output.drain !== undefined);
    if (output === undefined) emit.call(res, 'drain');
    else output.drain!();
  };
  for (const hook of hooks) {
    const above = outputs.length + 1;
    const beneath = outputs.at(-1);
    const next = beneath === undefined ? last : catching(beneath);
    const output = hook.pieces?.(res, next, () => drain(above));
    if (output !== undefined) outputs.push(output);
  }
  // Writers waiting for `drain` wait for the first output to drain, not the connection.
  if (outputs.some(output => output.drain !== undefined)) {
    res.emit = ((...args: unknown[]) => {
      if (args[0] !== 'drain') return emit.apply(res, args);
      drain(0);
      return true;
    }) as typeof res.emit;
  }
  return outputs.at(-1);
}
