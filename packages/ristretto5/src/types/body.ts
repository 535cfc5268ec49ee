/** Options of `web.urlencoded()`. */
import type { OptionsUrlencoded } from 'ristretto/lib/types/body';

/** The same as of 4.x, but flat by default, and with charsets. */
export interface OptionsUrlencoded5 extends Omit<OptionsUrlencoded, 'extended'> {
  /** Read `a[b]=c` as an object; false (the default) reads flat pairs. */
  extended?: boolean | undefined;
  /** The charset of a form that does not tell, `'utf-8'` by default. */
  defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined;
  /** Let a field `utf8` of the form tell its charset. */
  charsetSentinel?: boolean | undefined;
  /** In forms of ISO-8859-1, read `&#9786;` as the character. */
  interpretNumericEntities?: boolean | undefined;
}
