/** `app.fetch` as a worker's handler. */
import { app } from './app.mjs';

export default { fetch: app.fetch };
