/** The form of the table of features: chapters, members in them, and rows, each of which needs a test. */

/** The observed behavior, by the row's name: the text before the colon of test titles, or the beginning of a title. */
export type Rows = Record<string, string>;

/** One part of the table. */
export interface Chapter {
  title: string;
  /** The folder of another package that contains its tests; its members may have the same names. */
  home?: string;
  /** Rows by member: the title of the `describe` around the tests. */
  members?: Record<string, Rows>;
  /** The observed behavior, by the id of an attack, which any test title may contain. */
  ids?: Rows;
}
