/** Merges the headers passed to `writeHead` into those of the response. */
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Sets the headers from the arguments of `writeHead` that follow the status.
 * @returns the reason phrase if there is one
 * @throws TypeError for an invalid header
 */
export function applyWriteHeadArguments(
  res: ServerResponse,
  [first, second]: readonly unknown[],
): string | undefined {
  const reason = typeof first === 'string' ? first : undefined;
  setFields(res, ((reason === undefined ? first : undefined) ?? second) as Given | null | undefined);
  return reason;
}

function setFields(res: ServerResponse, given: Given | null | undefined): void {
  if (given == null || res.headersSent) return;
  if (!Array.isArray(given)) {
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined) res.setHeader(name, value);
    }
    return;
  }
  const isFlat = !Array.isArray(given[0]);
  const pairs = isFlat ? given.flatMap((name, i) => (i % 2 ? [] : [[name, given[i + 1]]])) : given;
  for (const [name] of pairs as [string][]) res.removeHeader(name);
  for (const [name, value] of pairs as [string, string | string[]][]) res.appendHeader(name, value);
}
