// runs: once
/** Each example as the README starts it: it listens on `PORT`, and the addresses that it prints respond with 200. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root } from './deploy';
import { freePorts } from './servers';

const examples = path.join(root, 'examples');
/** Have tests that start them: they need other programs, or print no address. */
const TESTED = ['cluster', 'showcase'];
const PATIENCE = 60_000;

/** The files that are started. */
const programs = [
  ...fs.readdirSync(examples).filter(name => !TESTED.includes(name)),
  ...fs.readdirSync(path.join(examples, 'legacy')).map(name => `legacy/${name}`),
].flatMap(name =>
  // An example with a server has an application in another file.
  ['server.ts', 'index.js', 'index.mjs', 'index.ts', 'app.js']
    .map(file => path.join(examples, name, file))
    .filter(file => fs.existsSync(file))
    .slice(0, 1),
);

/** Starts a program, and resolves with its output when it has printed an address. */
async function addressesOf(file: string): Promise<{ addresses: string[]; stop: () => Promise<void> }> {
  const [port, httpsPort] = await freePorts(2);
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...loader, file], {
    cwd: examples,
    env: { ...process.env, PORT: String(port), HTTPS_PORT: String(httpsPort), NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  let output = '';
  const printed = new Promise<string[]>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
        const addresses = output.match(/https?:\/\/\S+(?=\s)/g);
        if (addresses) resolve(addresses);
      });
    }
    void ended.then(() => reject(new Error(`${file} has ended:\n${output}`)));
  });
  const stop = async () => {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const addresses = await printed;
    for (const address of addresses)
      assert.ok([port, httpsPort].includes(Number(new URL(address).port)), `${file}: ${address}`);
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

describe('example programs', { concurrency: 2 }, () => {
  assert.ok(programs.length > 15);
  for (const file of programs) {
    test(`${path.relative(examples, file)}: listens on PORT, and prints addresses that work`, async () => {
      const { addresses, stop } = await addressesOf(file);
      try {
        // That of the HTTPS example leads to the other one, whose certificate only that example trusts.
        for (const address of addresses.filter(each => each.startsWith('http:'))) {
          const { status } = await fetch(address, { redirect: addresses.length > 1 ? 'manual' : 'follow' });
          assert.equal(status, addresses.length > 1 ? 308 : 200, address);
        }
      } finally {
        await stop();
      }
    });
  }

  test('the first line of each example gives its own path in the command', () => {
    const told = programs.flatMap(file => {
      const [, command] = /\bRun[^`\n]*: `([^`]*)`/.exec(fs.readFileSync(file, 'utf8')) ?? [];
      return command === undefined ? [] : [[command, `npx tsx ${path.relative(root, file)}`]];
    });
    assert.ok(told.length >= 2);
    for (const [command, expected] of told) assert.equal(command, expected);
  });

  test('packages that the examples require are installed by npm ci', () => {
    const { dependencies, devDependencies } = JSON.parse(
      fs.readFileSync(path.join(examples, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const declared = new Set(Object.keys({ ...dependencies, ...devDependencies }));
    const missing = programs.flatMap(program =>
      fs
        .readdirSync(path.dirname(program), { withFileTypes: true })
        .filter(entry => entry.isFile() && /\.[mc]?[jt]s$/.test(entry.name) && !entry.name.includes('.test.'))
        .map(entry => path.join(path.dirname(program), entry.name))
        .flatMap(file =>
          [...fs.readFileSync(file, 'utf8').matchAll(/(?:^import [^;]*? from |\brequire\()'([^'.][^']*)'/gm)]
            .map(([, name]) => /^(?:@[^/]+\/)?[^/]+/.exec(name!)![0])
            .filter(name => !isBuiltin(name) && !declared.has(name))
            .map(name => `${path.relative(examples, file)}: ${name}`),
        ),
    );
    assert.deepEqual(missing, []);
  });
});
