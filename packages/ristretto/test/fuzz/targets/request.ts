/** Whole requests to an application of ristretto. */
import web from 'ristretto';
import { requestTarget } from '../requests.js';

export const target = requestTarget(web, { rest: '/users/:id/:rest*?', pair: '/:from-:to.:format' });
