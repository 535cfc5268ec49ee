/** The form of the table of features: chapters, members in them, and rows that each want a test. */

/** What is seen, by the row's name: what stands before the colon of test titles, or how a title begins. */
export type Rows = Record<string, string>;

/** One part of the table. */
export interface Chapter {
  title: string;
  /** Where its tests are: the folder of another package, whose members may have the same names. */
  home?: string;
  /** Rows by member: the title of the `describe` around the tests. */
  members?: Record<string, Rows>;
  /** What happens, by the id of an attack, which a test title anywhere names. */
  ids?: Rows;
}
