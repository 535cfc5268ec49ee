/** Tools look for the engine's implementation under this name. */
import { Route } from '@ristretto/private-engine/lib/router';

export = Route;
