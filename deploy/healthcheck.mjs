/**
 * Succeeds if a path of web.health responds with 200, for systems without curl. With a number of seconds, it waits that
 * long.
 *
 *     node healthcheck.mjs /readyz [60]                          the port is in the environment variable PORT, or 3000
 *     node healthcheck.mjs http://127.0.0.1:3000/readyz [60]
 */
import { setTimeout as sleep } from 'node:timers/promises';

const [given, seconds = '0'] = process.argv.slice(2);
const address = new URL(given, `http://127.0.0.1:${process.env.PORT || 3000}`);
const end = performance.now() + Number(seconds) * 1000;

async function isHealthy() {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(3000) })).ok;
  } catch {
    return false;
  }
}

let isWell = await isHealthy();
while (!isWell && performance.now() < end) {
  await sleep(100);
  isWell = await isHealthy();
}
process.exitCode = isWell ? 0 : 1;
