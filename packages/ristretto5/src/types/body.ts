/** Options of `web.urlencoded()`. */
import type { OptionsUrlencoded } from 'ristretto/lib/types/body';

/** The options of 4.x, except that forms are flat by default, plus charsets. */
export interface OptionsUrlencoded5 extends Omit<OptionsUrlencoded, 'extended'> {
  /** Parse `a[b]=c` as an object; false (the default) parses flat pairs. */
  extended?: boolean | undefined;
  /** The charset of a form that does not name its own, `'utf-8'` by default. */
  defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined;
  /** Read the charset from a field `utf8` of the form. */
  charsetSentinel?: boolean | undefined;
  /** In ISO-8859-1 forms, decode `&#9786;` to the character. */
  interpretNumericEntities?: boolean | undefined;
}
