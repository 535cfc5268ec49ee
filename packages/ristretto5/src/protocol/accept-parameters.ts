/**
 * Reads the parameters in Accept headers as RFC 9110 section 5.6.6 defines them: names in any case, values in quotes or
 * not, in any order, with blanks around the semicolons.
 */
import { splitOutsideQuotes, trimBlanks } from '@ristretto/private-engine/lib/protocol';
import type { ReadParameters } from '@ristretto/private-engine/lib/protocol';

/** Of parameters with one name, the first counts. The quality is 1 if it is missing or has no value. */
export const readAcceptParameters: ReadParameters = text => {
  let quality: number | undefined;
  let others: ReturnType<ReadParameters>['others'];
  for (const parameter of splitOutsideQuotes(text, ';')) {
    const equals = parameter.indexOf('=');
    const name = trimBlanks(equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
    const value = equals < 0 ? '' : withoutQuotes(trimBlanks(parameter.slice(equals + 1)));
    if (name === 'q') {
      quality ??= value === '' ? 1 : Number.parseFloat(value);
    } else {
      others ??= Object.create(null) as Record<string, string>;
      others[name] ??= value;
    }
  }
  return { quality: quality ?? 1, others };
};

function withoutQuotes(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
