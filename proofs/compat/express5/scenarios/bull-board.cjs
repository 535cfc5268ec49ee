/** Bull Board's Express adapter over a custom queue: its page, assets and API. */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['@bull-board/express', '@bull-board/api'],
  exercised:
    'ExpressAdapter mounted below a path and in a router: the page (EJS), its assets with ranges and conditions, the API of queues and jobs, wildcards for the pages of the client, errors of handlers, a read-only queue',
  express: [5],
  knownInDevelopment: [
    {
      places: /^\.seen\.(?:failed|malformed)\./,
      reason: 'its errors contain the stack, with the frames of the framework',
    },
  ],

  async run({ listen, request }) {
    const express = require('express');
    const { createBullBoard } = require('@bull-board/api');
    const { ExpressAdapter } = require('@bull-board/express');
    const { client, without } = require('../frameworks/support/client.cjs');
    const app = express();
    const queues = [queue('mails'), queue('reports', { readOnlyMode: true })];
    for (const base of ['/admin/queues', '/nested/deep']) {
      const serverAdapter = new ExpressAdapter();
      serverAdapter.setBasePath(base);
      createBullBoard({ queues, serverAdapter });
      if (base === '/admin/queues') app.use(base, serverAdapter.getRouter());
      else app.use('/nested', express.Router().use('/deep', serverAdapter.getRouter()));
    }
    const plain = client(request, await listen(app), ['last-modified', 'etag']);
    const see = async (...args) => without(await plain(...args), /"timestamp":\d+/g);
    const page = await see('GET /admin/queues/');
    const script = /(?:src|href)="([^"]*static\/js\/[^"]+)"/.exec(page.body)?.[1] ?? '';
    const asset = new URL(script, 'http://localhost/admin/queues/').pathname;
    const record = {
      page,
      noSlash: await see('GET /admin/queues'),
      client: await see('GET /admin/queues/queue/mails?status=failed'),
      nested: await see('GET /nested/deep/queue/mails/1'),
      asset: { ...(await see(`GET ${asset}`)), body: '' },
      part: await see(`GET ${asset}`, { headers: { Range: 'bytes=0-9' } }),
      head: await see(`HEAD ${asset}`),
      noAsset: await see('GET /admin/queues/static/none.js'),
      queues: await see('GET /admin/queues/api/queues?activeQueue=mails&page=1&jobsPerPage=10'),
      job: await see('GET /admin/queues/api/queues/mails/1'),
      noJob: await see('GET /admin/queues/api/queues/mails/9'),
      noQueue: await see('GET /admin/queues/api/queues/none/1'),
      paused: await see('PUT /admin/queues/api/queues/mails/pause'),
      cleaned: await see('PUT /admin/queues/api/queues/mails/clean/completed'),
      failed: await see('PUT /admin/queues/api/queues/mails/empty'),
      readOnly: await see('PUT /admin/queues/api/queues/reports/pause'),
      added: await see('POST /admin/queues/api/queues/mails/add', { json: { name: 'new', data: {} } }),
      malformed: await see('POST /admin/queues/api/queues/mails/add', {
        body: '{',
        headers: { 'Content-Type': 'application/json' },
      }),
      missing: await see('GET /nothing'),
    };
    assert.match(record.page.body, /<base href="\/admin\/queues\/"/);
    assert.deepEqual([record.asset.status, record.part.status], [200, 206]);
    assert.match(record.queues.body, /"name":"mails"/);
    assert.equal(record.noQueue.status, 404);
    return record;
  },
};

/** An in-memory queue with one job. */
function queue(name, options = {}) {
  const { BaseAdapter } = require('@bull-board/api/dist/queueAdapters/base.js');
  const job = {
    id: '1',
    name: 'first',
    data: { to: 'ann' },
    toJSON: () => ({ id: '1', name: 'first', data: { to: 'ann' }, opts: {}, attemptsMade: 0 }),
    getState: async () => 'completed',
  };
  const counts = { active: 0, completed: 1, delayed: 0, failed: 0, paused: 0, waiting: 0 };
  class Memory extends BaseAdapter {
    isStopped = false;
    getName = () => name;
    getJobCounts = async () => counts;
    getJobs = async () => [job];
    getJob = async id => (id === '1' ? job : undefined);
    getJobLogs = async () => ['a line'];
    getRedisInfo = async () => null;
    getWorkers = async () => [];
    getGlobalConcurrency = async () => null;
    getGlobalRateLimit = async () => null;
    getMetrics = async () => ({ meta: { count: 0 }, data: [], count: 0 });
    getJobSchedulers = async () => [];
    getJobSchedulersCount = async () => 0;
    getStatuses = () => Object.keys(counts);
    getJobStatuses = () => Object.keys(counts);
    isPaused = async () => this.isStopped;
    clean = async () => undefined;
    addJob = async () => job;
    empty = async () => {
      throw new Error('this queue is full for ever');
    };
    pause = async () => void (this.isStopped = true);
    resume = async () => void (this.isStopped = false);
  }
  return new Memory('bull', options);
}
