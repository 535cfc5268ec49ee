/** Limits of requests by client. */
'use strict';

const assert = require('node:assert/strict');
const { field, statuses, visit } = require('../support/visit.cjs');

/** Returns a store that notes its calls. */
function store(note) {
  const hits = new Map();
  return {
    init: options => note('init', options.windowMs),
    async increment(key) {
      hits.set(key, (hits.get(key) ?? 0) + 1);
      return { totalHits: hits.get(key), resetTime: undefined };
    },
    decrement: key => note('decrement', key),
    resetKey: key => hits.delete(key),
  };
}

module.exports = {
  programs: {
    /** express-rate-limit: limits the number of requests. */
    'express-rate-limit': {
      packages: ['express-rate-limit'],
      exercised:
        'legacy and standard headers (drafts 6, 7 and 8), limit as a function, keyGenerator, handler, message as function and object, skip, skipSuccessfulRequests, skipFailedRequests, requestWasSuccessful, resetKey, getKey, a custom store, validations (trust proxy, X-Forwarded-For)',
      override: true,
      http2: true,
      warnings: {
        RISTRETTO_UNTRUSTED_PROXY: 'requests have X-Forwarded headers, and trust proxy is not set',
      },

      async run({ listen, request, note }) {
        const express = require('express');
        const { rateLimit, ipKeyGenerator } = require('express-rate-limit');
        const warn = (...args) =>
          note(
            'warned',
            args.map(arg => arg?.code ?? String(arg).split('\n')[0]),
          );
        console.error = warn;
        console.warn = warn;
        const app = express();
        app.set('trust proxy', 1);
        const windowMs = 600_000;
        const by = (name, options) => app.use(`/${name}`, rateLimit({ windowMs, limit: 2, ...options }));
        by('legacy', { legacyHeaders: true });
        by('draft6', {
          legacyHeaders: false,
          standardHeaders: 'draft-6',
          limit: async req => (req.query.vip ? 5 : 1),
        });
        by('draft7', {
          legacyHeaders: false,
          standardHeaders: 'draft-7',
          message: { error: 'slow down' },
          statusCode: 420,
        });
        by('draft8', {
          legacyHeaders: false,
          standardHeaders: 'draft-8',
          identifier: 'mine',
          message: async req => `no ${req.ip}`,
        });
        by('key', {
          keyGenerator: req => req.get('X-Key') ?? ipKeyGenerator(req.ip),
          requestPropertyName: 'limits',
        });
        const handler = (req, res, next, options) =>
          next(Object.assign(new Error(options.message), { status: options.statusCode }));
        by('handler', { handler, limit: 1 });
        by('skip', { skip: req => req.query.skip === 'yes', limit: 1 });
        by('good', { skipSuccessfulRequests: true });
        by('bad', { skipFailedRequests: true, requestWasSuccessful: (req, res) => res.statusCode !== 418 });
        const resettable = rateLimit({ windowMs, limit: 1, keyGenerator: () => 'all' });
        app.use('/reset', resettable);
        by('store', { store: store(note), limit: 1 });
        app.get(/.*/, async (req, res) => {
          const { limit, used, remaining, key } = req.rateLimit ?? req.limits ?? {};
          if (req.query.reset) await resettable.resetKey('all');
          res.status(Number(req.query.status ?? 200)).json({ limit, used, remaining, key });
        });
        const server = await listen(app);
        const times = (line, count, options) => Array.from({ length: count }, () => [line, options]);
        const from = address => ({ headers: { 'X-Forwarded-For': address } });
        const seen = await visit(request, server, [
          ...times('GET /legacy', 3),
          ['GET /legacy', from('192.0.2.1')],
          ...times('GET /draft6', 2, from('192.0.2.2')),
          ['GET /draft6?vip=1', from('192.0.2.2')],
          ...times('GET /draft7', 3, from('2001:db8::1')),
          ...times('GET /draft8', 3, from('192.0.2.3')),
          ...times('GET /key', 3, { headers: { 'X-Key': 'mine' } }),
          ['GET /key', { headers: { 'X-Key': 'other' } }],
          ...times('GET /handler', 2),
          ...times('GET /skip?skip=yes', 3),
          ...times('GET /skip', 2),
          ...times('GET /good', 4),
          ...times('GET /good?status=500', 3),
          ...times('GET /bad?status=418', 4),
          ...times('GET /bad', 3),
          ...times('GET /reset', 2),
          ...times('GET /store', 2),
        ]);
        const all = statuses(seen);
        assert.deepEqual(all.slice(0, 13), [200, 200, 429, 200, 200, 429, 200, 200, 200, 420, 200, 200, 429]);
        assert.equal(field(seen[0], 'x-ratelimit-remaining'), '1');
        assert.match(field(seen[7], 'ratelimit'), /^limit=2, remaining=1, reset=\d+$/);
        assert.equal(field(seen[4], 'ratelimit-policy'), '1;w=600');
        await resettable.resetKey('all');
        seen.push(...(await visit(request, server, ['GET /reset'])));
        assert.equal(seen.at(-1).status, 200);
        note((await resettable.getKey('all'))?.totalHits, ipKeyGenerator('2001:db8::1', 64));
        const other = express()
          .use(rateLimit({ windowMs }))
          .get('/', (req, res) => res.send('hello'));
        seen.push(...(await visit(request, await listen(other), [['GET /', from('192.0.2.4')]])));
        const time = /(?<=Reset: |reset=|t=|Retry-After: )\d+/gi;
        return JSON.parse(JSON.stringify(seen).replace(time, '<time>'));
      },
    },
  },
};
