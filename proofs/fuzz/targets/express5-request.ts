/** Whole requests to an application of ristretto5. */
import web from 'ristretto5';
import { requestTarget } from '../requests.js';

export const target = requestTarget(web, require('express5'), {
  rest: '/users/:id{/*rest}',
  pair: '/:from-:to.:format',
});
