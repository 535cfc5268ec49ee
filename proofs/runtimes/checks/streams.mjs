/** Event streams and large responses. */
const stream = path => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

export default [
  {
    name: 'sends the headers and each event at once',
    // The next event is only written when the client has confirmed the one before: a buffered event never arrives.
    ask: async ({ raw, get }) => {
      const connection = raw().send(stream('/streams/events'));
      for (const event of [/event 1/, /event 2/, /event 3/]) {
        await connection.until(event);
        await get('/streams/events/confirm');
      }
      const all = await connection.end();
      return { type: /^content-type: (.*)\r$/im.exec(all)[1], events: all.match(/event \d/g) };
    },
    expected: { type: 'text/event-stream; charset=utf-8', events: ['event 1', 'event 2', 'event 3'] },
  },
  {
    name: 'pipes four megabytes',
    ask: async ({ get }) => (await get('/streams/piped')).bytes.length,
    expected: 64 * 65_536,
  },
  {
    name: 'waits for a client that does not read',
    ask: async ({ raw }) => {
      const connection = raw().send(stream('/streams/piped'));
      await connection.until(/xxx/);
      connection.socket.pause();
      await new Promise(resolve => setTimeout(resolve, 200));
      connection.socket.resume();
      return (await connection.end()).match(/x{2,}/g).join('').length;
    },
    expected: 64 * 65_536,
  },
];
