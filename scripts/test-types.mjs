/** Checks the types of test files against the sources of the packages, in a second: neither needs a build. */
import fs from 'node:fs';
import path from 'node:path';
import { packageHomes } from './packages.cjs';
import { allOf, step, tsc } from './steps.mjs';
import { root } from './test-files.mjs';

/** In a folder of the repository, so that the compiler finds @types/node from it. */
const folder = path.join(root, 'node_modules/.cache/test-types');

/** Returns what the compiler reads for each package instead of its declarations in lib, and the declarations of untyped modules. */
function sources() {
  /** @type {Record<string, string[]>} */
  const paths = {};
  const untyped = [];
  for (const home of packageHomes()) {
    const { name, types } = JSON.parse(fs.readFileSync(path.join(root, home, 'package.json'), 'utf8'));
    const entry = ['express', 'index'].find(each => fs.existsSync(path.join(root, home, `src/${each}.ts`)));
    if (types !== undefined && entry !== undefined) paths[name] = [path.join(root, home, `src/${entry}.ts`)];
    paths[`${name}/lib/*`] = [path.join(root, home, 'src/*')];
    const declarations = path.join(root, home, 'src/untyped.d.ts');
    if (fs.existsSync(declarations)) untyped.push(declarations);
  }
  return { paths, untyped };
}

/** Returns the directory of the project that a test file belongs to. */
function projectOf(/** @type {string} */ file) {
  let directory = path.dirname(file);
  while (!fs.existsSync(path.join(root, directory, 'tsconfig.json'))) directory = path.dirname(directory);
  return directory;
}

/** Resolves with 0, or with the compiler's exit code; prints its errors. Leaves out examples and proofs, which use built packages. */
export function checkTypes(/** @type {string[]} */ files) {
  /** @type {Map<string, string[]>} */
  const projects = new Map();
  for (const file of files.filter(each => each.startsWith('packages/'))) {
    const project = projectOf(file);
    projects.set(project, [...(projects.get(project) ?? []), file]);
  }
  const { paths, untyped } = sources();
  fs.mkdirSync(folder, { recursive: true });
  return allOf(
    [...projects].map(([project, members], i) => {
      const config = path.join(folder, `${process.pid}-${i}.json`);
      const compilerOptions = {
        noEmit: true,
        incremental: false,
        rootDir: root,
        typeRoots: [path.join(root, 'node_modules/@types')],
        // As in the build of the packages.
        useDefineForClassFields: false,
        paths,
      };
      const text = JSON.stringify({
        extends: path.join(root, project, 'tsconfig.json'),
        compilerOptions,
        include: [],
        files: [...members.map(file => path.join(root, file)), ...untyped],
      });
      fs.writeFileSync(config, text);
      return step(`types in ${project}`, [tsc, '-p', config]).finally(() => fs.rmSync(config));
    }),
  );
}
