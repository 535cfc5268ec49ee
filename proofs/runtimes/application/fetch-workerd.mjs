/** `app.fetch` as the handler of a worker. */
import { app } from './app.mjs';

export default { fetch: app.fetch };
