/** Node-RED. */
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { setTimeout } = require('node:timers/promises');
const { client, multipart, without } = require('../support/client.cjs');
const { commandOf, freePort, start } = require('../support/program.cjs');

/** Starts Node-RED in the working directory. @returns {Promise<{ port: number, stop: Function }>} */
async function startNodeRed() {
  const port = await freePort();
  const settings = `${__dirname}/../fixtures/node-red/settings.cjs`;
  const args = ['--settings', settings, '--port', String(port), '--userDir', process.cwd()];
  return { port, ...(await start(commandOf('node-red'), args, { ready: /Started flows/ })) };
}

/** Returns the nodes of a flow: it responds to a method and path with what a function returns for the message. */
function endpoint(id, method, url, body, more = {}) {
  const place = { z: 'tab', x: 100, y: 100 };
  return [
    {
      id: `${id}-in`,
      type: 'http in',
      name: id,
      url,
      method,
      upload: false,
      swaggerDoc: '',
      ...place,
      wires: [[`${id}-fn`]],
      ...more,
    },
    {
      id: `${id}-fn`,
      type: 'function',
      name: '',
      func: body,
      outputs: 1,
      timeout: 0,
      noerr: 0,
      initialize: '',
      finalize: '',
      libs: [],
      ...place,
      wires: [[`${id}-out`]],
    },
    { id: `${id}-out`, type: 'http response', name: '', statusCode: '', headers: {}, ...place, wires: [] },
  ];
}

/**
 * Repeats a request until its response is as wanted: Node-RED responds before nodes are created and files are written.
 * @param {(answer: { status: number, body: string }) => boolean} wanted
 */
async function becomes(see, line, wanted) {
  for (;;) {
    const answer = await see(line);
    if (wanted(answer)) return answer;
    await setTimeout(20);
  }
}

const ok = answer => answer.status === 200;

const echo = 'msg.payload = { payload: msg.payload, method: msg.req.method }; return msg;';
const flows = () => [
  { id: 'tab', type: 'tab', label: 'Fixture', disabled: false, info: '' },
  ...endpoint(
    'params',
    'get',
    '/things/:id',
    'msg.payload = { params: msg.req.params, query: msg.req.query, path: msg.req.path }; return msg;',
  ),
  ...endpoint('post', 'post', '/echo', echo),
  ...endpoint('put', 'put', '/echo', echo),
  ...endpoint('delete', 'delete', '/echo', echo),
  ...endpoint('patch', 'patch', '/echo', echo),
  ...endpoint(
    'upload',
    'post',
    '/upload',
    'msg.payload = { body: msg.payload, files: msg.req.files.map(({ originalname, mimetype, size, buffer }) => ({ originalname, mimetype, size, text: buffer.toString() })) }; return msg;',
    { upload: true },
  ),
  ...endpoint(
    'error',
    'get',
    '/error',
    "msg.statusCode = 418; msg.headers = { 'X-Kind': 'teapot' }; msg.payload = '<p>no coffee</p>'; return msg;",
  ),
  ...endpoint(
    'cookies',
    'get',
    '/cookies',
    "msg.cookies = { seen: 'yes', old: null, full: { value: 'v', path: '/api', httpOnly: true } }; msg.payload = msg.req.cookies; return msg;",
  ),
  ...endpoint(
    'redirect',
    'get',
    '/redirect',
    "msg.statusCode = 302; msg.headers = { Location: '/api/error' }; msg.payload = ''; return msg;",
  ),
  ...endpoint('buffer', 'get', '/buffer', "msg.payload = Buffer.from('bytes'); return msg;"),
  ...endpoint('wild', 'get', '/wild/*', 'msg.payload = msg.req.params; return msg;'),
];

