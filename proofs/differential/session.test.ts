// runs: slow
/** The findings of the differential suite: a difference counts only if it also occurs when the case runs alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import express from 'express';
import type { Response } from 'express';
import web from 'ristretto';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { Random } from '../../packages/engine/test/support/random.js';
import type { Case } from './description.js';
import { report, reportPassing, runSession } from './session.js';
import type { Versions } from './session.js';

const makeCase = (): Case => ({
  settings: {},
  ownServer: false,
  layers: [
    { kind: 'route', method: 'get', path: '/', handlers: [{ id: 1, steps: [{ res: 'send', args: ['x'] }] }] },
  ],
  requests: [{ method: 'GET', target: '/', headers: [] }],
});

/** The oracle, and our framework with an action before each request. */
function planting(before: (res: Response) => void): Versions {
  const planted = () => {
    const app = web();
    return app.use((_req, res, next) => {
      before(res);
      next();
    });
  };
  return {
    ours: Object.assign(planted, web) as unknown as Web,
    theirs: express,
    makeCase,
    command: 'again --',
  };
}

describe('differential', () => {
  test('session: finds a planted difference, and says that the case was run alone', async () => {
    const versions = planting(res => void res.set('X-Planted', '1'));
    const { findings, passing } = await runSession({ cases: 1, seed: 7, versions });
    assert.deepEqual(passing, []);
    assert.equal(findings.length, 1);
    assert.match(
      report(findings[0]!, versions),
      /^── case 7: headers differs, also when run alone: again -- --cases 1 --seed 7\n/,
    );
  });

  test('session: a difference that occurs only once is listed, but is not a finding', async () => {
    let times = 0;
    const versions = planting(res => {
      if (times++ === 2) res.set('X-Planted', '1');
    });
    const outcome = await runSession({ cases: 5, seed: 7, versions });
    assert.deepEqual(outcome.findings, []);
    assert.equal(outcome.passing.length, 1);
    assert.match(reportPassing(outcome), /^case \d+: headers differed once, not when run alone$/);
  });

  test('session: an error that a case throws while the next one runs is a finding of that case', async () => {
    const source = new Random(7);
    const seeds = Array.from({ length: 4 }, () => source.seed());
    const late = () => {
      const app = web();
      return app.use((_req, _res, next) => {
        if (app.get('seed') === seeds[1]) {
          setImmediate(() => {
            setImmediate(() => {
              throw new Error('late');
            });
          });
        }
        next();
      });
    };
    const versions: Versions = {
      ours: Object.assign(late, web) as unknown as Web,
      theirs: express,
      makeCase: seed => ({
        settings: { seed },
        layers: [{ kind: 'use', handlers: [{ id: 1, steps: [{ next: [] }] }] }],
        ownServer: false,
        requests: [{ method: 'GET', target: '/', headers: [] }],
      }),
      command: '',
    };
    const { findings, passing } = await runSession({ cases: seeds.length, seed: 7, versions });
    assert.deepEqual(
      findings.map(({ seed, difference }) => [difference.what, seed]),
      [['crash', seeds[1]]],
    );
    assert.deepEqual(passing, []);
  });
});
