/** Whole requests to an application of ristretto. */
import oracle from 'express';
import web from 'ristretto';
import { requestTarget } from '../requests.js';

export const target = requestTarget(web, oracle, { rest: '/users/:id/:rest*?', pair: '/:from-:to.:format' });
