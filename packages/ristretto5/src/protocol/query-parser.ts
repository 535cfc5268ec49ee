/** The parser of queries that the setting `query parser` names. */
import { compileQueryParser as compile, extendedQueryParser } from 'ristretto/lib/protocol/query-string';

/** Arrays are shorter than in Express 4: lists of more than 20, and indexes from 20 on, become objects. */
const parseExtended = extendedQueryParser();

/**
 * The parser for a value of the setting.
 * @returns undefined for false: nothing is parsed then
 * @throws TypeError for a value that the setting can't have
 */
export function compileQueryParser(value: unknown): ReturnType<typeof compile> | undefined {
  if (value === false) return undefined;
  return value === 'extended' ? parseExtended : compile(value);
}
