// runs: each
/** Versions of Node that lack security fixes for HTTP/2. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPatched, warnIfUnpatched } from '@ristretto/private-engine/lib/serving/http2/patched';

describe('HTTP/2: versions of Node', () => {
  test('versions without security fixes: are known', () => {
    for (const version of [
      'v18.20.8',
      'v20.20.2',
      'v22.23.1',
      'v23.11.1',
      'v24.18.0',
      'v25.9.0',
      'v26.0.0',
      'v26.5.0',
    ])
      assert.equal(isPatched(version), false, version);
    for (const version of ['v22.23.2', 'v22.24.0', 'v24.18.1', 'v24.21.0', 'v26.5.1', 'v27.0.0-nightly'])
      assert.equal(isPatched(version), true, version);
  });

  test('a version that lacks them: emits one warning', async context => {
    const warnings: (Error & { code?: string })[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const version = Object.getOwnPropertyDescriptor(process, 'version')!;
    const { RISTRETTO_WARNINGS } = process.env;
    delete process.env.RISTRETTO_WARNINGS;
    context.after(() => {
      process.env.RISTRETTO_WARNINGS = RISTRETTO_WARNINGS;
      process.off('warning', note);
      Object.defineProperty(process, 'version', version);
    });
    Object.defineProperty(process, 'version', { ...version, value: 'v20.0.0' });
    warnIfUnpatched();
    warnIfUnpatched();
    await new Promise(setImmediate);
    const ours = warnings.filter(({ code }) => code === 'RISTRETTO_HTTP2_UNPATCHED');
    assert.deepEqual(
      ours.map(({ name, message }) => [name, message.split(' lacks')[0]]),
      [['RistrettoWarning', 'Node.js v20.0.0']],
    );
  });
});
