/** Errors of every kind: each gets exactly one 500, and none crashes the process. */
import http from 'node:http';
import net from 'node:net';
import { request } from '../client.mjs';
import { start } from '../start.mjs';

const KINDS = {
  'sync throw': '/throw',
  rejection: '/reject',
  'param callback': '/param/bad',
  view: '/view',
  'error handler': '/handler',
};

/** Sends requests until all have a response or the process has exited. */
async function provoke(framework, folder, path, times) {
  const server = await start(framework, folder);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let answered = 0;
  for (let i = 0; i < times; i++) {
    const { status } = await request(server.port, path, { agent, timeout: 1000 });
    if (status !== 500) break;
    answered++;
  }
  // One response each: the next response on the connection belongs to the next request.
  const alive = (await request(server.port, '/hello', { agent })).status === 200;
  agent.destroy();
  await server.end();
  return { answered, alive };
}

export const errors = {
  title: 'errors (1,000 of each kind)',
  goal: '0 exits; exactly one 500 each',
  async run(framework, { folder, scale }) {
    const times = Math.max(20, Math.round(1000 * scale));
    const parts = [];
    let reached = true;
    for (const [kind, path] of Object.entries(KINDS)) {
      if (framework === 'bare http' && kind !== 'sync throw' && kind !== 'rejection') continue;
      const { answered, alive } = await provoke(framework, folder, path, times);
      parts.push(`${kind} ${answered}/${times}${alive ? '' : ', then the process had ended'}`);
      reached &&= answered === times && alive;
    }
    return { figures: parts.join('; '), reached };
  },
};

export const lateError = {
  title: 'error after the header',
  goal: 'the socket is destroyed, the process lives',
  async run(framework, { folder, scale }) {
    const times = Math.max(20, Math.round(1000 * scale));
    const server = await start(framework, folder);
    let cut = 0;
    for (let i = 0; i < times; i++) {
      const text = await new Promise(resolve => {
        let all = '';
        const socket = net.connect(server.port, '127.0.0.1', () =>
          socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n'),
        );
        socket.on('data', piece => (all += piece.toString('latin1')));
        socket.on('error', () => socket.destroy());
        socket.on('close', () => resolve(all));
        socket.setTimeout(1000, () => {
          all += '0\r\n\r\n';
          socket.destroy();
        });
      });
      if (!text.endsWith('0\r\n\r\n') && text.includes('half of it')) cut++;
      else break;
    }
    const alive = (await request(server.port, '/hello')).status === 200;
    await server.end();
    return {
      figures: `${cut}/${times} cut off${alive ? '' : ', then the process had ended'}`,
      reached: cut === times && alive,
    };
  },
};
