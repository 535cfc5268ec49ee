/** Reads tables of media types. */
import { extname } from 'node:path';

/**
 * Returns a function that looks up a key in tables, which are read when it is first called.
 * @param tables a table, and what changes it
 */
export function lookupIn(...tables: string[]): (key: string) => string | undefined {
  let values: Map<string, string> | undefined;
  return key => (values ??= readTables(tables)).get(key);
}

function readTables(tables: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const entry of tables.flatMap(table => table.split(/[;\n]/))) {
    const [value = '', ...keys] = entry.split(' ');
    for (const key of keys) {
      if (value === '-') values.delete(key);
      else values.set(key, value);
    }
  }
  return values;
}

/** Returns the extension of a file name, or of what may be one without a name. */
export function extensionOf(name: string): string {
  return extname(`x.${name}`).slice(1).toLowerCase();
}
