/** The callback of a path parameter. */

export type ParamCallback = (
  req: unknown,
  res: unknown,
  next: (err?: unknown) => void,
  value: unknown,
  name: string | number,
) => unknown;
