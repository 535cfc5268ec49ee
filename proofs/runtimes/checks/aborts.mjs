/** Aborts: what handlers observe when their client disconnects. */
let number = 0;
/** Sends a request and disconnects; resolves with what the application noted about it. */
const aborted =
  (kind, count, { method = 'GET', headers = '', body = '', behind = undefined } = {}) =>
  async ({ raw, notes }) => {
    const id = `${kind}-${++number}`;
    const connection = raw().send(
      `${method} /aborts/${kind}/${id} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`,
    );
    // The handler is running.
    await notes(`/aborts/notes/${id}`, 1);
    if (behind) await connection.until(behind);
    connection.abort();
    return (await notes(`/aborts/notes/${id}`, 1 + count)).slice(1);
  };

export default [
  {
    name: 'closes a response that had begun',
    ask: aborted('pending', 1, { behind: /begun/ }),
    expected: ['response closed, finished: false'],
  },
  {
    name: 'closes a response that had not begun',
    ask: aborted('silent', 1),
    expected: ['response closed, finished: false'],
  },
  {
    name: 'reports a download that was cut off',
    // Which code is reported depends on timing: an error of the socket comes first.
    ask: async tools => {
      const [code] = await aborted('download', 1, { behind: /\r\n\r\n/ })(tools);
      return ['ECONNABORTED', 'ECONNRESET', 'EPIPE'].includes(code) ? 'cut off' : code;
    },
    expected: 'cut off',
  },
  {
    name: 'reports a body that was cut off as an error',
    ask: aborted('body', 1, {
      method: 'POST',
      headers: 'Content-Type: application/json\r\nContent-Length: 100\r\n',
      body: '{"a":',
    }),
    expected: ['request.aborted'],
  },
  {
    name: 'emits aborted, an error and close on a request that was cut off',
    ask: aborted('stream', 3, {
      method: 'POST',
      headers: 'Content-Length: 100\r\n',
      body: 'x',
    }),
    expected: ['aborted', 'ECONNRESET', 'request closed, complete: false'],
  },
  {
    name: 'serves on behind a hundred aborted requests',
    ask: async ({ raw, get }) => {
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const connection = raw().send('GET /streams/never HTTP/1.1\r\nHost: a\r\n\r\n');
          await connection.until(/begun/);
          connection.abort();
        }),
      );
      return get('/routing/hello');
    },
    expected: { status: 200, body: 'hello' },
  },
];
