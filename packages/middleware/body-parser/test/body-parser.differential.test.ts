// runs: slow
// @ts-expect-error -- only the types of version 1 exist
import theirs from 'body-parser2';
import ours from '@ristretto/body-parser';
import { bodyTest } from '../../test-support/bodies.js';
import type { Parsers } from '../../test-support/bodies.js';

bodyTest('body-parser', theirs as unknown as Parsers, ours as unknown as Parsers);
