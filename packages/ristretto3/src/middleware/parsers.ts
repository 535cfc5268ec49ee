/** The parsers of the engine, which `web.json()` and `web.urlencoded()` call with other defaults. */
import { createParsers } from '@ristretto/private-engine/lib/body';
import { version } from '../version';

export const { json, urlencoded } = createParsers(version);
