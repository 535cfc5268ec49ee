/** What body parsers of 5.x do differently: whether a body has been read is seen from the request. */
import onFinished = require('on-finished');
import type { BodyRequest, Dialect } from 'ristretto/lib/body/dialect';
import { typeIs } from 'ristretto/lib/protocol/content-type';
import { TYPE_READING } from '../protocol/type-reading';

export const express5: Dialect = {
  isUnread(req: BodyRequest) {
    if (onFinished.isFinished(req)) return false;
    // own, so that it is there for who asks; what something has set stays
    if (!('body' in req)) req.body = undefined;
    return true;
  },
  marksBody: false,
  typeIs: (value, types) => typeIs(value, types, TYPE_READING),
};
