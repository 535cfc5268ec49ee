/**
 * Prepares workerd, which runs one module: the application is bundled for it, and the application's files are part of
 * its configuration.
 */
import fs from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';

/** The date that selects the behaviour of workerd. */
const COMPATIBILITY_DATE = '2026-10-01';
/** Files that the application reads, relative to the repository. */
const FILES = [
  'proofs/runtimes/application/public/digits.txt',
  'proofs/runtimes/application/public/docs/index.html',
  'proofs/runtimes/application/views/page.ejs',
  'proofs/runtimes/application/views/part.ejs',
  'proofs/runtimes/application/views/page.txt',
  'package-lock.json',
];

/** Bundles a program; returns the path of the configuration that serves it. */
export function workerdConfiguration(
  /** @type {string} */ home,
  /** @type {import('./runtimes.mjs').Program} */ { entry, patched },
) {
  const name = patched ? 'patched' : path.basename(entry, '.mjs');
  const generated = path.join(home, '.generated');
  buildSync({
    stdin: {
      contents: `${patched ? "import './tool.mjs';" : ''} export { default } from './${entry}';`,
      resolveDir: path.join(home, 'application'),
    },
    outfile: path.join(generated, `${name}.mjs`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['node:*', 'cloudflare:*'],
    // The framework and the middleware are CommonJS modules, which require modules of Node.js.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire('file:///bundle/');",
    },
    logLevel: 'error',
  });
  const data = FILES.map(file => `(name = "${file}", data = embed "../../../${file}")`);
  const configuration = path.join(generated, `${name}.capnp`);
  fs.writeFileSync(
    configuration,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "application", worker = .application)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "application")],
);
const application :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  modules = [
    (name = "${name}.mjs", esModule = embed "${name}.mjs"),
    ${data.join(',\n    ')},
  ],
);
`,
  );
  return configuration;
}
