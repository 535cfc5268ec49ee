/** A registry of packed tarballs for unpublished packages; it redirects to npm's registry for all others. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { npm } from '../../scripts/npm.mjs';
import { root } from '../../scripts/test-files.mjs';

/** Reads the manifest in a tarball, which consists of 512-byte blocks: a header and the content for each file. */
function manifestOf(/** @type {Buffer} */ tarball) {
  const blocks = gunzipSync(tarball);
  for (let at = 0; at < blocks.length;) {
    const [name] = blocks.toString('latin1', at, at + 100).split('\0');
    const size = parseInt(blocks.toString('latin1', at + 124, at + 136), 8) || 0;
    if (name === 'package/package.json')
      return JSON.parse(blocks.toString('utf8', at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  throw new Error('The tarball has no package.json');
}

/**
 * Starts the registry.
 * @param {string[]} tarballs files created by `npm pack`
 * @returns its URL, and a function that stops it
 */
export async function startRegistry(tarballs) {
  const upstream = npm(['config', 'get', 'registry'], root).trim().replace(/\/$/, '');
  const packages = new Map(
    tarballs.map(file => {
      const bytes = fs.readFileSync(file);
      const manifest = manifestOf(bytes);
      return [`/${manifest.name}`, { bytes, manifest }];
    }),
  );
  const server = http.createServer((request, response) => {
    // Scoped names are requested as `@scope%2fname`.
    const pathname = decodeURIComponent(new URL(String(request.url), 'http://localhost').pathname);
    const found = packages.get(pathname.replace(/\/-\/.*$/, ''));
    if (found === undefined) response.writeHead(307, { Location: upstream + request.url }).end();
    else if (pathname.endsWith('.tgz')) response.end(found.bytes);
    else response.end(JSON.stringify(document(found, url)));
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const url = `http://localhost:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  return { url, stop: () => void server.close().closeAllConnections() };
}

/**
 * Returns the registry's document about a package; dated in the past, for package managers that wait some days before
 * installing new versions.
 */
function document(
  /** @type {{ bytes: Buffer, manifest: any }} */ { bytes, manifest },
  /** @type {string} */ url,
) {
  const { name, version } = manifest;
  const digest = (/** @type {string} */ kind) => createHash(kind).update(bytes);
  const dist = {
    tarball: `${url}/${name}/-/${name}-${version}.tgz`,
    integrity: `sha512-${digest('sha512').digest('base64')}`,
    shasum: digest('sha1').digest('hex'),
  };
  return {
    name,
    'dist-tags': { latest: version },
    time: { [version]: '2020-01-01T00:00:00.000Z' },
    versions: { [version]: { ...manifest, dist } },
  };
}
