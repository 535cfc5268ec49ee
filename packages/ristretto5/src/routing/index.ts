/** The constructor of routers, which is where tracers look for it: in a package called `router`. */
import type * as members from './router-members';

type Router = members.Router;
const Router = require('../../traced/router.js') as members.RouterConstructor;

export = Router;
