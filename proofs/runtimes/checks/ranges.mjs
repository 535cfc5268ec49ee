/** Ranges of files. */
const FILE = '/files/static/digits.txt';
const range =
  (text, headers) =>
  ({ get }) =>
    get(FILE, { Range: text, ...headers });

export default [
  {
    name: 'sends 206 with Content-Range for one range',
    ask: range('bytes=2-4'),
    expected: {
      status: 206,
      body: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3' },
    },
  },
  {
    name: 'sends the last bytes for a suffix',
    ask: range('bytes=-3'),
    expected: { status: 206, body: '789', headers: { 'content-range': 'bytes 7-9/10' } },
  },
  {
    name: 'sends 416 with Content-Range when the range starts past the end',
    ask: range('bytes=20-'),
    expected: { status: 416, headers: { 'content-range': 'bytes */10' } },
  },
  {
    name: 'sends the whole file for several ranges',
    ask: range('bytes=0-1,4-5'),
    expected: { status: 200, body: '0123456789' },
  },
  {
    name: 'sends the whole file when If-Range does not match',
    ask: range('bytes=2-4', { 'If-Range': '"other"' }),
    expected: { status: 200, body: '0123456789' },
  },
  {
    name: 'sends ranges of a file from a handler',
    ask: ({ get }) => get('/files/sent', { Range: 'bytes=8-' }),
    expected: { status: 206, body: '89' },
  },
];
