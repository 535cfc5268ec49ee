/**
 * Runs programs with mistakes, one after another in this process, and writes to stdout what each printed to the terminal
 * and sent to the browser. Reads `{ name, mistakes: [{ file, asks, isLate, expected }] }` from the file of the first argument.
 */
const fs = require('node:fs');
const http = require('node:http');
const { inspect } = require('node:util');

const { name, mistakes } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
globalThis.web = require(name);
globalThis.load = require;

let output = '';
let isRunning = false;
const capture = chunk => {
  output += chunk;
  return true;
};
const results = [];
process.stderr.write = capture;
process.on('warning', ({ code, message, detail = '' }) => capture(`[${code}] ${message}\n${detail}\n`));
process.on('exit', () => {
  if (isRunning) results.push({ output, pages: [] });
  fs.writeSync(1, JSON.stringify(results));
});

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Waits until the terminal has said everything, for at most a minute. */
async function waitUntilSaid(expected) {
  const end = performance.now() + 60_000;
  const isMissing = fact => !new RegExp(fact, 'i').test(output);
  await pause(0);
  while (expected.some(isMissing) && performance.now() < end) await pause(20);
}

/** The browser's cookie, which shows it source lines. */
let cookie = '';

/** Opens the link that the terminal prints with the first error page. */
async function openLink() {
  const app = globalThis.web();
  app.get('/', () => {
    throw new Error('the first error');
  });
  const server = http.createServer(app).listen(0, '127.0.0.1');
  await pause(0);
  const { port } = server.address();
  await ask(port, {});
  await waitUntilSaid(['RISTRETTO_ERROR_PAGE_LINK']);
  const { headers } = await ask(port, { path: /http:\/\/[^/]+(\/\S+)/.exec(output)[1] });
  cookie = headers['set-cookie'][0].split(';')[0];
  server.close();
}

function ask(port, { method = 'GET', path = '/', headers = {}, body = '' }) {
  return new Promise(resolve => {
    const request = http.request({
      port,
      method,
      path,
      agent: false,
      headers: { accept: 'text/html', cookie, ...headers },
    });
    request.setTimeout(60_000, () => request.destroy());
    request.on('response', response => {
      let text = '';
      response.setEncoding('utf8').on('data', chunk => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }));
      response.on('error', () => resolve({ status: 0, text }));
    });
    request.on('upgrade', ({ statusCode }, connection) => {
      connection.destroy();
      resolve({ status: statusCode, text: '' });
    });
    request.on('error', () => resolve({ status: 0, text: '' }));
    request.end(body);
  });
}

/** Runs one program: loads it, and sends its requests. */
async function run({ file, asks, isLate, expected }) {
  let pages = [];
  try {
    const app = require(file);
    await pause(0);
    if (asks.length > 0) {
      const server = http.createServer(app).listen(0, '127.0.0.1');
      await pause(0);
      const asked = asks.map(each => ask(server.address().port, each));
      if (isLate) await waitUntilSaid(expected);
      else await Promise.all(asked);
      server.close();
      server.closeAllConnections();
      pages = await Promise.all(asked);
    }
  } catch (error) {
    capture(`${inspect(error)}\n`);
  }
  await waitUntilSaid(expected);
  return pages;
}

(async () => {
  // 3.x has no page of ours
  if (name !== 'ristretto3') await openLink();
  output = '';
  isRunning = true;
  if (mistakes.every(({ isLate }) => isLate)) {
    // They run concurrently, because each waits for seconds: each result has the output of all
    const pages = await Promise.all(mistakes.map(run));
    for (const each of pages) results.push({ output, pages: each });
  } else {
    for (const mistake of mistakes) {
      output = '';
      results.push({ pages: await run(mistake), output });
    }
  }
  isRunning = false;
  process.exit();
})();
