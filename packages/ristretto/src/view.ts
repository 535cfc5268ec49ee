/** Tools look for the engine's implementation under this name. */
import View = require('@ristretto/private-engine/lib/view');

export = View;
