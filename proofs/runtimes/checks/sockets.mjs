/** WebSockets, with frames written by hand (RFC 6455, section 5.2). */
const TEXT = 0x81;
const BINARY = 0x82;
const CLOSE = 0x88;

/** Returns a masked frame whose key is zero, as the bytes of a string. */
function frame(opcode, payload) {
  const { length } = payload;
  const size =
    length < 126
      ? [0x80 | length]
      : [0x80 | 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255];
  return `${String.fromCharCode(opcode, ...size, 0, 0, 0, 0)}${payload}`;
}

/** Returns a pattern for a frame of the server. */
const framed = (opcode, payload) =>
  new RegExp(
    `${[opcode, payload.length].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}${payload}`,
  );

/** Returns the pattern of a close frame with a code. */
const closing = code =>
  new RegExp(`\\x88[^]\\x${(code >> 8).toString(16).padStart(2, '0')}\\x${(code & 255).toString(16)}`);

/** Asks for a WebSocket; resolves with the connection when the response has arrived. */
async function open({ raw }, path, headers = {}) {
  const lines = Object.entries({ Host: 'a', 'X-Visitor': 'x', ...headers }).map(pair => pair.join(': '));
  const connection = raw().send(
    [
      `GET /sockets${path} HTTP/1.1`,
      ...lines,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ].join('\r\n'),
  );
  await connection.until(/\r\n\r\n/);
  return connection;
}

const statusOf = ({ received }) => Number(received.split(' ')[1]);
const write = (connection, text) => connection.socket.write(Buffer.from(text, 'latin1'));

/** Resolves with the code of the first close frame; undefined if the connection ends without one. */
async function closeCode(connection) {
  const [frame] = /\x88[^][^]{2}/.exec(await connection.until(/\x88[^]{3}/).catch(() => '')) ?? [];
  connection.abort();
  return frame && (frame.charCodeAt(2) << 8) + frame.charCodeAt(3);
}

export default [
  {
    name: 'opens a socket with the headers of middleware and a subprotocol',
    ask: async tools => {
      const connection = await open(tools, '/echo/7', { 'Sec-WebSocket-Protocol': 'a, b' });
      const { received } = connection;
      connection.abort();
      return {
        status: statusOf(connection),
        accept: /^sec-websocket-accept: (.*)\r$/im.exec(received)[1],
        protocol: /^sec-websocket-protocol: (.*)\r$/im.exec(received)[1],
        cookies: received.match(/^set-cookie: \w+=\d/gim)?.length,
      };
    },
    expected: { status: 101, accept: 'ICX+Yqv66kxgM0FcWaLWlFLwTAI=', protocol: 'b', cookies: 2 },
  },
  {
    name: 'echoes text and bytes, with parameters and the asynchronous context of the request',
    ask: async tools => {
      const connection = await open(tools, '/echo/kitchen', { 'X-Visitor': 'Ada' });
      write(connection, frame(TEXT, 'hello') + frame(BINARY, 'bytes') + frame(TEXT, 'state'));
      await connection.until(framed(TEXT, 'kitchen Ada 1'));
      connection.abort();
      return [framed(TEXT, 'hello'), framed(BINARY, 'bytes')].map(one => one.test(connection.received));
    },
    expected: [true, true],
  },
  {
    name: 'emits close with the code and reason of the client, and sends its own',
    ask: async tools => {
      const visitor = 'X-Visitor';
      const first = await open(tools, '/echo/1', { [visitor]: 'client' });
      write(first, frame(CLOSE, '\x0b\xb8gone'));
      const second = await open(tools, '/echo/1', { [visitor]: 'server' });
      write(second, frame(TEXT, 'leave'));
      await second.until(closing(3001));
      write(second, frame(CLOSE, '\x0b\xb9left'));
      for (let tries = 0; tries < 40; tries++) {
        const notes = JSON.parse((await tools.get('/sockets/notes')).body);
        const found = ['client', 'server'].map(name => notes.find(note => note.startsWith(name)));
        if (found.every(Boolean)) return found;
        await new Promise(resolve => setTimeout(resolve, 25));
      }
      return 'not closed';
    },
    expected: ['client 3000 gone', 'server 3001 left'],
  },
  {
    name: 'refuses with the response of a handler, with 404, and a page of another origin with 403',
    ask: async tools => {
      const refusals = [
        await open(tools, '/private'),
        await open(tools, '/none'),
        await open(tools, '/echo/1', { Origin: 'https://evil.example' }),
      ];
      await refusals[0].until(/log in first/);
      for (const one of refusals) one.abort();
      return refusals.map(statusOf);
    },
    expected: [401, 404, 403],
  },
  {
    name: 'closes with 1009 for a message beyond maxPayload',
    ask: async tools => {
      const connection = await open(tools, '/echo/1');
      write(connection, frame(TEXT, 'x'.repeat(102_401)));
      return closeCode(connection);
    },
    expected: 1009,
  },
  {
    name: 'closes with 1007 for invalid UTF-8',
    ask: async tools => {
      const connection = await open(tools, '/echo/1');
      write(connection, frame(TEXT, '\xc3\x28') + frame(TEXT, 'leave'));
      return closeCode(connection);
    },
    expected: 1007,
  },
  {
    name: 'closes with 1002 for a reserved opcode',
    ask: async tools => {
      const connection = await open(tools, '/echo/1');
      write(connection, frame(0x83, 'x') + frame(TEXT, 'leave'));
      return closeCode(connection);
    },
    expected: 1002,
  },
  {
    name: 'closes with 1011 when a listener throws',
    ask: async tools => {
      const connection = await open(tools, '/echo/1');
      write(connection, frame(TEXT, 'fail'));
      return closeCode(connection);
    },
    expected: 1011,
  },
  {
    name: 'refuses a second socket of an address with 429 at a limit of one',
    ask: async tools => {
      let first = await open(tools, '/single');
      // The sockets of earlier checks may still be open.
      for (let tries = 0; tries < 40 && statusOf(first) === 429; tries++)
        first = await open(tools, '/single');
      const second = await open(tools, '/single');
      for (const one of [first, second]) one.abort();
      return [statusOf(first), statusOf(second)];
    },
    expected: [101, 429],
  },
  {
    name: 'ends a socket whose client does not read beyond maxBacklog',
    ask: async tools => {
      const connection = await open(tools, '/flood');
      connection.socket.pause();
      write(connection, frame(TEXT, 'x'));
      const notes = async () =>
        JSON.parse((await tools.get('/sockets/notes')).body).find(note => note.startsWith('flood'));
      let found;
      for (let tries = 0; tries < 40 && found === undefined; tries++) {
        found = await notes();
        await new Promise(resolve => setTimeout(resolve, 25));
      }
      connection.abort();
      return found;
    },
    expected: 'flood ended',
  },
];
