/** The exports of diagnose/ for the versions; only development mode loads them. */
export { explainHandler } from './diagnose/handlers';
export { noteOwner, warnOfPath } from './diagnose/paths';
export { warnOfUnknownOption } from './diagnose/option-names';
export { checkQuery } from './diagnose/query';
export { checkSoon } from './router/check-stack';
