/** How `req.is` and the body parsers compare a Content-Type: malformed parameters are ignored. */
import type { TypeReading } from '@ristretto/private-engine/lib/protocol';
import { typeOfExtension } from './media-types';

export const TYPE_READING: TypeReading = { typeOf: typeOfExtension, readsParameters: false };
