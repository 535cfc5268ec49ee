/** The exports of serving/ for the versions. */
export { givePrototypes, prototypesOf } from './serving/adopt';
export { getField, setField } from './serving/fields';
export { defineHidden } from './serving/define-hidden';
