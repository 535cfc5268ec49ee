/** What the body parsers of 5.x do differently: they check on the request itself whether its body has been read. */
import onFinished = require('on-finished');
import type { BodyRequest, Dialect } from '@ristretto/private-engine/lib/body';
import { typeIs } from '@ristretto/private-engine/lib/protocol';
import { TYPE_READING } from '../protocol/type-reading';

export const express5: Dialect = {
  isUnread(req: BodyRequest) {
    if (onFinished.isFinished(req)) return false;
    // an own property, so that `'body' in req` is true; a value that is already set stays
    if (!('body' in req)) req.body = undefined;
    return true;
  },
  marksBody: false,
  typeIs: (value, types) => typeIs(value, types, TYPE_READING),
};
