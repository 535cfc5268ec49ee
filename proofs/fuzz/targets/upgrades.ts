/**
 * Connections with several requests, each perhaps with an upgrade, must get the responses of Express in their order. Each
 * line is a request: method, path, `Upgrade` (`-` for none), and a body; `cut` and `abort` mark a position.
 */
import assert from 'node:assert/strict';
import { KEY } from '../../../packages/engine/test/support/websocket.js';
import { requestBytes } from '../../differential/wire.js';
import { isLast, Upgrades } from '../../differential/upgrades/session.js';
import type { Ask, Case } from '../../differential/upgrades/session.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT'];
const PATHS = words('now missing fail now?close later pieces body slow-body destroy ws');

function askOf(line: string): Ask {
  const [method = '', path = '', upgrade = '-', body = ''] = line.split(' ');
  const headers: Ask['headers'] = [];
  if (/^[\w/.]+$/.test(upgrade)) {
    headers.push(['Connection', 'Upgrade'], ['Upgrade', upgrade], ['Sec-WebSocket-Key', KEY]);
    headers.push(['Sec-WebSocket-Version', '13']);
  }
  const ask = {
    method: METHODS.includes(method) ? method : 'GET',
    target: `/${PATHS.includes(path) ? path : 'now'}`,
    headers,
  };
  return body === '' || isLast(ask) || !ask.method.startsWith('P') ? ask : { ...ask, body };
}

function caseOf(text: string): Case {
  const one: Case = { asks: [], isEager: text.length % 2 === 0, isWrapped: text.length % 3 === 0, cuts: [] };
  let length = 0;
  for (const line of text.split('\n').slice(0, 12)) {
    const [, word, share] = /^(cut|abort) ?(\d{0,3})/.exec(line) ?? [];
    if (word === undefined && !one.asks.some(isLast)) {
      const ask = askOf(line);
      one.asks.push(ask);
      length += requestBytes(ask).length;
    } else if (word === 'cut' && length > 0) {
      one.cuts.push(Math.max(1, length - Number(share)));
    } else if (word === 'abort' && length > 0) {
      one.abort = Math.max(1, length - Number(share));
    }
  }
  return one;
}

const upgrades = new Upgrades();
let started: Promise<void> | undefined;

export const target: Target = {
  cost: 20,
  limit: 5000,
  seeds: [
    'GET later\nGET ws websocket',
    'GET now\nGET now h2c\nGET now',
    'GET pieces\nHEAD now\ncut 10\nGET ws websocket\ncut 50',
    'POST body h2c text\ncut 2\nGET pieces websocket',
    'GET later\nGET fail\nGET ws websocket\nabort 20',
  ],
  dictionary: [...METHODS, ...PATHS, ' websocket', ' h2c', '\ncut ', '\nabort ', '\nGET ', ' - body'],
  async run(text) {
    started ??= upgrades.start();
    await started;
    const one = caseOf(text);
    if (one.asks.length > 0) assert.equal(await upgrades.difference(one), undefined);
  },
  async close() {
    if (started !== undefined) await upgrades.stop();
  },
};
