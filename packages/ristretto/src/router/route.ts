/** Under this name tools look for what the engine implements. */
import { Route } from '@ristretto/private-engine/lib/router';

export = Route;
