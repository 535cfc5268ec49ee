/** Under this name tools find the second layer of an application's router. */
import { init } from '@ristretto/private-engine/lib/middleware';

export = { init };
