/** What the versions use of http/. */
export { givePrototypes, prototypesOf } from './http/adopt';
export { getField, setField } from './http/fields';
export { defineHidden } from './http/define-hidden';
