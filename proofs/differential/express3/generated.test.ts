// runs: slow
/** Generated applications of 3.x, which must respond as the oracle does. */
import { generatedTest } from '../generated.js';
import { express3 } from './express3.js';

generatedTest('Express 3', 2_000, express3);
