/** Verdaccio 6, a registry: npm adds a user, publishes to it and installs from it. */
'use strict';
const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { client, without } = require('../support/client.cjs');

const CONFIGURATION = `
storage: ./storage
plugins: ./plugins
web: { enable: true, title: Fixture, darkMode: false }
auth: { htpasswd: { file: ./htpasswd, algorithm: bcrypt, rounds: 4 } }
uplinks: {}
packages:
  '@private/*': { access: $authenticated, publish: $authenticated }
  '**': { access: $all, publish: $authenticated, unpublish: $authenticated }
server: { keepAliveTimeout: 60 }
middlewares: { audit: { enabled: true } }
log: { type: stdout, format: json, level: fatal }
secret: 0123456789abcdef0123456789abcdef
`;

module.exports = {
  packages: ['verdaccio'],
  exercised:
    'runServer on loopback: with npm itself adduser, whoami, ping, publish (plain and scoped), view, search, dist-tag, install, deprecate, unpublish; over HTTP the API with and without rights, tarballs, conditional requests, the web interface and its API',
  timeout: 120,
  async run({ listen, request }) {
    fs.writeFileSync('config.yaml', CONFIGURATION);
    const { runServer } = require('verdaccio');
    const server = await listen(await runServer(path.resolve('config.yaml')));
    const ignored = ['etag', 'last-modified', 'x-ratelimit-reset'];
    const see = client(request, server, ignored);
    const token = await addUser(see);
    const record = { npm: await useNpm(server.address().port, token) };
    Object.assign(record, await requests(see, token));
    assert.equal(record.npm.whoami, 'ann');
    assert.match(record.npm.published, /^\+ fixture-package@1\.0\.0$/m);
    assert.equal(record.npm.installed, 'installed from the registry');
    assert.deepEqual([record.notAllowed.status, record.fresh.status], [401, 304]);
    assert.match(record.page.body, /<title>Fixture<\/title>/);
    assert.equal(record.script.status, 200);
    assert.match(record.options.body, /__VERDACCIO_BASENAME_UI_OPTIONS/);
    return record;
  },
};

/** Sends what `npm adduser` sends: npm itself asks for the password on a terminal, which is missing here. */
async function addUser(see) {
  const user = { name: 'ann', password: 'a password', email: 'ann@a.test', type: 'user', roles: [] };
  const answer = await see('PUT /-/user/org.couchdb.user:ann', { json: user });
  assert.equal(answer.status, 201, answer.body);
  return JSON.parse(answer.body).token;
}

async function useNpm(port, token) {
  const home = path.resolve('home');
  for (const name of ['plain', 'scoped', 'consumer']) fs.mkdirSync(name);
  fs.mkdirSync(home);
  fs.writeFileSync(
    '.npmrc',
    `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=${token}\n`,
  );
  const userconfig = path.resolve('.npmrc');
  const run = promisify(execFile);
  const npm = async (folder, ...args) => {
    const env = {
      ...process.env,
      HOME: home,
      npm_config_cache: path.resolve('cache'),
      npm_config_userconfig: userconfig,
    };
    const options = [
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
      '--fetch-retries=0',
    ];
    const { stdout } = await run('npm', [...args, ...options], { cwd: path.resolve(folder), env }).catch(
      error => error,
    );
    return stdout.replaceAll(String(port), 'port').trim();
  };
  const manifest = (folder, value) => fs.writeFileSync(`${folder}/package.json`, JSON.stringify(value));
  manifest('plain', {
    name: 'fixture-package',
    version: '1.0.0',
    description: 'a fixture',
    main: 'index.js',
  });
  fs.writeFileSync('plain/index.js', "module.exports = 'installed from the registry';\n");
  manifest('scoped', {
    name: '@private/fixture',
    version: '2.0.0',
    dependencies: { 'fixture-package': '^1.0.0' },
  });
  manifest('consumer', { name: 'consumer', version: '1.0.0' });
  const record = {
    whoami: await npm('plain', 'whoami'),
    ping: (await npm('plain', 'ping', '--json')).includes('registry'),
    published: await npm('plain', 'publish'),
    publishedAgain: await npm('plain', 'publish'),
    scoped: await npm('scoped', 'publish'),
    view: await npm(
      'plain',
      'view',
      'fixture-package',
      'name',
      'version',
      'description',
      'dist-tags',
      '--json',
    ),
    tagged: await npm('plain', 'dist-tag', 'add', 'fixture-package@1.0.0', 'beta'),
    tags: await npm('plain', 'dist-tag', 'ls', 'fixture-package'),
    deprecated: await npm('plain', 'deprecate', 'fixture-package@1.0.0', 'not kept up'),
    found: (await npm('plain', 'search', 'fixture', '--json')).includes('fixture-package'),
    install: (await npm('consumer', 'install', '@private/fixture')).replace(/ in .*/, ''),
    lock: lockOf('consumer', port),
    absent: await npm('consumer', 'view', 'no-such-package', '--json'),
    unpublished: await npm('scoped', 'unpublish', '@private/fixture@2.0.0', '--force'),
  };
  return { ...record, installed: require(path.resolve('consumer/node_modules/fixture-package')) };
}

