/** Clients: well-behaved ones, impatient ones, and a probe that measures the latency of other requests meanwhile. */
import http from 'node:http';
import net from 'node:net';

/** Resolves after this many milliseconds. @param {number} ms */
export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Returns the value below which the given part of the numbers lies. */
export function percentile(/** @type {number[]} */ numbers, /** @type {number} */ part) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/**
 * Sends one request; resolves with the status, or 0 if there was no response.
 * @param {number} port
 * @param {string} path
 * @param {{ method?: string, body?: string | Buffer, headers?: object, agent?: http.Agent | false, timeout?: number }}
 * [options]
 * @returns {Promise<{ status: number, text: string, error?: any }>}
 */
export function request(port, path, { method, body, headers = {}, agent = false, timeout = 5000 } = {}) {
  return new Promise(resolve => {
    const asked = http.request(
      { host: '127.0.0.1', port, path, agent, method: method ?? (body ? 'POST' : 'GET'), headers },
      res => {
        let text = '';
        res.setEncoding('latin1').on('data', piece => (text += piece));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
        res.on('error', error => resolve({ status: 0, text, error }));
      },
    );
    asked.setTimeout(timeout, () => asked.destroy(new Error('no answer')));
    asked.on('error', error => resolve({ status: 0, text: '', error }));
    asked.end(body);
  });
}

/**
 * Sends bytes and disconnects: after this many bytes of the response, or as soon as they are sent.
 * @param {number} port
 * @param {string | Buffer} bytes
 * @param {number} after
 */
export function breakOff(port, bytes, after) {
  return new Promise(resolve => {
    let received = 0;
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(bytes, () => {
        if (after === 0) setImmediate(() => socket.destroy());
      });
    });
    socket.on('data', piece => {
      received += piece.length;
      if (received >= after) socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(received));
  });
}

/**
 * Runs a task this many times, several at once.
 * @template T
 * @param {number} times
 * @param {number} atOnce
 * @param {(index: number) => Promise<T>} task
 * @returns {Promise<T[]>}
 */
export async function repeat(times, atOnce, task) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < times) results.push(await task(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Requests `/hello` every few milliseconds on its own connection; `end` returns the times in milliseconds. */
export function startProbe(/** @type {number} */ port, every = 10) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let failed = 0;
  let isOn = true;
  const run = async () => {
    while (isOn) {
      const began = performance.now();
      const { status } = await request(port, '/hello', { agent, timeout: 2000 });
      if (status === 200) times.push(performance.now() - began);
      else failed++;
      await sleep(every);
    }
  };
  const running = run();
  return {
    async end() {
      isOn = false;
      await running;
      agent.destroy();
      return { p99: percentile(times, 0.99), median: percentile(times, 0.5), failed, count: times.length };
    },
  };
}
