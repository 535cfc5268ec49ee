/** The setting `trust proxy`: which proxies determine the address, protocol and host of a request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../support/compare.js';
import { frameworks, same } from '../support/oracle.js';

const FIELDS = { Host: 'own', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'front' };
const REQUESTS = ['1.1.1.1', '1.1.1.1, 10.0.0.1', '10.0.0.2, 10.0.0.1'].map(list => ({
  headers: { ...FIELDS, 'X-Forwarded-For': list },
}));

/** Returns what the three requests reveal about the client. */
async function shown(value: unknown): Promise<unknown[]> {
  const build = answering((req, res) => res.json([req.ips, req.protocol, req.hostname]), {
    'trust proxy': value,
  });
  return (await sameEach(build, REQUESTS)).map(answer => JSON.parse(answer.text) as unknown);
}

const OFF = [[], 'http', 'own'];

describe('setting trust proxy', () => {
  test('default: is false', () => {
    assert.equal(frameworks.ristretto().get('trust proxy'), false);
  });

  test('false: no proxy is trusted', async () => {
    assert.deepEqual(await shown(false), [OFF, OFF, OFF]);
  });

  test('true: every hop is trusted', async () => {
    assert.deepEqual((await shown(true))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
  });

  test('number: that many hops are trusted', async () => {
    assert.deepEqual(await shown(0), [OFF, OFF, OFF]);
    assert.deepEqual((await shown(1))[1], [['10.0.0.1'], 'https', 'front']);
    assert.deepEqual((await shown(2))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
  });

  test('text, list: addresses and ranges are trusted', async () => {
    for (const value of ['127.0.0.1, 10.0.0.0/8', ['127.0.0.0/255.0.0.0', '10.0.0.1']]) {
      assert.deepEqual((await shown(value))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
    }
    assert.deepEqual(await shown('10.0.0.0/8'), [OFF, OFF, OFF]);
  });

  test('loopback, linklocal, uniquelocal: are names of trusted ranges', async () => {
    assert.deepEqual((await shown('loopback'))[2], [['10.0.0.1'], 'https', 'front']);
    assert.deepEqual((await shown('loopback, uniquelocal'))[2], [['10.0.0.2', '10.0.0.1'], 'https', 'front']);
    assert.deepEqual((await shown('linklocal'))[2], OFF);
  });

  test('function: gets the address and the hop', async () => {
    const own = (address: string, hop: number) => hop === 0 || address === '10.0.0.1';
    assert.deepEqual((await shown(own))[1], [['1.1.1.1', '10.0.0.1'], 'https', 'front']);
    const app = frameworks.ristretto();
    app.set('trust proxy', own);
    assert.equal(app.get('trust proxy fn'), own);
  });

  test('errors: are TypeErrors, as in Express', () => {
    const values = [
      'bogus',
      'loopback, x',
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '::1/129',
      ['10.0.0.0 '],
      {},
      new Date(),
    ];
    for (const value of values) {
      const [ours, theirs] = Object.values(frameworks).map(web => {
        try {
          return web().set('trust proxy', value as string);
        } catch (error) {
          return String(error);
        }
      });
      assert.match(String(ours), /^TypeError: (invalid|unsupported)/);
      assert.equal(ours, theirs);
    }
  });

  test('CVE-2026-90711: a range of mapped addresses that is too wide throws', () => {
    const app = frameworks.ristretto();
    assert.throws(() => app.set('trust proxy', '::ffff:10.0.0.0/8'), {
      name: 'TypeError',
      message: 'invalid range on address: ::ffff:10.0.0.0/8',
    });
  });

  test('mounted application: inherits it unless it has its own', async () => {
    for (const own of [undefined, false]) {
      const answer = await same(
        web => {
          const app = web();
          const child = web();
          app.set('trust proxy', true);
          if (own !== undefined) child.set('trust proxy', own);
          child.get('/', (req, res) => res.json(req.ips));
          app.use('/child', child);
          return app;
        },
        { path: '/child', headers: { 'X-Forwarded-For': '1.1.1.1' } },
      );
      assert.equal(answer.text, own === undefined ? '["1.1.1.1"]' : '[]');
    }
  });
});
