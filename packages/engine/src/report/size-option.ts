/** Reads options that limit a number of bytes. */
import bytes = require('bytes');
import { checkOption } from './options';

/**
 * @param caller the function, for messages: `app.ws()`
 * @param given a number of bytes, or text such as `'1mb'`
 * @throws TypeError for anything else
 * @example sizeOption('app.ws()', 'maxPayload', '100kb'); // 102400
 */
export function sizeOption(caller: string, name: string, given: unknown): number {
  const value = typeof given === 'string' ? bytes.parse(given) : given;
  const isSize = value === Infinity || (Number.isInteger(value) && (value as number) > 0);
  checkOption(isSize, caller, name, "a number of bytes, or text such as '1mb'", given);
  return value as number;
}