async function deployed(see) {
  const v2 = { 'Node-RED-API-Version': 'v2' };
  const random = /[0-9a-f]{64}/g;
  const first = await see('GET /admin/flows', { headers: v2 });
  const { rev } = JSON.parse(first.body);
  return {
    first: without(first, random),
    conflict: await see('POST /admin/flows', { json: { flows: [], rev: 'another' }, headers: v2 }),
    deployed: without(await see('POST /admin/flows', { json: { flows: flows(), rev }, headers: v2 }), random),
    malformed: await see('POST /admin/flows', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    tooLarge: await see('POST /admin/flows', { json: [{ info: 'x'.repeat(1024 * 1024) }] }),
  };
}

async function called(see) {
  const file = { name: 'file', filename: 'a.txt', type: 'text/plain', value: 'text' };
  return {
    params: await see('GET /api/things/7?a=b'),
    head: await see('HEAD /api/things/7'),
    json: await see('POST /api/echo', { json: { a: [1] } }),
    form: await see('PUT /api/echo', { form: { 'a[b]': 'c' } }),
    text: await see('PATCH /api/echo', { body: 'text', headers: { 'Content-Type': 'text/plain' } }),
    bytes: await see('POST /api/echo', {
      body: 'bytes',
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
    malformed: await see('POST /api/echo', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    deleted: await see('DELETE /api/echo'),
    upload: await see('POST /api/upload', multipart([{ name: 'title', value: 't' }, file])),
    error: await see('GET /api/error'),
    cookies: await see('GET /api/cookies', { headers: { Cookie: 'a=b; c=d' } }),
    redirect: await see('GET /api/redirect'),
    buffer: await see('GET /api/buffer'),
    wild: await see('GET /api/wild/a/b'),
    preflight: await see('OPTIONS /api/echo', {
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'PUT' },
    }),
    missing: await see('GET /api/nothing'),
    file: await see('GET /files/plain.txt'),
    root: await see('GET /'),
  };
}

async function admin(see) {
  const json = { headers: { Accept: 'application/json' } };
  const page = await see('GET /admin/', { headers: { Accept: 'text/html' } });
  const nodes = JSON.parse((await see('GET /admin/nodes', json)).body);
  const short = answer => ({ ...answer, body: answer.body.length });
  return {
    editor: without(page, /\?v=[0-9a-f]+/g),
    withoutSlash: await see('GET /admin'),
    script: short(await see('GET /admin/red/red.min.js')),
    vendor: short(await see('GET /admin/vendor/vendor.js')),
    nodeTypes: nodes.flatMap(({ types }) => types).sort(),
    nodePages: short(await see('GET /admin/nodes', { headers: { Accept: 'text/html' } })),
    node: await see('GET /admin/nodes/node-red/inject', json),
    noNode: await see('GET /admin/nodes/none', json),
    settings: without(await see('GET /admin/settings'), /\d+\.\d+\.\d+/g),
    userSettings: await see('POST /admin/settings/user', { json: { editor: { view: 'x' } } }),
    flow: await see('GET /admin/flow/tab'),
    noFlow: await see('GET /admin/flow/none'),
    state: await see('GET /admin/flows/state'),
    context: await see('GET /admin/context/global'),
    noContext: await see('GET /admin/context/global/none'),
    saved: await see('POST /admin/library/local/functions/a/b.js', {
      json: { name: 'saved', text: 'return msg;' },
    }),
    library: await becomes(see, 'GET /admin/library/local/functions/a', ({ body }) =>
      body.endsWith('"b.js"}]'),
    ),
    libraryEntry: await see('GET /admin/library/local/functions/a/b.js'),
    auth: await see('GET /admin/auth/login'),
    theme: await see('GET /admin/theme'),
    locale: short(await see('GET /admin/locales/editor?lng=en-US')),
    icons: short(await see('GET /admin/icons')),
    icon: (await see('GET /admin/icons/node-red/inject.svg')).status,
    diagnostics: (await see('GET /admin/diagnostics')).status,
    missing: await see('GET /admin/nothing'),
  };
}

/** Node-RED removes the routes of deleted nodes from the application's stack. */
async function redeployed(see) {
  const [tab, ...rest] = flows();
  const kept = rest.filter(({ id }) => !id.startsWith('params'));
  const type = { 'Node-RED-Deployment-Type': 'nodes' };
  const record = {
    answer: await see('POST /admin/flows', {
      json: [tab, ...kept, ...endpoint('new', 'get', '/new', echo)],
      headers: type,
    }),
    added: await becomes(see, 'GET /api/new', ok),
    removed: await see('GET /api/things/7'),
    kept: await see('GET /api/wild/x'),
  };
  const flow = {
    label: 'Another',
    nodes: endpoint('single', 'get', '/single', echo).map(node => ({ ...node, z: undefined })),
  };
  const made = await see('POST /admin/flow', { json: flow });
  const { id } = JSON.parse(made.body);
  record.single = await becomes(see, 'GET /api/single', ok);
  record.deleted = await see(`DELETE /admin/flow/${id}`);
  record.gone = await becomes(see, 'GET /api/single', answer => !ok(answer));
  record.stopped = await see('POST /admin/flows/state', { json: { state: 'stop' } });
  return record;
}

function launch() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const executablePath = execFileSync('sh', ['-c', names.map(name => `command -v ${name}`).join(' || ')], {
    encoding: 'utf8',
  }).trim();
  // The sandbox needs privileges that containers lack
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return require('puppeteer-core').launch({ executablePath, headless: true, args });
}

async function edit(browser, port) {
  const page = await browser.newPage();
  const loaded = new Set();
  const failed = [];
  page.on('pageerror', error => failed.push(error.message));
  page.on('response', response => {
    const { pathname } = new URL(response.url());
    loaded.add(`${response.status()} ${pathname} ${response.headers()['content-type'] ?? ''}`);
    if (response.status() >= 400) failed.push(`${response.status()} ${pathname}`);
  });
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  const notified = new Promise(resolve => {
    session.on('Network.webSocketFrameReceived', ({ response }) => {
      for (const { topic } of [JSON.parse(response.payloadData)].flat()) {
        if (topic === 'notification/runtime-deploy') resolve();
      }
    });
  });
  await page.goto(`http://127.0.0.1:${port}/admin/`);
  await page.waitForFunction(
    'globalThis.RED?.nodes?.workspace?.("tab") !== undefined || document.querySelector(".red-ui-workspace-chart-event-layer, #red-ui-workspace-chart svg")',
  );
  await page.waitForFunction('document.querySelectorAll("#red-ui-palette .red-ui-palette-node").length > 30');
  const palette = await page.$$eval('#red-ui-palette .red-ui-palette-node', nodes => nodes.length);
  const nodes = endpoint('browser', 'get', '/from-the-editor', 'msg.payload = msg.req.query; return msg;');
  await page.evaluate(imported => {
    const { RED } = globalThis;
    const tab = RED.workspaces.active();
    RED.nodes.import(imported.map(node => ({ ...node, z: tab })));
    RED.nodes.dirty(true);
    RED.view.redraw(true);
  }, nodes);
  await page.waitForSelector('#red-ui-header-button-deploy:not(.disabled)');
  await page.click('#red-ui-header-button-deploy');
  await page.waitForFunction(
    '/deployed/.test(document.querySelector("#red-ui-notifications")?.textContent ?? "")',
  );
  await notified;
  const notification = await page.$eval('#red-ui-notifications', element => element.textContent.trim());
  await page.waitForNetworkIdle({ idleTime: 500 });
  const title = await page.title();
  return { title, palette, notification, failed, loaded: [...loaded].sort() };
}

module.exports = {
  programs: {
    /** Node-RED 4 as a program: flows are deployed through its admin API and called over HTTP. */
    'node-red': {
      packages: ['node-red'],
      exercised:
        'the command with admin and node roots, middleware, CORS and static files; admin API (flows of both versions, single flows, nodes, settings, context, library, diagnostics, locales); http-in nodes of all methods with parameters, bodies, uploads, cookies, redirects, replaced and removed by later deployments',
      subprocess: true,
      timeout: 90,
      async run({ request }) {
        const nodeRed = await startNodeRed();
        const ignored = ['etag', 'last-modified'];
        const see = client(request, nodeRed.port, ignored);
        const record = {
          deployed: await deployed(see),
          ready: await becomes(see, 'GET /api/wild/x', ok),
          called: await called(see),
          admin: await admin(see),
        };
        record.redeployed = await redeployed(see);
        record.stopped = await nodeRed.stop('SIGINT');
        assert.equal(record.called.params.body, '{"params":{"id":"7"},"query":{"a":"b"},"path":"/things/7"}');
        assert.match(record.called.upload.body, /"originalname":"a\.txt"/);
        assert.equal(record.called.error.status, 418);
        assert.equal(record.admin.libraryEntry.body, 'return msg;');
        assert.deepEqual([record.redeployed.removed.status, record.redeployed.added.status], [404, 200]);
        assert.match(record.admin.editor.body, /<title>Node-RED/);
        assert.equal(record.called.file.body, 'served as it is\n');
        return record;
      },
    },

    /** Node-RED's editor in a real browser: a flow is created and deployed in it, and then called. */
    'node-red-editor': {
      packages: ['node-red', 'puppeteer-core'],
      exercised:
        'the editor in headless Chromium: every file that it loads, the palette, a flow imported and deployed with the button, the endpoint that it creates, messages over its WebSocket',
      needs: ['chromium'],
      subprocess: true,
      timeout: 120,
      async run({ request }) {
        const nodeRed = await startNodeRed();
        const browser = await launch();
        try {
          const record = await edit(browser, nodeRed.port);
          const see = client(request, nodeRed.port, ['etag']);
          record.called = await becomes(see, 'GET /api/from-the-editor?a=1', ok);
          assert.equal(record.called.body, '{"a":"1"}');
          assert.ok(record.palette > 30, `${record.palette} nodes in the palette`);
          assert.deepEqual(record.failed, []);
          assert.match(record.notification, /Successfully deployed/);
          return record;
        } finally {
          await browser.close();
          await nodeRed.stop('SIGINT');
        }
      },
    },
  },
};
