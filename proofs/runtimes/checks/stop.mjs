/** Stopping: `web.stopOnSignals`, in a separate process for each check. */
const REQUEST = path => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Starts the application, and runs `before` and `after` the signal; resolves with the outcome.
 *
 * The times leave a busy machine more than a second. Only a server that waits in vain comes near the timeout.
 */
const stopped =
  ({ before, after, timeout = 10_000, drain = 20 }) =>
  async ({ start }) => {
    const process = await start({ TIMEOUT: String(timeout), DRAIN: String(drain) });
    const connections = await before(process);
    process.signal();
    const began = Date.now();
    await process.said('stopping');
    const seen = await after?.(connections, process);
    const report = await process.said('report');
    const { code } = await process.exited;
    const ms = Date.now() - began;
    for (const connection of connections) connection.abort();
    return { report, code, isSoon: ms < timeout - 1500, ...seen };
  };

const NONE = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };

/** Returns a connection that has received a response and waits for the next request. */
async function idle({ raw }) {
  const connection = raw().send(REQUEST('/routing/hello'));
  await connection.until(/hello$/);
  return connection;
}

/** Returns a connection whose request is being handled. */
async function inFlight({ raw, said }, path, count = 1) {
  const connection = raw().send(REQUEST(path));
  await (path.includes('slow-stream') ? connection.until(/begun/) : said('inFlight', count));
  return connection;
}

export default [
  {
    name: 'ends at once where nothing is connected, and so does the process',
    ask: stopped({ before: async () => [] }),
    expected: { report: NONE, code: 0, isSoon: true },
  },
  {
    name: 'closes idle connections',
    ask: stopped({ before: process => Promise.all([idle(process), idle(process)]) }),
    expected: { report: { ...NONE, idle: 2 }, code: 0, isSoon: true },
  },
  {
    name: 'serves a request that comes on an idle connection while it stops, with Connection: close',
    ask: stopped({
      before: async process => [await idle(process)],
      after: async ([connection]) => {
        await sleep(100);
        const text = await connection.send(REQUEST('/routing/hello')).end();
        return { responses: text.match(/hello/g).length, saysSo: /^connection: close\r$/im.test(text) };
      },
      drain: 1500,
    }),
    expected: { report: { ...NONE, completed: 1 }, code: 0, isSoon: true, responses: 2, saysSo: true },
  },
  {
    name: 'closes connections that have sent nothing',
    ask: stopped({
      before: async process => {
        const connection = process.raw();
        // Connections are accepted in order: a response on the second one shows that the first is open.
        return [connection, await idle(process)];
      },
      after: async ([connection]) => {
        await Promise.race([connection.end(), sleep(1000)]);
        return { isClosed: connection.isClosed };
      },
    }),
    expected: { report: { ...NONE, idle: 2 }, code: 0, isSoon: true, isClosed: true },
  },
  {
    name: 'completes an in-flight request with Connection: close',
    ask: stopped({
      before: async process => [await inFlight(process, '/streams/slow?ms=600')],
      after: async ([connection]) => {
        const text = await connection.end();
        return { isWhole: text.endsWith('slow'), saysSo: /^connection: close\r$/im.test(text) };
      },
    }),
    expected: { report: { ...NONE, completed: 1 }, code: 0, isSoon: true, isWhole: true, saysSo: true },
  },
  {
    name: 'completes twenty in-flight requests, and closes thirty idle connections',
    ask: stopped({
      before: async process => {
        const kept = await Promise.all(Array.from({ length: 30 }, () => idle(process)));
        const begun = Array.from({ length: 20 }, () => inFlight(process, '/streams/slow?ms=800', 20));
        return [...kept, ...(await Promise.all(begun))];
      },
      after: async connections => {
        const texts = await Promise.all(connections.map(connection => connection.end()));
        return { isWhole: texts.every(text => /(?:hello|slow)$/.test(text)) };
      },
    }),
    expected: { report: { ...NONE, completed: 20, idle: 30 }, code: 0, isSoon: true, isWhole: true },
  },
  {
    name: 'completes a response whose headers were sent before',
    ask: stopped({
      before: async process => [await inFlight(process, '/streams/slow-stream?ms=600')],
      after: async ([connection]) => ({ isWhole: (await connection.end()).includes('ended') }),
    }),
    expected: { report: { ...NONE, completed: 1 }, code: 0, isSoon: true, isWhole: true },
  },
  {
    name: 'refuses a request behind a response whose headers were sent before',
    ask: stopped({
      before: async process => [await inFlight(process, '/streams/slow-stream?ms=1500')],
      after: async ([connection]) => {
        await sleep(200);
        const text = await connection.send(REQUEST('/routing/hello')).end();
        return { statuses: text.match(/(?<=HTTP\/1\.1 )\d+/g), isWhole: text.includes('ended') };
      },
    }),
    expected: {
      report: { ...NONE, completed: 1, refused: 1 },
      code: 0,
      isSoon: true,
      statuses: ['200', '503'],
      isWhole: true,
    },
  },
  {
    name: 'completes a request of which only a part had come',
    ask: stopped({
      before: async process => {
        const connection = process.raw().send('GET /routing/hello HTTP/1.1\r\nHost');
        return [connection, await idle(process)];
      },
      after: async ([connection]) => {
        await sleep(300);
        connection.send(': a\r\n\r\n');
        return { status: (await connection.end()).slice(9, 12) };
      },
    }),
    expected: { report: { ...NONE, completed: 1, idle: 1 }, code: 0, isSoon: true, status: '200' },
  },
  {
    name: 'refuses new connections while requests are in flight',
    ask: stopped({
      before: async process => [await inFlight(process, '/streams/slow?ms=600')],
      after: async (_connections, { raw }) => {
        await sleep(400);
        const connection = raw();
        await connection.end();
        return { refused: connection.error?.code };
      },
    }),
    expected: { report: { ...NONE, completed: 1 }, code: 0, isSoon: true, refused: 'ECONNREFUSED' },
  },
  {
    name: 'counts a client that disconnects',
    ask: stopped({
      before: async process => [await inFlight(process, '/streams/slow-stream?ms=3000')],
      after: async ([connection]) => {
        await sleep(100);
        connection.abort();
      },
    }),
    expected: { report: { ...NONE, aborted: 1 }, code: 0, isSoon: true },
  },
  {
    name: 'cuts off responses that have not ended after the timeout',
    ask: stopped({
      before: async process => [await inFlight(process, '/streams/slow-stream?ms=2000')],
      after: async ([connection]) => ({ isWhole: (await connection.end()).includes('ended') }),
      timeout: 500,
    }),
    expected: { report: { ...NONE, forced: 1 }, code: 0, isWhole: false },
  },
];
