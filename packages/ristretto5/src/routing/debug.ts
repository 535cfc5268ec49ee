/** `DEBUG=router*`: the messages of the package `router`, on which Express 5 is based. */
import { printer } from '@ristretto/private-engine/lib/report';

/** The printers by topic; undefined if `DEBUG` is not set. */
export const debug = {
  layer: printer('router:layer'),
  route: printer('router:route'),
  router: printer('router'),
};
