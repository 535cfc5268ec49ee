/** Functions of Node.js that a tool patched before the application was loaded: each call is noted (tool.mjs). */
const calls = path => async context => {
  await context.get('/patched');
  await context.get(path);
  const noted = JSON.parse((await context.get('/patched')).body);
  return ['writeHead', 'write', 'end', 'setHeader'].filter(name => noted.includes(name));
};

export default [
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
