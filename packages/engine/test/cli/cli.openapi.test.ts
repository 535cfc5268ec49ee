// runs: slow
/** `ristretto openapi`: prints the OpenAPI document of an application. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFolder } from '../support/program.js';
import type { Ended } from '../support/program.js';

const { run, write } = inFolder();

function openapi(name: string, text: string, ...options: string[]): Promise<Ended> {
  write(name, text);
  return run({}, 'openapi', name, ...options);
}

const APP =
  "const web = require('ristretto');\nconst app = web().get('/users/:id', () => {});\nmodule.exports = app;\n";
const MOUNTED = `${APP}app.use('/api', web.Router().get('/doc', web.openApi(app, { info: { title: 'Mine', version: '3' } })));\n`;

interface Document {
  info: object;
  paths: object;
}

describe('ristretto openapi', () => {
  test('document: has the options of the handler that the application uses', async () => {
    const { code, out, err } = await openapi('mounted.cjs', MOUNTED);
    assert.deepEqual([code, err], [0, '']);
    const { info, paths } = JSON.parse(out) as Document;
    assert.deepEqual(info, { title: 'Mine', version: '3' });
    assert.deepEqual(Object.keys(paths), ['/users/{id}']);
    assert.equal(out, `${JSON.stringify(JSON.parse(out), undefined, 2)}\n`);
  });

  test('document: uses the title and version of the command line, or defaults', async () => {
    const infoOf = async (ended: Promise<Ended>) => (JSON.parse((await ended).out) as Document).info;
    assert.deepEqual(await infoOf(openapi('app.cjs', APP)), { title: 'API', version: '0.0.0' });
    const flags = ['--title', 'Other', '--version=9'];
    const wanted = { title: 'Other', version: '9' };
    assert.deepEqual(await infoOf(openapi('app.cjs', APP, ...flags)), wanted);
    assert.deepEqual(await infoOf(openapi('mounted.cjs', MOUNTED, ...flags)), wanted);
  });

  test('output: does not contain what the application prints', async () => {
    const { out, err } = await openapi('prints.cjs', `${APP}console.log('loaded');\n`);
    assert.deepEqual(
      [Object.keys(JSON.parse(out) as Document), err],
      [['openapi', 'info', 'paths'], 'loaded\n'],
    );
  });

  test('errors: say what is wrong, and exit with code 1', async () => {
    const schema = "{ '~standard': { version: 1, vendor: 'mine', validate: value => ({ value }) } }";
    const cases: [Promise<Ended>, RegExp][] = [
      [
        openapi('schema.cjs', `${APP}app.post('/a', web.validate({ body: ${schema} }), () => {});`),
        /^web\.openApi\(\) can't describe these\..*\n {2}POST \/a, body \(mine\): the library does not support JSON Schema\n$/,
      ],
      [run({}, 'openapi', 'nowhere.js'), /^There is no file .*nowhere\.js\.\n$/],
      [run({}, 'openapi'), /^Expected one file\.\n\nUsage: ristretto openapi/],
      [run({}, 'openapi', 'a', 'b'), /^Expected one file\./],
      [run({}, 'openapi', '--yaml', 'a'), /^Unknown option '--yaml'/],
    ];
    for (const [ended, message] of cases) {
      const { code, out, err } = await ended;
      assert.match(err, message);
      assert.deepEqual([code, out], [1, ''], err);
    }
  });

  test('help: lists the options', async () => {
    const { code, out } = await run({}, 'openapi', '--help');
    assert.match(out, /^Usage: ristretto openapi <file> \[--title <text>\] \[--version <text>\]/);
    assert.equal(code, 0);
    assert.match(
      (await run({})).out,
      /^ {2}ristretto openapi +prints the OpenAPI document of an application$/m,
    );
  });
});
