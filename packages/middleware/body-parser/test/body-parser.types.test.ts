import { typesTests } from '../../test-support/types.js';

typesTests(__dirname, 'body-parser');
