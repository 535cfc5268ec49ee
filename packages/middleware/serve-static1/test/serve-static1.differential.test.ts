// runs: slow
import theirs from 'serve-static';
import ours from '@ristretto/serve-static1';
import { filesTest } from '../../test-support/files.js';

filesTest('serve-static1', theirs as never, ours as never);
