/** Errors of handlers, requests that are not HTTP, and functions that a tool has patched. */
import { gets } from './check.mjs';

const firstLine = text => text.split('\r\n')[0];

export const errors = [
  {
    name: 'responds 500 with the stack to an error that is thrown',
    ask: async ({ get }) => {
      const { status, body } = await get('/errors/thrown');
      return { status, says: body.includes('Error: thrown here<br>') };
    },
    expected: { status: 500, says: true },
  },
  {
    name: 'responds with the status of an error',
    ask: async ({ get }) => {
      const { status, body } = await get('/errors/custom');
      return { status, says: body.includes('tea only') };
    },
    expected: { status: 418, says: true },
  },
  {
    name: 'responds to a rejected promise',
    ask: async ({ get }) => {
      const { status, body } = await get('/errors/rejected');
      return { status, says: body.includes('rejected here') };
    },
    expected: { status: 409, says: true },
  },
  {
    name: 'cuts off a response that fails behind its headers',
    ask: async ({ raw }) => {
      const text = await raw().send('GET /errors/late HTTP/1.1\r\nHost: a\r\n\r\n').end();
      return { status: firstLine(text).slice(9, 12), isWhole: text.endsWith('0\r\n\r\n') };
    },
    expected: { status: '200', isWhole: false },
  },
  gets('serves on behind all of them', '/routing/hello', { status: 200 }),
  {
    name: 'responds 400 to bytes that are not HTTP',
    ask: async ({ raw }) => firstLine(await raw().send('no request\r\n\r\n').end()),
    expected: 'HTTP/1.1 400 Bad Request',
  },
  {
    name: 'responds 400 to a request with a length and chunks',
    ask: async ({ raw }) => {
      const text = await raw()
        .send(
          'POST /bodies/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        )
        .end();
      return firstLine(text);
    },
    expected: 'HTTP/1.1 400 Bad Request',
  },
  {
    name: 'responds 431 to a header block of 100 KiB',
    ask: async ({ raw }) => {
      const text = await raw()
        .send(
          `GET /routing/hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: ${'x'.repeat(102_400)}\r\n\r\n`,
        )
        .end();
      return firstLine(text);
    },
    expected: 'HTTP/1.1 431 Request Header Fields Too Large',
  },
];

/** Functions of Node.js that a tool patched before the application was loaded: each call is noted (tool.mjs). */
const calls = path => async context => {
  await context.get('/patched');
  await context.get(path);
  const noted = JSON.parse((await context.get('/patched')).body);
  return ['writeHead', 'write', 'end', 'setHeader'].filter(name => noted.includes(name));
};

export const patched = [
  {
    name: 'calls them for a whole response',
    ask: calls('/routing/hello'),
    expected: ['writeHead', 'end', 'setHeader'],
  },
  {
    name: 'calls them for a response in pieces',
    ask: calls('/bodies/written'),
    expected: ['writeHead', 'write', 'end', 'setHeader'],
  },
  {
    name: 'calls them for a file',
    ask: calls('/files/static/digits.txt'),
    expected: ['writeHead', 'end', 'setHeader'],
  },
  {
    name: 'calls them for an error page',
    ask: calls('/nowhere'),
    expected: ['writeHead', 'end', 'setHeader'],
  },
];
