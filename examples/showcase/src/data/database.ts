/**
 * The database, with either engine. Queries are written as templates:
 *
 *     const rows = await db.sql<{ id: number }>`select id from users where name = ${name}`;
 *
 * A value never becomes part of the SQL text: it is sent separately, as a parameter.
 */

export type Value = string | number | boolean | Uint8Array | number[] | null;
export type Run = (text: string, values: Value[]) => Promise<{ rows: unknown[] }>;
export type Sql = <Row>(text: TemplateStringsArray, ...values: Value[]) => Promise<Row[]>;

export interface Queries {
  sql: Sql;
  query: Run;
  /** Runs several statements without parameters; used for migrations. */
  script(text: string): Promise<unknown>;
}

export interface Database {
  sql: Sql;
  /** The location of the data, for people. */
  readonly place: string;
  /** A query as `pg` accepts it, for packages that write their own queries. */
  query: Run;
  /** Runs queries that take effect together, or not at all if `work` rejects. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Does the same without the time limits that requests need: rebuilding a large table takes minutes. */
  migration<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Turns a function that runs SQL text with values into a template tag: the first value becomes $1, and so on. */
export function sqlOf(run: Run): Sql {
  return async <Row>(text: TemplateStringsArray, ...values: Value[]) => {
    const { rows } = await run(
      text.reduce((joined, part, index) => `${joined}$${index}${part}`),
      values,
    );
    return rows as Row[];
  };
}
