/** The exports of application/ for the versions. */
export { webMembers } from './application/web-members';
export type { WebMembers } from './application/web-members';
export { fetching } from './application/fetching';
export { endPlainly, refuseMethod, sendFinalResponse } from './application/final-handler';
export { createFunction, handleWith, mixin } from './application/handling';
export { init, linkMessages, query, queryWith } from './application/first-layers';
export { listen } from './application/listening';
export { inherit, isApplication, mountAll, mountApplication, path, use } from './application/mounting';
export { onSend } from './application/on-send';
export { engine, render } from './application/rendering';
export { requestTracer } from './application/request-tracer';
export { disable, disabled, enable, enabled, readSetting, set, setDefaults } from './application/settings';
