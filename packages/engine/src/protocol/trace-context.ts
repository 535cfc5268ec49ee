/** The header `traceparent`: https://www.w3.org/TR/trace-context/#traceparent-header */

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Returns the trace id of a `traceparent`: 32 hexadecimal digits in lower case.
 *
 * @returns undefined if the header is malformed; of future versions, only the known part is read
 * @example traceIdOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'); // '0af7651916cd43dd8448eb211c80319c'
 */
export function traceIdOf(header: string): string | undefined {
  const [, version, traceId, parentId, more] = TRACEPARENT.exec(header) ?? [];
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return traceId === undefined || ZEROS.test(traceId) || ZEROS.test(parentId!) ? undefined : traceId;
}
