// runs: built, once
/**
 * The examples of the reference compile, and have the values and responses in their comments, on this package and on
 * Express.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { compileErrors } from './reference/compile.js';
import { type Example, examplesIn, examplesOf, writeReference } from './reference/examples.js';
import { enterProject, type Framework } from './reference/given.js';
import { isShown, mistakesOf } from './reference/run.js';

const VERSIONS = [
  { folder: '', name: 'ristretto', express: 'express' },
  { folder: '3.x', name: 'ristretto3', express: 'express3' },
  { folder: '5.x', name: 'ristretto5', express: 'express5' },
];

/** In the examples, `express` is Ristretto. */
const fromRoot = createRequire(path.resolve(__dirname, '../../package.json'));

/** Pages whose examples make requests. */
const ROUTING = new Set(['application', 'request', 'response', 'router', 'route']);

/** Members that can only be shown with a server. */
const UNSEEN = new Set(['app.listen']);

writeReference();
const examples = new Map(VERSIONS.map(({ folder, name }) => [name, examplesOf(folder)]));

/** Returns whether Express does the same, according to the entry. */
const sameInExpress = ({ entry }: Example): boolean => /^\*\*Express \d\*\*: the same\.$/m.test(entry);

async function faultsOf(list: readonly Example[], web: Framework): Promise<string[]> {
  const faults: string[] = [];
  for (const example of list)
    faults.push(
      ...(await mistakesOf(example, web)).map(mistake => `${example.title} ${example.member}: ${mistake}`),
    );
  return faults;
}

describe('reference', () => {
  let home = '';
  const start = process.cwd();
  const { NODE_ENV } = process.env;
  before(() => {
    home = enterProject();
    delete process.env.NODE_ENV;
  });
  after(() => {
    process.chdir(start);
    fs.rmSync(home, { recursive: true });
    if (NODE_ENV !== undefined) process.env.NODE_ENV = NODE_ENV;
  });

  for (const { name, express } of VERSIONS) {
    const all = examples.get(name) ?? [];
    test(`runs: every example of ${name} has the documented output`, async () => {
      assert.deepEqual(await faultsOf(all, fromRoot(name)), []);
    });
    // Middleware of Express 3 reads `res._headers`, which newer versions of Node do not have.
    const skip = express === 'express3' && !('_headers' in http.ServerResponse.prototype);
    test(
      `runs: the examples of ${name} on ${express}, except those marked as different`,
      { skip },
      async () => {
        const same = all.filter(example => sameInExpress(example) && isShown(example.code));
        assert.deepEqual(await faultsOf(same, fromRoot(express)), []);
      },
    );
    test(`compiles: every example of ${name} compiles with the declarations`, () => {
      assert.deepEqual(compileErrors(name, all), []);
    });
  }

  test('every example of requests, responses and routing shows a response or a value', () => {
    const silent = [...examples.values()]
      .flat()
      .filter(({ page, member, code }) => ROUTING.has(page) && !UNSEEN.has(member) && !isShown(code))
      .map(({ title, member }) => `${title} ${member}`);
    assert.deepEqual(silent, []);
  });

  test('detects a wrong status, header, body or value', async () => {
    const planted = (code: string) =>
      mistakesOf(
        examplesIn('planted', `## res.x()\n\n\`\`\`js\n${code}\n\`\`\`\n`)[0]!,
        require('ristretto'),
      );
    assert.deepEqual(await planted("res.send('a');\n// GET / -> 201 a"), [
      'GET /: the status is 200, not 201',
    ]);
    assert.deepEqual(await planted("res.send('a');\n// GET / -> 200 b"), ['GET /: the body is a, not b']);
    assert.deepEqual(await planted("res.send('a');\n// GET / -> 200 (X-A: 1)"), [
      'GET /: X-A is absent, not 1',
    ]);
    assert.deepEqual(await planted("res.set('X-A', '1');\n// GET / -> 200 (no X-A)"), [
      'GET /: X-A is 1, not absent',
    ]);
    assert.deepEqual(await planted("req.path; // '/b'\n// GET /a"), ['"/a" is not "/b"']);
    assert.deepEqual(await planted('missing();'), ['ReferenceError: missing is not defined']);
    assert.deepEqual(await planted("app.get('env'); // 'x'"), ['"development" is not "x"']);
  });

  test('detects an example that does not compile', () => {
    const code = "res.statsu(200);\nres.status('200');\n";
    const planted = { ...examples.get('ristretto')![0]!, title: 'planted', code };
    const codes = compileErrors('ristretto', [planted]).map(mistake => mistake.slice(0, 14));
    assert.deepEqual(codes, ['planted TS2551', 'planted TS2345']);
  });
});
