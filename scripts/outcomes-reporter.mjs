/** A reporter for Node's test runner: prints a line of JSON for each test. */

/**
 * The outcome of a test. `name` is that of the file if the file itself failed.
 * @typedef {{ file: string, name: string, isSuite: boolean, passed: boolean, error: string }} Outcome
 */

export default async function* outcomes(
  /** @type {AsyncIterable<import('node:test/reporters').TestEvent>} */ source,
) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { details } = data;
    const error = 'error' in details ? details.error : undefined;
    const cause = /** @type {any} */ (error)?.cause;
    yield `${JSON.stringify({
      file: data.file ?? data.name,
      name: data.name,
      isSuite: details.type === 'suite',
      passed: type === 'test:pass',
      error: String(cause?.stack ?? cause ?? error ?? ''),
    })}\n`;
  }
}
