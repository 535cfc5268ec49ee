/** Tools look for the engine's implementation under this name. */
import { query } from '@ristretto/private-engine/lib/application';

export = query;
