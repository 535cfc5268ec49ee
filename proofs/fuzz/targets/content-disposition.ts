/**
 * Content-Disposition: formatted as by the package content-disposition; a single line, from which the name can be
 * parsed.
 */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { contentDisposition } from '@ristretto/private-engine/lib/protocol/content-disposition';
import { oracleModule } from '../../../packages/engine/test/support/fake-request.js';
import { assertSame, outcomeOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

type Make = (name: string, options?: { fallback?: string | boolean; type?: string }) => string;
const theirs = oracleModule('content-disposition') as Make & {
  parse(value: string): { parameters: Record<string, string> };
};

export const target: Target = {
  characters: 'unicode',
  seeds: [
    'plans.pdf',
    '\u20ac rates.pdf',
    'a"b\\c.txt',
    'dir/file\ninline',
    '%41.txt',
    'a\nattachment\nfallback.txt',
  ],
  dictionary: [
    ...words(String.raw`" \ %41 % / .. ' * ; = filename= UTF-8''`),
    ...['\r\n', '\n', '\u20ac', '\ud800', '\u00e9'],
  ],
  run(text) {
    const [name = '', type = '', fallback = ''] = partsOf(text, 3);
    for (const options of [{}, { type }, { type: 'inline', fallback: fallback || false }]) {
      const ours = outcomeOf(() => contentDisposition(name, options));
      const expected = outcomeOf(() => theirs(name, options));
      // Which of two mistakes is reported first does not matter
      if (!('value' in ours && 'value' in expected)) {
        assert.equal('value' in ours, 'value' in expected);
        continue;
      }
      assertSame(ours, expected);
      const value = ours.value as string;
      assert.doesNotMatch(value, /[\r\n\0]/);
      if (basename(name) !== '') assert.equal(theirs.parse(value).parameters.filename, basename(name));
    }
  },
};
