/** The setting `etag`: which ETags `res.send` generates. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { answering, sameEach } from '../support/compare.js';
import { frameworks, same } from '../support/oracle.js';
import { root } from '../support/tree.js';

const BODIES = [
  '',
  'a',
  'é',
  'x'.repeat(2000),
  { a: 1 },
  null,
  Buffer.from('abc'),
  Buffer.alloc(0),
  undefined,
];
const using = (etag: unknown) =>
  answering((req, res) => res.send(BODIES[Number(req.url.slice(1))]), { etag });
const PATHS = BODIES.map((_body, at) => `/${at}`);

describe('setting etag', () => {
  test('default: is weak', async () => {
    const answer = await same(answering((_req, res) => res.send('x')));
    assert.match(answer.headers.etag!, /^W\/"/);
    assert.equal(web().get('etag'), 'weak');
  });

  test('true, weak: generate weak ETags', async () => {
    for (const value of [true, 'weak']) {
      const answers = await sameEach(using(value), PATHS);
      assert.equal(answers[1]?.headers.etag, 'W/"1-hvfkN/qlp/zhXR3cuerq6jd2Z7g"');
    }
  });

  test('strong: generates strong ETags', async () => {
    const answers = await sameEach(using('strong'), PATHS);
    assert.equal(answers[1]?.headers.etag, '"1-hvfkN/qlp/zhXR3cuerq6jd2Z7g"');
  });

  test('false: sends no ETag', async () => {
    for (const answer of await sameEach(using(false), PATHS)) assert.equal(answer.headers.etag, undefined);
  });

  test('function: gets the body as a Buffer and returns the ETag', async () => {
    const seen: unknown[] = [];
    const answers = await sameEach(
      using((body: unknown, encoding: unknown) => {
        seen.push([Buffer.isBuffer(body), String(body), encoding]);
        return `"${(body as Buffer).length}"`;
      }),
      PATHS,
    );
    assert.equal(answers[2]?.headers.etag, '"2"');
    assert.deepEqual(seen.slice(0, seen.length / 2), seen.slice(seen.length / 2));
  });

  test('function: undefined, null and empty text omit the ETag, other values become text', async () => {
    for (const tag of [undefined, null, '', 0, 5])
      await same(
        using(() => tag),
        '/1',
      );
  });

  test('web.static: ignores it', async () => {
    for (const etag of [false, 'strong', () => '"own"']) {
      const answer = await same(
        web =>
          web()
            .set('etag', etag as 'strong')
            .use(web.static(root)),
        '/todo.txt',
      );
      assert.equal(answer.headers.etag, 'W/"b-174876e81f4"');
    }
  });

  test('another value: throws a TypeError', () => {
    for (const value of ['other', 5, null]) {
      const errors = Object.values(frameworks).map(framework => {
        try {
          framework().set('etag', value as never);
        } catch (err) {
          return err as Error;
        }
        return undefined;
      });
      assert.ok(errors[0] instanceof TypeError);
      assert.equal(errors[0].message, `unknown value for etag function: ${String(value)}`);
      assert.equal(errors[0].message, errors[1]?.message);
    }
  });

  test('sub-app: does not inherit it', async () => {
    await same(web => {
      const app = web();
      const sub = web();
      app.set('etag', 'strong');
      sub.get('/', (_req, res) => res.send('x'));
      return app.use('/sub', sub);
    }, '/sub');
  });
});
