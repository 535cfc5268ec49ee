/** What the versions use of diagnose/, which only development mode loads. */
export { noteOwner, warnOfPath } from './diagnose/paths';
export { checkSoon } from './router/check-stack';
