/** Under this name tools look for what the engine implements. */
import { Layer } from '@ristretto/private-engine/lib/router';

export = Layer;
