/** How a Content-Type is compared, by `req.is` and by the body parsers: malformed parameters do not matter. */
import type { TypeReading } from 'ristretto/lib/protocol/content-type';
import { typeOfExtension } from './media-types';

export const TYPE_READING: TypeReading = { typeOf: typeOfExtension, readsParameters: false };
