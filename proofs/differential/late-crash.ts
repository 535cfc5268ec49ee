/**
 * A program for session.test.ts: compares cases, the second of which throws after its response, and prints the
 * findings.
 */
import './quiet.js';
import express from 'express';
import web from 'ristretto';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { Random } from '../../packages/engine/test/support/random.js';
import { runSession } from './session.js';

const SEED = 7;
const source = new Random(SEED);
const seeds = Array.from({ length: 4 }, () => source.seed());

const ours = () => {
  const app = web();
  return app.use((_req, _res, next) => {
    if (app.get('number') === 2) {
      setImmediate(() => {
        setImmediate(() => {
          throw new Error('late');
        });
      });
    }
    next();
  });
};

void runSession({
  cases: seeds.length,
  seed: SEED,
  versions: {
    ours: Object.assign(ours, web) as unknown as Web,
    theirs: express,
    makeCase: seed => ({
      settings: { number: seeds.indexOf(seed) + 1 },
      layers: [{ kind: 'use', handlers: [{ id: 1, steps: [{ next: [] }] }] }],
      ownServer: false,
      requests: [{ method: 'GET', target: '/', headers: [] }],
    }),
    command: '',
  },
}).then(({ findings, passing }) => {
  const found = findings.map(({ seed, difference }) => [difference.what, seeds.indexOf(seed) + 1]);
  console.log(JSON.stringify({ findings: found, passing: passing.length }));
});
