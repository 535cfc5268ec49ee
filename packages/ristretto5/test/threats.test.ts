// runs: slow
/** The known attacks on members that ristretto5 shares with ristretto: the same tests, run on this package. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';
import { loadSharedTests } from './support/shared-tests.js';

const MEMBERS = (
  'app.METHOD app.use body.read req.host req.params req.url res.cookie res.headers res.json res.status ' +
  'settings.requests web.json web.static.descriptors web.static.safety web.static.transfer'
).split(' ');
/** Titles of tests about an attack among those of a member. */
const ATTACK = /\bCVE-|\bGHSA-|^(?:HEAD: runs the whole chain|null byte|ecstatic, hapi|zip bomb)/;

/** Tests of features that Express 5 has removed, or handles differently on purpose. */
const OTHERWISE: Record<string, string> = {
  'CVE-2025-15284: indexes of 1000 and above make an object, and holes in arrays are removed': 'above 20',
  'CVE-2025-54420: back never leads to //host': "'back' is a path like any other",
  'type: a malformed Content-Type matches no type (CVE-2022-41919)': 'malformed parameters are ignored',
};

loadSharedTests(['threats'], title => !(title in OTHERWISE));
loadSharedTests(MEMBERS, title => !(title in OTHERWISE) && ATTACK.test(title));

describe('threats: Express 5', () => {
  test("CVE-2025-54420: 'back' is a path, whatever the Referer", async () => {
    const app = web().get('/{*path}', (_req, res) => {
      res.redirect('back');
    }) as web.Application;
    for (const Referer of ['//evil.example/x', '/\\evil.example', 'http://evil.example']) {
      assert.equal((await ask(app, { headers: { Referer } })).headers.location, 'back');
    }
  });

  test('CVE-2022-41919, CVE-2026-25223, CVE-2026-3419, CVE-2026-33806: parser and req.is agree on the media type', async () => {
    const app = web().use((req, _res, next) => {
      (req as { isJson?: unknown }).isJson = req.is('application/json');
      next();
    });
    app.use(web.json(), (req, res) => {
      res.json([(req as { isJson?: unknown }).isJson, typeof req.body]);
    });
    const asked = async (type: string) => {
      const headers = { 'Content-Type': type };
      return JSON.parse((await ask(app, { method: 'POST', headers, body: '{}' })).text) as unknown;
    };
    for (const tail of ['\ta', ' garbage', ',text/plain', 'x', '/x']) {
      assert.deepEqual(await asked(`application/json${tail}`), [false, 'undefined'], tail);
    }
    for (const tail of ['', '; junk', ';', ';;', '; a=b; c', ' ;charset=utf-8', '\t;x']) {
      assert.deepEqual(await asked(`application/json${tail}`), ['application/json', 'object'], tail);
    }
  });

  test('CVE-2025-15284: a query array of more than 20 items becomes an object, and holes are not filled', async () => {
    const app = web().set('query parser', 'extended');
    app.use((req, res) => void res.json(req.query));
    const { text } = await ask(
      app as web.Application,
      `/?a[20]=x&b[19]=y&b[18]=z&${'c=1&'.repeat(20)}${'d[]=1&'.repeat(21)}`,
    );
    const { a, b, c, d } = JSON.parse(text) as Record<string, object>;
    assert.deepEqual([a, b], [{ 20: 'x' }, ['z', 'y']]);
    assert.deepEqual([Array.isArray(c), Array.isArray(d), Object.keys(d!).length], [true, false, 21]);
  });

  test('CVE-2014-7191, CVE-2017-1000048, CVE-2024-51999: huge indexes, stray brackets and inherited names are plain names', async () => {
    const app = web().set('query parser', 'extended');
    app.use((req, res) => void res.json(req.query));
    const { text } = await ask(
      app as web.Application,
      '/?a[999999999]=x&b]=1&[c=2&d[toString]=3&hasOwnProperty=4',
    );
    assert.deepEqual(JSON.parse(text), {
      a: { 999999999: 'x' },
      'b]': '1',
      '[c': '2',
      d: { toString: '3' },
      hasOwnProperty: '4',
    });
  });

  test('__proto__: changes no object as the name of a parameter or a setting, or in a query', async () => {
    const app = web();
    app.param('__proto__', (_req, _res, next) => {
      next();
    });
    app.get('/:__proto__/*constructor', (req, res) => {
      res.json([Object.entries(req.params), req.query, ({} as { polluted?: unknown }).polluted]);
    });
    for (const parser of ['simple', 'extended'] as const) {
      app.set('query parser', parser);
      const { text } = await ask(app, '/a/b/c?__proto__[polluted]=1&__proto__=2&x=3');
      const [params, query] = JSON.parse(text) as [unknown, Record<string, unknown>];
      assert.deepEqual(params, [
        ['__proto__', 'a'],
        ['constructor', ['b', 'c']],
      ]);
      assert.equal(query.x, '3');
    }
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
