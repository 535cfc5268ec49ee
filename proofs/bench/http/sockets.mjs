/** Clients of a WebSocket server that cost little: they send one frame, and count the bytes that come back. */
import { once } from 'node:events';
import net from 'node:net';

const handshake = path =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Accept-Encoding: gzip, deflate, br',
    'Accept-Language: en-US,en;q=0.9',
    '',
    '',
  ].join('\r\n');

const text = 'x'.repeat(60);
/** A masked frame, its mask all zeros; and the length of its echo. */
export const frame = Buffer.from(`\x81${String.fromCharCode(0x80 | text.length)}\0\0\0\0${text}`, 'latin1');
export const echo = Buffer.from(`\x81${String.fromCharCode(text.length)}${text}`, 'latin1');

/** Opens a WebSocket. @param {number} number which of 8 loopback addresses to use: one has 28,000 free ports at most */
export async function connect(port, path, number) {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (number % 8)}` });
  socket.write(handshake(path));
  const [data] = await once(socket, 'data');
  if (!String(data).startsWith('HTTP/1.1 101')) throw new Error(String(data));
  return socket;
}

/** Sends over each connection, one after the other, until so many replies of this length have come back. */
export async function exchange(sockets, { sent: bytes, reply, times }) {
  const each = Math.ceil(times / sockets.length);
  await Promise.all(
    sockets.map(
      socket =>
        new Promise(resolve => {
          let received = 0;
          let sent = 1;
          const read = data => {
            received += data.length;
            if (received < sent * reply) return;
            if (sent === each) {
              socket.off('data', read);
              resolve();
            } else {
              sent++;
              socket.write(bytes);
            }
          };
          socket.on('data', read);
          socket.write(bytes);
        }),
    ),
  );
  return each * sockets.length;
}
