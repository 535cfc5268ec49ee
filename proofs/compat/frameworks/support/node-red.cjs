/** Runs Node-RED as a program, and provides flows for it. */
'use strict';
const { setTimeout } = require('node:timers/promises');
const { commandOf, freePort, start } = require('./program.cjs');

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

module.exports = { becomes, endpoint, ok, startNodeRed };
