// runs: slow, built, once
/**
 * Projects that reference each other (`tsc --build`), with only the package installed: the declarations that the first
 * one emits.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { install, pack, scratch } from '../../engine/test/types/tarball.js';

const folder = scratch();
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

const SERVER = `import web, { Router, type RequestHandler } from 'NAME';
export const app = web();
export const router = Router();
export const show: RequestHandler<{ id: string }> = (req, res) => void res.send(req.params.id);
export const add = (req: web.Request, res: web.Response) => res.json({});
export const listen = () => app.listen(0);
export default web.Router().get('/', (req, res) => res.send('x'));
export class Controller { router = web.Router() }
`;

const PROGRAM = `import users, { Controller, add, app, listen, router, show } from '../server/index.js';
app.use(router, users, new Controller().router).get('/:id', show).post('/', add);
app.get('/:id', (req, res) => res.send(req.params.id.length));
// @ts-expect-error it is not in the path
app.get('/:id', (req, res) => res.send(req.params.name));
listen().close();
`;

/** Writes two projects, the second of which sees only the declarations of the first. */
function write(home: string, name: string, options: object): void {
  const settings = { ...options, composite: true, strict: true, target: 'es2022', esModuleInterop: true };
  const projects = {
    server: [SERVER.replace('NAME', name), []],
    program: [PROGRAM, [{ path: '../server' }]],
  };
  for (const [project, [text, references]] of Object.entries(projects)) {
    const compilerOptions = {
      ...settings,
      types: ['node'],
      rootDir: '.',
      outDir: `../out/${project}`,
      // Both use the same libraries, so the program checks them, if at all.
      ...(project === 'server' && { skipLibCheck: true }),
    };
    mkdirSync(join(home, project), { recursive: true });
    writeFileSync(join(home, project, 'index.ts'), text as string);
    writeFileSync(
      join(home, project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['index.ts'], references }),
    );
  }
}

before(() => {
  for (const source of ['ristretto', 'ristretto5']) {
    const tarball = pack(folder, source);
    for (const name of [source, 'express']) install(tarball, join(folder, source, name), name, source);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('types', () => {
  const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
  const commonJs = { module: 'commonjs', skipLibCheck: true };
  const runs: [string, string, string, object][] = [
    ['ristretto', 'ristretto', 'nodenext', nodeNext],
    ['ristretto', 'express', 'commonjs', commonJs],
    ['ristretto5', 'ristretto5', 'nodenext', nodeNext],
    ['ristretto5', 'express', 'commonjs', commonJs],
  ];
  for (const [source, name, kind, options] of runs) {
    const title = source === name ? name : `${name} and are of ${source}`;
    test(`composite projects: ${kind} emits declarations that name ${title}, and compiles`, () => {
      const home = join(folder, source, name, kind);
      write(home, name, options);
      const { stdout } = spawnSync(process.execPath, [tsc, '--build', 'program'], {
        cwd: home,
        encoding: 'utf8',
      });
      assert.equal(stdout, '');
      const emitted = readFileSync(join(home, 'out/server/index.d.ts'), 'utf8');
      assert.match(emitted, /const app: web\.Express;\n.*const router: (web\.)?Router;/);
      assert.ok(!emitted.includes('express-serve-static-core'));
    });
  }
});
