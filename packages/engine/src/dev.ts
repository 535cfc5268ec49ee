/** The exports of dev/ and router/dev/ for the versions; only development mode loads them. */
export { explainHandler } from './dev/handlers';
export { noteOwner, warnOfPath } from './dev/paths';
export { warnOfUnknownOption } from './dev/settings';
export { checkQuery } from './dev/query';
export { checkSoon } from './router/dev/check-stack';
