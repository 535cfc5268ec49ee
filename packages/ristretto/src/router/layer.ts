/** Tools look for the engine's implementation under this name. */
import { Layer } from '@ristretto/private-engine/lib/router';

export = Layer;
