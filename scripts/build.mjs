/**
 * Builds the packages in the order of their dependencies, one file of lib for each file of src, and then examples/showcase.
 *
 *     node scripts/build.mjs [--watch]     builds the packages, and what is affected on every save
 *                            [--code]      builds what the showcase needs: engine, ristretto and middleware, without types and
 *                                          declarations; also the other packages, if they have been built before
 *
 * Names of built-in modules lose their `node:` prefix, which webpack 4 and Jest before 27 do not support. The compiler does
 * this before it emits code and source maps, so positions in the source maps stay correct. The maps are for the coverage
 * report and are not published, so the code does not refer to them.
 */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { readOptions } from './options.cjs';

/** @typedef {ts.EmitAndSemanticDiagnosticsBuilderProgram} Program */

const root = path.resolve(import.meta.dirname, '..');
const { values } = readOptions({ watch: { type: 'boolean' }, code: { type: 'boolean' } });
const isCodeOnly = values.code;

/**
 * Declarations keep their comments, which editors show. Code does not, because Node.js would have to read and store
 * them when the package is loaded.
 *
 * @type {Record<string, ts.CompilerOptions>}
 */
const passes = {
  types: { emitDeclarationOnly: true },
  code: { declaration: false, removeComments: true },
};

/** Returns whether a node names a module: an import or re-export in any form, `require()`, or the type `import()`. */
function namesModule(/** @type {ts.Node} */ node) {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isExternalModuleReference(node) ||
    ts.isImportTypeNode(node) ||
    (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require')
  );
}

/** Replaces `node:http` with `http`. */
function withoutPrefix(/** @type {ts.TransformationContext} */ context) {
  /** @returns {(node: ts.Node) => ts.Node} */
  const visitor = (/** @type {boolean} */ isName) => node => {
    if (isName && ts.isStringLiteral(node) && node.text.startsWith('node:')) {
      return ts.setTextRange(ts.factory.createStringLiteral(node.text.slice('node:'.length)), node);
    }
    const holdsName = namesModule(node) || (isName && ts.isLiteralTypeNode(node));
    return ts.visitEachChild(node, visitor(holdsName), context);
  };
  return (/** @type {any} */ file) => ts.visitEachChild(file, visitor(false), context);
}

/** Removes the comment that refers to the source map, which is not published. */
const withoutMap = (/** @type {string} */ text) => text.replace(/\/\/# sourceMappingURL=\S+\s*$/, '');

/**
 * The middleware packages are one program, because each is small: the compiler writes next to the sources, and what it
 * writes belongs in `lib`.
 */
const MIDDLEWARE = path.join(root, 'packages/middleware');
const placeOf = (/** @type {string} */ name) =>
  path.resolve(name).startsWith(MIDDLEWARE)
    ? // The repository itself may be below a folder named src
      path.join(MIDDLEWARE, path.relative(MIDDLEWARE, name).replace(/([\\/])src([\\/])/, '$1lib$2'))
    : name;

/** Writes a file that the compiler has emitted. */
function write(/** @type {string} */ emitted, /** @type {string} */ text) {
  const name = placeOf(emitted);
  if (name.endsWith('.js')) {
    ts.sys.writeFile(name, withoutMap(text));
  } else if (name.endsWith('.map') && name !== emitted) {
    const map = JSON.parse(text);
    map.sources = map.sources.map((/** @type {string} */ source) =>
      path.relative(path.dirname(name), path.resolve(emitted, '..', source)).replaceAll('\\', '/'),
    );
    ts.sys.writeFile(name, JSON.stringify(map));
  } else {
    ts.sys.writeFile(name, text);
  }
}

/** Emits the files of a program and prints its errors; returns whether there are none. */
function emit(/** @type {Program} */ program) {
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
    ...program.emit(undefined, write, undefined, undefined, {
      before: [withoutPrefix],
      afterDeclarations: [withoutPrefix],
    }).diagnostics,
  ];
  if (found.length > 0) {
    const host = ts.createCompilerHost({});
    process.stderr.write(ts.formatDiagnosticsWithColorAndContext(found, host));
  }
  return found.length === 0;
}

/** The file in which the compiler records what it has emitted, so that it only emits what has changed. */
function notesOf(/** @type {string} */ name, /** @type {string} */ pass) {
  return path.join(root, `node_modules/.cache/${name}.${pass}.tsbuildinfo`);
}

