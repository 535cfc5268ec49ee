/** What belongs to a response: `res.req`, `locals`, `headersSent`, `end`. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.req', () => {
  test('request: is the request that the handler gets', () =>
    same(web => web().get('/', (req, res) => void res.json(res.req === req))));
  test('sub-application: has the same request', () =>
    same(web =>
      web().use(
        web().use((req, res, next) => next(res.req === req ? undefined : 'other')),
        (_req, res) => void res.send('x'),
      ),
    ));
  test('members: methods of the response use it, even if it is replaced', () =>
    same(
      web =>
        web().get('/', (req, res) => {
          res.req = Object.create(req, { method: { value: 'HEAD' } }) as typeof req;
          res.send('not sent');
          // Node 26.12 ends the process if the request of a response is another one when it has been sent
          res.req = req;
        }),
      '/',
    ));
});

describe('res.locals', () => {
  test('each request: has its own object without a prototype', async () => {
    await sameEach(
      answering((_req, res) => {
        const before = Object.keys(res.locals).length;
        res.locals.seen = true;
        res.json([before, Object.getPrototypeOf(res.locals) === null]);
      }),
      ['/', '/'],
    );
  });

  test('sub-app: sees the locals of its parent', async () => {
    await same(web => {
      const app = web();
      const sub = web();
      sub.get('/', (_req, res) => res.json(res.locals));
      app.use((_req, res, next) => {
        res.locals.from = 'parent';
        next();
      });
      return app.use('/sub', sub);
    }, '/sub');
  });
});

describe('res.headersSent', () => {
  test('before and after: is false, then true', async () => {
    const seen: boolean[] = [];
    await same(
      answering((_req, res) => {
        seen.push(res.headersSent);
        res.send('x');
        seen.push(res.headersSent);
      }),
    );
    assert.deepEqual(seen, [false, true, false, true]);
  });

  test('after write: is true', async () => {
    await same(
      answering((_req, res) => {
        res.set('Content-Length', '4').write('true');
        assert.equal(res.headersSent, true);
        res.end();
      }),
    );
  });
});

describe('res.end', () => {
  test('data: is sent as it is, without a type or an ETag', async () => {
    const answer = await same(answering((_req, res) => void res.end('text')));
    assert.equal(answer.text, 'text');
    assert.equal(answer.headers['content-type'], undefined);
    assert.equal(answer.headers.etag, undefined);
    assert.equal((await same(answering((_req, res) => void res.end(Buffer.from([0, 255]))))).body.length, 2);
  });

  test('data: may be omitted, to send no body', async () => {
    const answer = await same(answering((_req, res) => void res.status(404).end()));
    assert.deepEqual([answer.status, answer.text], [404, '']);
  });

  test('encoding: applies to text', async () => {
    assert.equal(
      (await same(answering((_req, res) => void res.end('e9e8', 'hex')))).body.toString('latin1'),
      'éè',
    );
    assert.equal((await same(answering((_req, res) => void res.end('é', 'latin1')))).body.length, 1);
  });

  test('native: calls the current http.ServerResponse.prototype.end', async t => {
    await same(answering((_req, res) => void res.end('before')));
    const end = t.mock.method(http.ServerResponse.prototype, 'end');
    await same(answering((_req, res) => void res.end('x')));
    await same(answering((_req, res) => void res.send('x')));
    assert.equal(end.mock.callCount(), 4);
  });

  test('native: calls the callback', async () => {
    let calls = 0;
    await same(
      answering((_req, res) => {
        assert.equal(
          res.end('x', () => calls++),
          res,
        );
      }),
    );
    assert.equal(calls, 2);
  });
});
