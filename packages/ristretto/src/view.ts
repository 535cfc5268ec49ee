/** Under this name tools look for what the engine implements. */
import View = require('@ristretto/private-engine/lib/view');

export = View;
