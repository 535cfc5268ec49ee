/** JSONP: with any callback, the response only calls a name, with the given value. */
import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import web from 'ristretto';
import { partsOf, unsent } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const app = web();
app.response.send = function send(this: { sent?: unknown }, body: unknown) {
  this.sent = body;
  return this;
} as never;
/** Running the script in a new context is slow, so it is done only for every 512th text. */
const RUN_EACH = 512;
let turn = 0;

export const target: Target = {
  characters: 'unicode',
  seeds: ['callback\nvalue', 'a.b[0]\n\u2028', 'alert(1)//\n</script>', '\nx', '$_\n'],
  dictionary: [
    ...words(`( ) // /* */ ; [ ] . $ <script> " ' => this`),
    ...['\u2028', '\u2029', '\ufeff', '\\u0061', '`', '${'],
  ],
  run(text) {
    const [callback = '', value = ''] = partsOf(text, 2);
    for (const given of [callback, [callback, 'b'], { a: callback }]) {
      const { req, res } = unsent(app);
      req.query = { callback: given } as never;
      res.jsonp({ value });
      const { sent } = res as unknown as { sent: string };
      if (typeof given === 'object' && !Array.isArray(given)) assert.equal(sent, JSON.stringify({ value }));
      else if (callback === '') assert.equal(sent, JSON.stringify({ value }));
      else assertCall(sent, value);
      assert.equal(res.get('X-Content-Type-Options'), 'nosniff');
    }
  },
};

function assertCall(script: string, value: string): void {
  const [, name, again, json] =
    /^\/\*\*\/ typeof ([\w$.[\]]*) === 'function' && ([\w$.[\]]*)\((.*)\);$/.exec(script) ?? [];
  assert.ok(json !== undefined && name === again, script);
  assert.deepEqual(JSON.parse(json), { value });
  assert.doesNotMatch(script, /[\u2028\u2029]/);
  if (turn++ % RUN_EACH !== 0 || !/^[a-z]\w*$/.test(name!)) return;
  const seen: unknown[] = [];
  runInNewContext(script, { [name!]: (argument: unknown) => seen.push(JSON.stringify(argument)) });
  assert.ok(seen.length <= 1 && (seen.length === 0 || seen[0] === JSON.stringify({ value })));
}
