/**
 * Counts the stations of one GET that is answered by `res.json`: the files, functions and calls of the framework that it
 * passes, from the parser to the end of the request, over each kind of server.
 *
 *     node proofs/bench/stations.cjs [folder of a build] [--list]
 */
process.env.NODE_ENV = 'production';
const http = require('node:http');
const http2 = require('node:http2');
const inspector = require('node:inspector');
const path = require('node:path');

const { values, positionals } = require('../../scripts/options.cjs').readOptions(
  { list: { type: 'boolean' } },
  { words: true },
);
const isList = values.list;
const folder = path.resolve(positionals[0] ?? path.join(__dirname, '../../packages/ristretto'));
const web = require(folder);

const WARM_UP = 1500;
const session = new inspector.Session();
session.connect();

/** Calls a method of the inspector, which answers synchronously. */
function post(method, params) {
  let result;
  session.post(method, params, (error, value) => {
    if (error) throw error;
    result = value;
  });
  return result;
}

function makeApp() {
  const app = web();
  app.get('/', (req, res) => res.json({ hello: 'world' }));
  return app;
}

const settled = () => new Promise(resolve => setTimeout(resolve, 20));

async function count(name, send) {
  for (let i = 0; i < WARM_UP; i++) await send();
  await settled();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await send();
  await settled();
  post('Profiler.takePreciseCoverage');
  await send();
  await settled();
  const { result } = post('Profiler.takePreciseCoverage');
  post('Profiler.stopPreciseCoverage');
  post('Profiler.disable');
  const files = result
    .filter(({ url }) => /\/packages\/(engine|ristretto)\/lib\//.test(url))
    .map(({ url, functions }) => ({
      file: url.replace(/^.*\/packages\//, ''),
      called: functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
    }))
    .filter(({ called }) => called.length > 0);
  const functions = files.flatMap(({ called }) => called);
  const calls = functions.reduce((sum, { ranges }) => sum + ranges[0].count, 0);
  console.log(`${name}: ${files.length} files, ${functions.length} functions, ${calls} calls`);
  if (!isList) return;
  for (const { file, called } of files) {
    console.log(`  ${file}: ${called.map(f => `${f.functionName} ${f.ranges[0].count}`).join(', ')}`);
  }
}

async function main() {
  const server = makeApp().listen(0);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  await count('HTTP/1.1', () => {
    const { port } = server.address();
    return new Promise(resolve => {
      http.get({ port, agent }, res => res.resume().on('end', resolve));
    });
  });
  server.close();
  server.closeAllConnections();

  const server2 = makeApp().listen({ http2: true, port: 0 });
  const client = http2.connect(`http://localhost:${server2.address().port}`);
  await count('HTTP/2', () => {
    return new Promise(resolve => {
      client.request({ ':path': '/' }).resume().on('end', resolve);
    });
  });
  client.close();
  server2.close();

  const app = makeApp();
  await count('fetch', async () => (await app.fetch(new Request('http://localhost/'))).text());
}

void main();
