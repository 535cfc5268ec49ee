/** The exports of http/ for the versions. */
export { givePrototypes, prototypesOf } from './http/adopt';
export { getField, setField } from './http/fields';
export { defineHidden } from './http/define-hidden';
