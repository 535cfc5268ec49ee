/** `web.logger`: writes a line for each request, in predefined or custom formats. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import type { Ask } from '../../engine/test/support/http.js';
import { until } from '../../engine/test/support/tree.js';
import { askAll, loose, oracle, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

type Options = Exclude<Parameters<Web['logger']>[0], string | ((...args: never[]) => unknown) | undefined>;

const answer: Handler = (_req, res) => {
  res.setHeader('Content-Length', '2');
  res.end('ok');
};
const REQUEST: Ask = { path: '/p?q', headers: { Referer: 'R', 'User-Agent': 'U' } };

/** Returns the log lines of some requests, with times and dates normalized. */
async function linesOf(
  { logger }: Web,
  options: Options,
  requests: Ask[] = [REQUEST],
  expected = requests.length,
): Promise<string[]> {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  await askAll([logger({ ...options, stream: { write } }), answer], requests);
  await until(() => lines.length >= expected);
  return lines.map(line =>
    line
      .replace(/\d+\.\d{3} ms/g, 'T ms')
      .replace(/(?:\d{4}:)?\d{2}:\d{2}:\d{2}/g, 'T')
      .replace(/\d+\.\d{3}(?=\n)/, 'T'),
  );
}

async function sameLines(options: Options, requests?: Ask[], expected?: number): Promise<string[]> {
  const ours = await linesOf(web, options, requests, expected);
  assert.deepEqual(ours, await linesOf(oracle, options, requests, expected));
  return ours;
}

describe('web.logger', () => {
  for (const format of ['default', 'combined', 'common', 'short', 'tiny']) {
    test(`format: ${format}`, async () => {
      assert.equal((await sameLines({ format })).length, 1);
    });
  }

  test('format: is default if none is given, and dev has colours', async () => {
    assert.deepEqual(await sameLines({}), await linesOf(web, { format: 'default' }));
    assert.match((await linesOf(web, { format: 'dev' }))[0]!, /GET \/p\?q .*32m.*200/);
  });

  test('tokens: all tokens of 3.x exist', async () => {
    const format =
      ':method :url :status :res[content-length] :http-version :req[host] :referrer :user-agent :remote-addr ' +
      ':remote-user :date[clf] :date[web] :response-time';
    const lines = await sameLines({ format }, [
      REQUEST,
      { ...REQUEST, headers: { Host: 'h', 'User-Agent': 'V' } },
    ]);
    assert.equal(lines.length, 2);
    assert.match(lines[0]!, /^GET \/p\?q 200 2 1\.1 127\.0\.0\.1 R U 127\.0\.0\.1 - /);
  });

  test('format: a function returns the line, or null for none', async () => {
    const format: Options['format'] = (tokens, req, res) => `${String(tokens.method!(req, res))}!`;
    assert.deepEqual(await sameLines({ format }), ['GET!\n']);
    assert.deepEqual(await sameLines({ format: () => null }, [REQUEST], 0), []);
  });

  test('immediate: logs when the request arrives', async () => {
    assert.deepEqual(await sameLines({ format: 'tiny', immediate: true }), ['GET /p?q - - - - ms\n']);
  });

  test('buffer: lines are written together', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    await askAll([web.logger({ format: ':url', buffer: 60, stream }), answer], [REQUEST, REQUEST]);
    assert.deepEqual(lines, []);
    await until(() => lines.length > 0);
    assert.deepEqual(lines, ['/p?q\n/p?q\n']);
  });

  test('buffer: true flushes after a second', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lines: string[] = [];
    const log = web.logger({
      format: ':url',
      buffer: true,
      immediate: true,
      stream: { write: line => lines.push(line) },
    });
    log({ url: '/', headers: {}, socket: {} } as never, {} as never, () => undefined);
    t.mock.timers.tick(999);
    assert.deepEqual(lines, []);
    t.mock.timers.tick(1);
    assert.equal(lines.length, 1);
  });

  test('skip: skipped requests are not logged', async () => {
    assert.deepEqual(await sameLines({ format: 'tiny', skip: () => true }, [REQUEST], 0), []);
  });

  test('stream: is standard output by default, also if only the format is given', async t => {
    const written: string[] = [];
    t.mock.method(process.stdout, 'write', (text: string) => written.push(text));
    await askAll([web.logger(':method :url'), answer], [REQUEST]);
    await until(() => written.includes('GET /p?q\n'));
  });

  test('token and format: add to the logger and return it', async () => {
    for (const one of [web, oracle]) {
      one.logger.token('animal', () => 'ferret');
      one.logger.format('zoo', ':animal at :url');
    }
    assert.deepEqual(await sameLines({ format: 'zoo' }), ['ferret at /p?q\n']);
    assert.equal(
      web.logger.token('a', () => ''),
      web.logger,
    );
    assert.equal(web.logger.format('a', ''), web.logger);
    assert.equal(typeof web.logger.compile(':url'), 'function');
  });

  test('members: are the formats and tokens of 3.x', () => {
    const ours = web.logger as unknown as Record<string, unknown>;
    const theirs = oracle.logger as unknown as Record<string, unknown>;
    for (const name of Object.keys(theirs)) assert.equal(typeof ours[name], typeof theirs[name], name);
    for (const name of ['default', 'combined', 'common', 'short', 'tiny'])
      assert.equal(ours[name], theirs[name]);
  });

  test('wrong format: throws', () => {
    for (const format of [1, true, {}]) {
      assert.throws(
        () => loose(web.logger)({ format }),
        /^TypeError: logger\(\): expected a format string or a function/,
      );
    }
  });
});
