// runs: slow, twice
/** Warnings about names of settings. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isOneEditAway } from '@ristretto/private-engine/lib/dev/setting-names.js';
import { warningsOf } from '../support/warnings.js';

/** Runs these lines and returns one string per warning: the two names in the message, and the place. */
function warned(lines: string[], before = ''): string[] {
  return warningsOf(`const app = web(); ${before}\n${lines.join('\n')}`).map(
    ({ message, detail }) =>
      `${[...message.matchAll(/'([^']*)'/g)].map(([, name]) => name).join(' > ')}${detail!.trimStart()}`,
  );
}

describe('warnings', () => {
  test('misspelt setting: an edit adds, removes or replaces one letter, or swaps two adjacent ones', () => {
    for (const text of ['view', 'vies', 'iews', 'views!', 'vievs', 'veiws', 'viwes', 'xviews', 'views'])
      assert.equal(isOneEditAway(text, 'views'), true, text);
    for (const text of ['', 'vi', 'swiev', 'reviews', 'news', 'viewers', 'veisw', 'vwies'])
      assert.equal(isOneEditAway(text, 'views'), false, text);
  });

  test('misspelt setting: warns about a name one letter off or in capital letters, with the place', () => {
    const lines = [
      "app.set('veiw engine', 'pug');",
      "app.enable('trust-proxy');",
      "app.disable('X-Powered-By');",
      "app.set('viewEngine', 'pug').set('json space', 2);",
    ];
    assert.deepEqual(warned(lines), [
      'veiw engine > view engineat [eval]:2:5',
      'trust-proxy > trust proxyat [eval]:3:5',
      'X-Powered-By > x-powered-byat [eval]:4:5',
      'viewEngine > view engineat [eval]:5:5',
      'json space > json spacesat [eval]:5:30',
    ]);
  });

  test('misspelt setting: does not warn about names of the program', () => {
    const names = [
      'port',
      'title',
      'tag',
      'ent',
      'env',
      'view',
      'views',
      'secret',
      'trust',
      'proxy',
      'engine',
    ];
    const lines = names.map(name => `app.set('${name}', app.get('${name}'));`);
    assert.deepEqual(
      warned([...lines, "app.set('veiws'); app.enabled('veiws'); app.get('menu');", 'app.set(Symbol(), 1);']),
      [],
    );
  });

  test('misspelt setting: warns when app.get reads it, or reads a path', () => {
    assert.deepEqual(warned(["app.get('keep-alive timeout');", 'app.listen(0, () => process.exit());']), []);
    assert.equal(warned(["app.get('veiws');", "app.get('/views');", "app.get('trust-proxy');"]).length, 3);
  });

  test('app.disable("development warnings"): silences an application and those mounted in it', () => {
    const lines = ["app.set('veiws', 'x');", "const sub = web(); app.use(sub); sub.set('veiws', 'x');"];
    assert.deepEqual(warned(lines, "app.disable('development warnings');"), []);
    assert.equal(warned(lines).length, 2);
  });
});
