/** Reads the keys of `res.format` as 5.x does. */
import { registeredType } from '@ristretto/private-engine/lib/protocol';
import type { NormalizedType } from '@ristretto/private-engine/lib/protocol';

const BYTES = 'application/octet-stream';

/** Converts a key of `res.format` to a media type: its value, quality and parameters. */
export function normalizeType(type: string): NormalizedType {
  if (!type.includes('/')) return { value: registeredType(type) || BYTES, params: {} };
  const [value = '', ...parameters] = type.split(';').map(part => part.trim());
  const normalized: NormalizedType = { value, quality: 1, params: {} };
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0) continue;
    const name = parameter.slice(0, equals).trimEnd();
    const text = parameter.slice(equals + 1).trimStart();
    if (name === 'q') normalized.quality = Number.parseFloat(text);
    else normalized.params[name] = text;
  }
  return normalized;
}
