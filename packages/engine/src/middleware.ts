/** The exports of middleware/ for the versions. */
import query = require('./middleware/query');
export { query };
export { init, linkMessages } from './middleware/init';
