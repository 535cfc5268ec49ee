/** Decodes the percent-encoded text of a path parameter. */

/** @throws URIError with status 400 for a malformed percent-encoding */
export function decodeParam<Value extends string | undefined>(value: Value): Value {
  if (!value?.includes('%')) return value;
  try {
    return decodeURIComponent(value) as Value;
  } catch (error) {
    const failure = error as Error;
    if (failure.name === 'URIError') {
      failure.message = `Failed to decode param '${value}'`;
      Object.assign(failure, { statusCode: 400, status: 400 });
    }
    throw error;
  }
}