/** Removes the output of deleted sources: it would be published, and its declarations could conflict with others. */
function prune(/** @type {string} */ home) {
  const lib = path.join(home, 'lib');
  for (const file of fs.existsSync(lib) ? fs.readdirSync(lib, { recursive: true }).map(String) : []) {
    const source = path.join(home, 'src', file.replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts'));
    if (!fs.existsSync(source)) fs.rmSync(path.join(lib, file), { recursive: true, force: true });
  }
}

/** Returns whether all output files of a pass exist. */
function isWhole(/** @type {string} */ home, /** @type {string} */ pass) {
  const sources = fs.readdirSync(path.join(home, 'src'), { recursive: true }).map(String);
  return sources
    .filter(file => /(?<!\.d)\.ts$/.test(file))
    .map(file => path.join(home, 'lib', file.replace(/\.ts$/, '')))
    .flatMap(output => (pass === 'types' ? [`${output}.d.ts`] : [`${output}.js`, `${output}.js.map`]))
    .every(file => fs.existsSync(file));
}

/**
 * Returns whether no source has changed since the code was emitted. The compiler would find that out too, but reads all
 * sources for it, and `npm start` should not take that long each time.
 */
function isCurrent(/** @type {string} */ name, /** @type {string[]} */ homes) {
  const note = notesOf(name, 'code');
  if (!fs.existsSync(note)) return false;
  const { mtimeMs } = fs.statSync(note);
  return homes
    .flatMap(home =>
      fs
        .readdirSync(path.join(home, 'src'), { recursive: true })
        .map(file => path.join(home, 'src', String(file))),
    )
    .concat(configOf(name))
    .every(file => fs.statSync(file).mtimeMs <= mtimeMs);
}

/** Returns the compiler's configuration of a program. */
function configOf(/** @type {string} */ name) {
  const home = path.join(root, 'packages', name);
  return path.join(home, home === MIDDLEWARE ? 'tsconfig.package.json' : 'tsconfig.json');
}

/** Returns the directories of the packages that a program consists of. */
function homesOf(/** @type {string} */ home) {
  if (home !== MIDDLEWARE) return [home];
  return fs
    .readdirSync(home)
    .map(name => path.join(home, name))
    .filter(each => fs.existsSync(path.join(each, 'src')));
}

function build(/** @type {string} */ name) {
  const home = path.join(root, 'packages', name);
  const homes = homesOf(home);
  homes.forEach(prune);
  // Published under the name it has in Express.
  if (name.startsWith('ristretto'))
    fs.copyFileSync(path.join(root, 'CHANGELOG.md'), path.join(home, 'History.md'));
  // If an output file is missing, the build information is wrong.
  for (const pass of Object.keys(passes)) {
    if (!homes.every(each => isWhole(each, pass))) fs.rmSync(notesOf(name, pass), { force: true });
  }
  if (isCodeOnly) {
    if (isCurrent(name, homes)) return true;
    console.log(`Building packages/${name}`);
  }
  return Object.entries(passes).every(([pass, flags]) => {
    if (pass === 'types' && isCodeOnly) return true;
    const tsBuildInfoFile = notesOf(name, pass);
    const config = ts.getParsedCommandLineOfConfigFile(
      configOf(name),
      // The types are checked in the first pass.
      { ...flags, tsBuildInfoFile, noCheck: pass === 'code' },
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: diagnostic => {
          throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
        },
      },
    );
    const isEmitted = emit(
      ts.createIncrementalProgram({
        rootNames: config.fileNames,
        options: config.options,
        configFileParsingDiagnostics: config.errors,
      }),
    );
    // The compiler only writes this file if it has emitted something.
    if (isEmitted) fs.utimesSync(tsBuildInfoFile, new Date(), new Date());
    return isEmitted;
  });
}

const packages = [
  'engine',
  'ristretto',
  'ristretto3',
  'ristretto5',
  'migrate',
  'create-ristretto',
  'middleware',
].filter(
  name =>
    !isCodeOnly ||
    ['engine', 'ristretto', 'middleware'].includes(name) ||
    homesOf(path.join(root, 'packages', name)).some(home => fs.existsSync(path.join(home, 'lib'))),
);
/**
 * Builds all packages, and after each change of a source its package and those that depend on it; several changes at
 * once cause one build.
 */
function watch() {
  /** @type {Set<string>} */
  const changed = new Set(packages);
  const rebuild = () => {
    const first = packages.findIndex(name => changed.has(name));
    // All others depend on the engine, and on nothing else.
    const affected = first === 0 ? packages : packages.filter(name => changed.has(name));
    changed.clear();
    const verdict = affected.every(build) ? 'built' : 'not built';
    console.log(verdict, affected.join(', '), new Date().toLocaleTimeString());
  };
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  for (const name of packages)
    fs.watch(path.join(root, 'packages', name), { recursive: true }, (_, file) => {
      if (!/(?:^|[\\/])src[\\/]/.test(file ?? '')) return;
      changed.add(name);
      clearTimeout(timer);
      timer = setTimeout(rebuild, 100);
    });
  rebuild();
}

if (values.watch) watch();
else if (packages.every(build)) await import('../examples/showcase/build.mjs');
else process.exitCode = 1;
