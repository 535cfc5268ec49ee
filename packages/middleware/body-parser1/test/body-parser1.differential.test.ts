// runs: slow
import theirs from 'body-parser';
import ours from '@ristretto/body-parser1';
import { bodyTest } from '../../test-support/bodies.js';
import type { Parsers } from '../../test-support/bodies.js';

bodyTest('body-parser1', theirs as unknown as Parsers, ours as unknown as Parsers);