function lockOf(folder, port) {
  const { packages } = JSON.parse(fs.readFileSync(`${folder}/package-lock.json`, 'utf8'));
  return Object.entries(packages).map(
    ([name, { version, resolved }]) => `${name} ${version} ${resolved?.replace(port, 'port')}`,
  );
}

async function requests(see, token) {
  const auth = { headers: { Authorization: `Bearer ${token}` } };
  const random =
    /\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT|\d{4}-\d\d-\d\dT[\d:.]+Z|"(?:_rev|_nodeVersion|_npmVersion|shasum|integrity|token)\\":\\"[^"\\]+|(?<=\d-)[0-9a-f]{16}/g;
  const steady = async (line, options) => without(await see(line, options), random);
  return {
    ping: await see('GET /-/ping'),
    whoami: await see('GET /-/whoami', auth),
    anonymous: await see('GET /-/whoami'),
    badToken: await see('GET /-/whoami', { headers: { Authorization: 'Bearer nonsense' } }),
    manifest: await steady('GET /fixture-package'),
    abbreviated: await steady('GET /fixture-package', {
      headers: { Accept: 'application/vnd.npm.install-v1+json' },
    }),
    fresh: await see('GET /fixture-package', { headers: { 'If-None-Match': '*' } }),
    version: await steady('GET /fixture-package/1.0.0'),
    byTag: await steady('GET /fixture-package/beta'),
    missing: await see('GET /no-such-package'),
    missingVersion: await see('GET /fixture-package/9.9.9'),
    badName: await see('GET /..%2Fetc'),
    hidden: await see('GET /@private%2Ffixture'),
    tarball: { ...(await see('GET /fixture-package/-/fixture-package-1.0.0.tgz')), body: undefined },
    tarballHead: await see('HEAD /fixture-package/-/fixture-package-1.0.0.tgz'),
    noTarball: await see('GET /fixture-package/-/fixture-package-9.9.9.tgz'),
    notAllowed: await see('PUT /other-package', { json: { name: 'other-package' } }),
    badManifest: await see('PUT /other-package', { json: { name: 'other-package' }, ...auth }),
    malformed: await see('PUT /other-package', {
      body: '{',
      headers: { ...auth.headers, 'Content-Type': 'application/json' },
    }),
    login: (await see('PUT /-/user/org.couchdb.user:ann', { json: { name: 'ann', password: 'wrong' } }))
      .status,
    page: await see('GET /'),
    detail: await see('GET /-/web/detail/fixture-package'),
    options: await see('GET /-/static/ui-options.js'),
    script: {
      ...(await see(`GET ${(await see('GET /')).body.match(/\/-\/static\/main\.[^"]+\.js/)[0]}`)),
      body: undefined,
    },
    noScript: await see('GET /-/static/none.js'),
    list: await steady('GET /-/verdaccio/data/packages'),
    sidebar: await steady('GET /-/verdaccio/data/sidebar/fixture-package'),
    readme: await see('GET /-/verdaccio/data/package/readme/fixture-package'),
    search: await steady('GET /-/v1/search?text=fixture'),
    webLogin: without(
      await see('POST /-/verdaccio/sec/login', { json: { username: 'ann', password: 'a password' } }),
      /eyJ[\w.-]+/g,
    ),
    robots: await see('GET /robots.txt'),
    favicon: (await see('GET /favicon.ico')).status,
    methods: await see('OPTIONS /fixture-package'),
  };
}
