/** SIGTERM: in-flight requests are completed, idle connections closed, and hanging ones closed after the timeout. */
import net from 'node:net';
import { sleep } from '../client.mjs';
import { start } from '../start.mjs';

const DEADLINE = 4000;

/** Opens a keep-alive connection, and records what happens to it. */
function connect(port, path) {
  const state = { text: '', closedAt: NaN, error: undefined };
  const socket = net.connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  );
  socket.setEncoding('latin1').on('data', piece => (state.text += piece));
  socket.on('error', error => (state.error = error));
  const closed = new Promise(resolve =>
    socket.on('close', () => {
      state.closedAt = performance.now();
      resolve(state);
    }),
  );
  return { socket, state, closed };
}

export const gracefulStop = {
  title: 'graceful stop',
  goal: '50/50 complete with `Connection: close`; idle closed in 100 ms; exit in 2.5 s; 0 resets',
  async run(framework, { folder }) {
    const server = await start(framework, folder);
    const open = (count, path) => Array.from({ length: count }, () => connect(server.port, path));
    const idle = open(150, '/hello');
    await sleep(500);
    const busy = open(50, '/wait/2000');
    await sleep(100);
    const began = performance.now();
    server.child.kill('SIGTERM');
    const ended = server.ended.then(code => ({ code, after: performance.now() - began }));
    const all = await Promise.all([...busy, ...idle].map(({ closed }) => closed));
    const { code, after } = await ended;
    const complete = all.slice(0, 50).filter(({ text }) => text.endsWith(']}'));
    const announced = complete.filter(({ text }) => /connection: close/i.test(text));
    const slowest = Math.max(...all.slice(50).map(({ closedAt }) => closedAt - began));
    const resets = all.filter(({ error }) => error !== undefined).length;
    return {
      figures: `${complete.length}/50, ${announced.length} with \`Connection: close\`; idle ${slowest.toFixed(0)} ms; exit ${code} in ${(after / 1000).toFixed(2)} s; ${resets} resets`,
      reached: announced.length === 50 && slowest < 100 && after < 2500 && resets === 0 && code === 0,
    };
  },
};

export const hungClient = {
  title: 'hung client at stop',
  goal: `forced after the timeout (${DEADLINE / 1000} s) ± 0.5 s`,
  async run(framework, { folder }) {
    const server = await start(framework, folder);
    const hung = connect(server.port, '/static/large.txt');
    hung.socket.pause();
    await sleep(500);
    const began = performance.now();
    server.child.kill('SIGTERM');
    const code = await server.ended;
    const after = performance.now() - began;
    hung.socket.destroy();
    return {
      figures: `exit ${code} after ${(after / 1000).toFixed(2)} s`,
      reached: Math.abs(after - DEADLINE) < 500 && code === 0,
    };
  },
};
