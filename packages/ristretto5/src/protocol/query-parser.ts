/** Compiles the parser that the setting `query parser` names. */
import { compileQueryParser as compile, extendedQueryParser } from '@ristretto/private-engine/lib/protocol';

/** Array limits are lower than in Express 4: lists of more than 20 values, and indexes from 20 on, become objects. */
const parseExtended = extendedQueryParser();

/**
 * Returns the parser for a value of the setting.
 * @returns undefined for false, which disables parsing
 * @throws TypeError for an invalid value of the setting
 */
export function compileQueryParser(value: unknown): ReturnType<typeof compile> | undefined {
  if (value === false) return undefined;
  return value === 'extended' ? parseExtended : compile(value);
}
