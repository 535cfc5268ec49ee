/**
 * The database, whichever engine runs it. Queries are written as templates:
 *
 *     const rows = await db.sql<{ id: number }>`select id from users where name = ${name}`;
 *
 * A value never becomes part of the text: it is sent beside it, as a parameter.
 */

export type Value = string | number | boolean | Uint8Array | null;
export type Run = (text: string, values: Value[]) => Promise<{ rows: unknown[] }>;
export type Sql = <Row>(text: TemplateStringsArray, ...values: Value[]) => Promise<Row[]>;

export interface Queries {
  sql: Sql;
  /** Runs several statements without parameters, for migrations. */
  script(text: string): Promise<unknown>;
}

export interface Database extends Queries {
  /** Where the data is, for people. */
  readonly place: string;
  /** A query as `pg` takes it, for packages that bring their own. */
  query: Run;
  /** Runs queries that take effect all together, or not at all if `work` rejects. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Makes a template tag of a function that runs a text with values: the first value becomes $1, and so on. */
export function sqlOf(run: Run): Sql {
  return async <Row>(text: TemplateStringsArray, ...values: Value[]) => {
    const { rows } = await run(
      text.reduce((joined, part, index) => `${joined}$${index}${part}`),
      values,
    );
    return rows as Row[];
  };
}
