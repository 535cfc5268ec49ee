/** Node-RED's editor in a real browser: a flow is created and deployed in it, and then called. */
'use strict';
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { client } = require('../support/client.cjs');
const { becomes, endpoint, ok, startNodeRed } = require('../support/node-red.cjs');

module.exports = {
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
};

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
