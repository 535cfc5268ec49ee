/** The constructor of layers, which is where tracers look for it: in a package called `router`. */
import type * as members from './layer-members';

type Layer = members.Layer;
const Layer = require('../../traced/node_modules/router/lib/layer.js') as members.LayerConstructor;

export = Layer;
