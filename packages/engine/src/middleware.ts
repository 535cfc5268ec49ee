/** What the versions use of middleware/. */
import query = require('./middleware/query');
export { query };
export { init, linkMessages } from './middleware/init';
