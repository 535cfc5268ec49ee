/** Redis Commander as a program, with a separate Redis server. */
'use strict';
const assert = require('node:assert/strict');
const { client, without } = require('../support/client.cjs');
const { commandOf, freePort, start } = require('../support/program.cjs');
const { startRedis } = require('../support/redis.cjs');

module.exports = {
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
    const record = await requests(see, `R:127.0.0.1:${redis.port}:0`);
    await commander.stop();
    await redis.stop();
    assert.match(record.page.body, /<title>Redis Commander/);
    assert.match(record.value.body, /some text/);
    assert.deepEqual(JSON.parse(record.executed.body), { data: 'some text' });
    assert.match(record.tree.body, /folder/);
    return record;
  },
};

async function requests(see, connection) {
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
