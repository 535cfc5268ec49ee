/**
 * `DEBUG=express-session` prints the same output as express-session, through the same package. It is loaded only if the
 * variable is set when this module is loaded.
 */
type Print = (format: string, ...values: unknown[]) => void;

export const debug = process.env.DEBUG
  ? (require('debug') as (namespace: string) => Print)('express-session')
  : undefined;
