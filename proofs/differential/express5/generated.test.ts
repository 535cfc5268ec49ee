// runs: slow
/** Thousands of generated applications and requests, each served as by the oracle. */
import { generatedTest } from '../generated.js';
import { express5 } from './express5.js';

generatedTest('Express 5', 2_000, express5);
