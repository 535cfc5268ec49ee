/** `res.format`: calls the handler of the media type that the client prefers, or fails with 406. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, returning, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

const formats = answering((_req, res) => {
  res.format({
    'text/plain': () => res.send('plain'),
    html: () => res.send('<p>html</p>'),
    json: () => res.json({ json: true }),
    'application/vnd.x+xml;level=1': () => res.send('level'),
  });
});
const withDefault = answering((_req, res) => {
  res.format({
    default: () => res.status(300).send('default'),
    json: () => res.json({ json: true }),
    'text/html': () => res.send('html'),
  });
});
const accept = (value: string) => ({ headers: { Accept: value } });

describe('res.format', () => {
  test('no Accept header: calls the first handler', async () => {
    assert.equal((await same(formats)).text, 'plain');
    assert.equal((await same(withDefault)).text, '{"json":true}');
  });

  test('Accept header: selects the handler of the best type and sets Content-Type and Vary', async () => {
    const answer = await same(formats, accept('text/html;q=.5, application/json'));
    assert.equal(answer.text, '{"json":true}');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers.vary, 'Accept');
    await sameEach(
      formats,
      ['text/*', '*/*', 'text/html', 'application/vnd.x+xml', 'a/b, */*;q=.1'].map(accept),
    );
  });

  test('extension names: represent their media types', async () => {
    const build = answering((_req, res) => {
      const show = () => res.send(res.get('Content-Type'));
      res.format({ txt: show, '.html': show, json: show, png: show });
    });
    const answers = await sameEach(
      build,
      ['text/plain', 'application/json', 'image/*', 'text/html'].map(accept),
    );
    assert.deepEqual(
      answers.slice(0, 3).map(({ text }) => text),
      ['text/plain; charset=utf-8', 'application/json; charset=utf-8', 'image/png'],
    );
  });

  test('Accept header: random values select the same handler as Express', async () => {
    const type = fc.constantFrom(
      'text/html',
      'text/plain',
      'application/json',
      'text/*',
      '*/*',
      'image/png',
      'garbage',
    );
    const quality = fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';level=1', '; q=x');
    const one = fc.tuple(type, quality).map(([name, q]) => name + q);
    const lists = fc.sample(fc.array(one, { minLength: 1, maxLength: 4 }), { seed: 9, numRuns: 60 });
    for (const build of [formats, withDefault]) {
      await sameEach(
        build,
        lists.map(list => accept(list.join(', '))),
      );
    }
  });

  test('default: is called when nothing else matches', async () => {
    const answer = await same(withDefault, accept('image/png'));
    assert.equal(answer.text, 'default');
    assert.equal(answer.status, 300);
    await same(
      answering((_req, res) => void res.format({ default: () => res.send('only') })),
      accept('image/png'),
    );
  });

  test('no match and no default: passes a 406 error with the types to next', async () => {
    const answer = await same(formats, accept('image/png'));
    assert.equal(
      answer.text,
      'NotAcceptableError: Not Acceptable ' +
        '["text/plain","text/html","application/json","application/vnd.x+xml"] 406',
    );
    await same(answering((_req, res) => void res.format({})));
  });

  test('handler: gets req, res and next, and its key determines the type', async () => {
    const answer = await same(
      answering((req, res, next) => {
        res.format({
          '.html'(this: unknown, ...given: unknown[]) {
            assert.deepEqual(given, [req, res, req.next]);
            assert.equal(typeof next, 'function');
            res.send('own extension');
          },
        });
      }),
    );
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('Vary: is added to an existing value', async () => {
    await same(answering((_req, res) => void res.vary('Origin').format({ text: () => res.send('x') })));
  });

  test('argument missing, or a handler that is not a function: throws a TypeError', async () => {
    const missing = await same(answering((_req, res) => loose(res).format!()));
    assert.match(missing.text, /^TypeError: Cannot convert undefined or null to object/);
    const none = await same(answering((_req, res) => void res.format({ html: 5 })));
    assert.match(none.text, /^TypeError: obj\[\w+\] is not a function/);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.format({ text: () => 0 })));
  });
});
