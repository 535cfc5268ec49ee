/** Tools find the second layer of an application's router under this name. */
import { init } from '@ristretto/private-engine/lib/application';

export = { init };
