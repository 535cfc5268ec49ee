// runs: slow
/** Thousands of generated applications and requests get the same responses as from the oracle. */
import { generatedTest } from './generated.js';

generatedTest('Express 4', 2_000);
