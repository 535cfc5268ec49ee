/** Uploads that are larger than memory: streamed to a counter, and rejected by a parser with a limit. */
import net from 'node:net';
import { MiB, start } from '../start.mjs';

const PIECE = Buffer.alloc(256 * 1024, 'x');

/**
 * Sends a body of this many bytes as fast as the server accepts it, until it is sent or there is a response.
 * @returns {Promise<{ text: string, sent: number, seconds: number }>}
 */
function upload(port, path, size) {
  return new Promise(resolve => {
    const began = performance.now();
    let sent = 0;
    let text = '';
    let answeredAt = NaN;
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: ${size}\r\n\r\n`,
      );
      more();
    });
    const more = () => {
      while (text === '' && sent < size) {
        const piece = PIECE.subarray(0, Math.min(PIECE.length, size - sent));
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', more);
    socket.on('data', piece => {
      answeredAt = performance.now();
      text += piece.toString('latin1');
      if (text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve({ text, sent, seconds: (answeredAt - began) / 1000 }));
  });
}

async function grown(framework, folder, path, size) {
  const server = await start(framework, folder);
  await upload(server.port, path, 64 * 1024);
  const before = await server.collect();
  const result = await upload(server.port, path, size);
  const { peak } = await server.figures();
  await server.end();
  return { ...result, growth: (peak - before.rss) / MiB };
}

export const largeUpload = {
  title: 'large upload (5 GiB, streamed)',
  goal: 'RSS + 64 MiB at most',
  async run(framework, { folder, scale }) {
    const size = Math.round(5 * 1024 * scale) * MiB;
    const { text, growth, seconds } = await grown(framework, folder, '/count', size);
    const isWhole = text.endsWith(`\r\n\r\n${size}`) || text.includes(String(size));
    return {
      figures: `${isWhole ? 'whole' : 'not whole'}; RSS + ${growth.toFixed(0)} MiB; ${(size / MiB / seconds).toFixed(0)} MiB/s`,
      reached: isWhole && growth <= 64,
    };
  },
};

export const refusedUpload = {
  title: 'refused upload (5 GiB to a parser with a limit of 1 MiB)',
  goal: '413 early; RSS + 64 MiB at most',
  async run(framework, { folder, scale }) {
    const size = Math.round(5 * 1024 * scale) * MiB;
    const { text, growth, sent, seconds } = await grown(framework, folder, '/raw', size);
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'none';
    return {
      figures: `${status} after ${(sent / MiB).toFixed(0)} MiB, ${seconds.toFixed(2)} s; RSS + ${growth.toFixed(0)} MiB`,
      reached: status === '413' && sent < size / 2 && growth <= 64,
    };
  },
};
