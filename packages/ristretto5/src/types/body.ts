/** Options of `web.urlencoded()`. */
import type { OptionsUrlencoded } from '@ristretto/private-engine/lib/types/body';

/** The options of 4.x, except that forms are flat by default, plus charsets. */
export interface OptionsUrlencoded5 extends Omit<OptionsUrlencoded, 'extended'> {
  /** Parse `a[b]=c` as an object; false parses flat pairs. @default false */
  extended?: boolean | undefined;
  /** The charset of a form that does not name its own. @default 'utf-8' */
  defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined;
  /** Read the charset from a field `utf8` of the form. @default false */
  charsetSentinel?: boolean | undefined;
  /** In ISO-8859-1 forms, decode `&#9786;` to the character. @default false */
  interpretNumericEntities?: boolean | undefined;
}
