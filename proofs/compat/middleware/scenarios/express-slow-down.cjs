/** express-slow-down: delays responses as the number of requests grows. */
'use strict';

const assert = require('node:assert/strict');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['express-slow-down'],
  exercised:
    'delayAfter, delayMs as a number and a function, maxDelayMs, keyGenerator, skip, req.slowDown, resetKey, together with errors and static files',
  http2: true,
  warnings: { RISTRETTO_UNDEFINED_VALUE: 'a request that is skipped has no delay' },

  async run({ listen, request }) {
    const express = require('express');
    const { slowDown } = require('express-slow-down');
    require('node:fs').writeFileSync('file.txt', 'file');
    const app = express();
    const slow = slowDown({
      windowMs: 600_000,
      delayAfter: async req => (req.query.vip ? 10 : 1),
      delayMs: used => (used - 1) * 60,
      maxDelayMs: 100,
      skip: req => req.query.skip === 'yes',
      keyGenerator: req => req.get('X-Key') ?? 'all',
    });
    app.use(slow);
    app.get('/', (req, res) => {
      const { limit, used, remaining, delay, key } = req.slowDown ?? {};
      res.set('X-Delay', delay).json({ limit, used, remaining, delay, key });
    });
    app.use('/static', express.static('.', { etag: false, lastModified: false }));
    app.get('/fail', (req, res, next) => next(Object.assign(new Error('failed'), { status: 400 })));
    const server = await listen(app);
    const began = Date.now();
    const other = { headers: { 'X-Key': 'other' } };
    const lines = [
      'GET /',
      'GET /',
      'GET /',
      'GET /?skip=yes',
      ['GET /', other],
      ['GET /?vip=1', other],
      'GET /fail',
      'GET /static/file.txt',
    ];
    const seen = await visit(request, server, lines);
    assert.ok(Date.now() - began >= 350);
    assert.deepEqual(statuses(seen), [200, 200, 200, 200, 200, 200, 400, 200]);
    assert.deepEqual(
      seen.slice(0, 3).map(answer => field(answer, 'x-delay')),
      ['0', '60', '100'],
    );
    slow.resetKey('all');
    seen.push(...(await visit(request, server, ['GET /'])));
    assert.equal(JSON.parse(seen.at(-1).body).delay, 0);
    return seen;
  },
};
