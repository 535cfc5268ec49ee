/** Under this name tools look for what the engine implements. */
import { query } from '@ristretto/private-engine/lib/middleware';

export = query;
