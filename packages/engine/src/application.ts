/** The exports of application/ for the versions. */
export { webMembers } from './application/web-members';
export type { WebMembers } from './application/web-members';
export { fetching } from './application/fetching';
export { refuseMethod, sendFinalResponse } from './application/final-handler';
export { createFunction, handleWith } from './application/handling';
export { init, linkMessages } from './application/init';
export { listen } from './application/listening';
export { mixin } from './application/handling';
export { inherit, isApplication, mountAll, mountApplication, path, use } from './application/mounting';
export { onSend } from './application/on-send';
import query = require('./application/query');
export { query };
export { engine, render } from './application/rendering';
export { requestTracer } from './application/request-tracer';
export { disable, disabled, enable, enabled, readSetting, set, setDefaults } from './application/settings';
