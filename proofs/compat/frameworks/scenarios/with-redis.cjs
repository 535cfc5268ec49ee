/** Applications that show what is in Redis. */
'use strict';

const assert = require('node:assert/strict');
const { client, without } = require('../support/client.cjs');
const { commandOf, freePort, start } = require('../support/program.cjs');

/** Starts the server. @returns {Promise<{ port: number, stop: Function }>} */
async function startRedis() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return { port, ...(await start('redis-server', args, { ready: /Ready to accept connections/ })) };
}

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

async function requestsOfRedisCommander(see, connection) {
  const short = answer => ({ ...answer, headers: undefined, body: answer.body.length > 0 });
  const page = await see('GET /redis/');
  return {
    page: without(page, /[0-9a-zA-Z_-]+\.[0-9a-zA-Z_-]+\.[0-9a-zA-Z_-]{20,}/g),
    root: await see('GET /'),
    withoutSlash: await see('GET /redis'),
    asset: short(await see('GET /redis/scripts/redisCommander.js')),
    noAsset: await see('GET /redis/scripts/none.js'),
    connections: short(await see('GET /redis/apiv1/connection')),
    written: await see(`POST /redis/apiv1/key/${connection}/folder:text`, {
      form: { keyType: 'string', stringValue: 'some text' },
    }),
    listed: await see(`POST /redis/apiv1/key/${connection}/folder:list`, {
      form: { keyType: 'list', stringValue: 'first' },
    }),
    value: await see(`GET /redis/apiv1/key/${connection}/folder:text`),
    missing: await see(`GET /redis/apiv1/key/${connection}/none`),
    tree: await see(`GET /redis/apiv1/keystree/${connection}/`),
    folder: await see(`GET /redis/apiv1/keystree/${connection}/folder`),
    keys: await see(`GET /redis/apiv1/keys/${connection}/folder*`),
    executed: await see(`POST /redis/apiv1/exec/${connection}`, { form: { cmd: 'get folder:text' } }),
    badCommand: await see(`POST /redis/apiv1/exec/${connection}`, { form: { cmd: 'nonsense' } }),
    renamed: await see(`PATCH /redis/apiv2/key/${connection}/folder:list`, {
      json: { key: 'folder:renamed' },
    }),
    hash: await see('POST /redis/apiv2/hash/field', {
      json: { connectionId: connection, key: 'folder:hash', field: 'f', value: 'v' },
    }),
    nodes: short(await see(`GET /redis/apiv2/server/${connection}/info`)),
    deleted: await see(`POST /redis/apiv1/key/${connection}/folder:text?action=delete`),
    information: short(await see(`GET /redis/apiv1/server/info`)),
    unknownConnection: await see('GET /redis/apiv1/keys/none/x'),
    health: await see('GET /redis/healthcheck'),
    nothing: await see('GET /redis/nothing'),
  };
}

module.exports = {
  programs: {
    /** Kue's own application, also mounted in another one: jobs in its JSON API and on its pages. */
    kue: {
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
    },

    /** Redis Commander as a program, with a separate Redis server. */
    'redis-commander': {
      packages: ['redis-commander'],
      exercised:
        'the command: its page, assets and connection list, keys added, read, renamed, listed as a tree and deleted, commands, server information, health check, a URL prefix',
      needs: ['redis'],
      subprocess: true,
      timeout: 60,
      warnings: { RISTRETTO_STATIC_ROOT: 'npm installs one of its directories elsewhere' },

      async run({ request }) {
        const redis = await startRedis();
        const port = await freePort();
        const options = [
          '--redis-port',
          String(redis.port),
          '--redis-host',
          '127.0.0.1',
          '--address',
          '127.0.0.1',
        ];
        const more = ['--port', String(port), '--url-prefix', '/redis', '--noload', '--nosave'];
        const commander = await start(commandOf('redis-commander'), [...options, ...more], {
          ready: /Redis Connection 127.0.0.1:\d+ using Redis DB #0/,
        });
        const asked = client(request, port, ['last-modified', 'etag', 'set-cookie']);
        const see = async (line, options) => {
          const answer = await asked(line, options);
          return JSON.parse(JSON.stringify(answer).replaceAll(String(redis.port), '6379'));
        };
        const record = await requestsOfRedisCommander(see, `R:127.0.0.1:${redis.port}:0`);
        await commander.stop();
        await redis.stop();
        assert.match(record.page.body, /<title>Redis Commander/);
        assert.match(record.value.body, /some text/);
        assert.deepEqual(JSON.parse(record.executed.body), { data: 'some text' });
        assert.match(record.tree.body, /folder/);
        return record;
      },
    },
  },
};
