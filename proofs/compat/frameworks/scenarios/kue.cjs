/** Kue's own application, also mounted in another one: jobs in its JSON API and on its pages. */
'use strict';
const assert = require('node:assert/strict');
const { client, without } = require('../support/client.cjs');
const { startRedis } = require('../support/redis.cjs');

module.exports = {
  packages: ['kue'],
  exercised:
    'kue.app mounted below a path: its Pug pages and assets, jobs created and read over the JSON API, ranges, states, logs, search, deletion, jobs processed by a queue',
  needs: ['redis'],
  timeout: 60,
  async run({ listen, request }) {
    const redis = await startRedis();
    const express = require('express');
    const kue = require('kue');
    const queue = kue.createQueue({ redis: { port: redis.port, host: '127.0.0.1' } });
    kue.app.set('title', 'Fixture');
    const app = express();
    app.use('/jobs', kue.app);
    app.get('/behind', (req, res) => res.send('behind'));
    const see = client(request, await listen(app), ['last-modified', 'etag']);
    const random =
      /(?<=\\"(?:created_at|promote_at|updated_at|started_at|workTime|duration|failed_at)\\":)(?:\\"\d+\\"|\d+)|kue:[\w.-]+:\d+/g;
    const steady = async (line, options) => without(await see(line, options), random);
    const record = await requests(steady);
    const done = new Promise(resolve => {
      queue.process('fixture', (job, finished) => finished(null, `did ${job.data.title}`));
      queue.on('job complete', resolve);
    });
    await steady('POST /jobs/job', { json: { type: 'fixture', data: { title: 'worked' } } });
    await done;
    record.complete = await steady('GET /jobs/jobs/complete/0..5');
    await new Promise(resolve => void queue.shutdown(1000, resolve));
    await redis.stop();
    assert.match(record.page.body, /<title>Fixture/);
    assert.match(record.made.body, /"message": ?"job created"/);
    assert.match(record.job.body, /"title": ?"first"/);
    assert.equal(record.behind.body, 'behind');
    return record;
  },
};

async function requests(see) {
  const job = (type, title, options) => ({ type, data: { title }, options });
  return {
    made: await see('POST /jobs/job', { json: job('later', 'first', { attempts: 2, priority: 'high' }) }),
    madeTwo: await see('POST /jobs/job', { json: [job('later', 'second'), job('later', 'third')] }),
    invalid: await see('POST /jobs/job', { json: {} }),
    malformed: await see('POST /jobs/job', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    root: await see('GET /jobs'),
    page: await see('GET /jobs/inactive'),
    style: (await see('GET /jobs/stylesheets/main.css')).status,
    script: (await see('GET /jobs/javascripts/main.js')).status,
    job: await see('GET /jobs/job/1'),
    missing: await see('GET /jobs/job/99'),
    range: await see('GET /jobs/jobs/0..1'),
    byState: await see('GET /jobs/jobs/inactive/0..5/desc'),
    byType: await see('GET /jobs/jobs/later/inactive/0..5'),
    count: await see('GET /jobs/inactive/count'),
    types: await see('GET /jobs/job/types'),
    log: await see('GET /jobs/job/1/log'),
    prioritized: await see('PUT /jobs/job/1/priority/5'),
    state: await see('PUT /jobs/job/2/state/failed'),
    wrongState: await see('PUT /jobs/job/2/state/none'),
    search: await see('GET /jobs/job/search?q=first'),
    deleted: await see('DELETE /jobs/job/3'),
    nothing: await see('GET /jobs/nothing/at/all'),
    behind: await see('GET /behind'),
  };
}
