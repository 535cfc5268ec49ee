// runs: slow
// @ts-expect-error -- only the types of version 1 exist
import theirs from 'serve-static2';
import ours from '@ristretto/serve-static';
import { filesTest } from '../../test-support/files.js';

filesTest('serve-static', theirs as never, ours as never);
