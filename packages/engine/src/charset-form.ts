/** The parser of forms in other character sets than UTF-8, apart from the door of body/, because few programs load it. */
export { createCharsetFormParser } from './body/charset-form';
