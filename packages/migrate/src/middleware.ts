/** Examines which middleware of an application Ristretto has replacements for, without changing or running anything. */
import { rangeOf, setRange } from './catalogs';
import { CommandError } from './command-error';
import { diffsOf } from './diff';
import type { Examined } from './examine';
import { setMember } from './json-text';
import { SECTIONS } from './manifest';
import type { ManifestFile } from './manifest';
import { middlewarePackages, rewritten } from './middleware-packages';
import type { MiddlewareDifference, MiddlewarePackage } from './middleware-packages';
import { relative } from './paths';
import { editOf, findInstalled } from './plan';
import type { Edit } from './plan';
import { installCommand } from './processes';
import { readProject } from './project';
import type { Project } from './project';
import type { MiddlewareUse } from './report';
import { scan } from './sources';
import { readTree } from './tree';
import type { Tree } from './tree';
import { majorOf } from './versions';

/**
 * Plans aliases for the middleware of an application.
 * @param folder the directory of the application
 * @param home the URL of the repository, for links
 * @throws CommandError if there is no such middleware
 */
export function examineMiddleware(folder: string, home: string): Examined {
  const project = readProject(folder);
  const tree = readTree(project);
  const uses = project.packages.flatMap(manifest => usesIn(manifest, project, tree));
  const notes = [
    ...uses.flatMap(use => noteOn(use, project)),
    ...project.packages.flatMap(manifest => notesOnManifest(manifest, project, uses, home)),
  ];
  if (uses.length + notes.length === 0) {
    const names = [...new Set(middlewarePackages.map(({ name }) => name))].join(', ');
    throw new CommandError(
      `No package.json in ${project.home} installs middleware that Ristretto has a package for: ${names}.`,
    );
  }
  const moving = uses.filter(({ alias, isReplaced }) => alias !== undefined && !isReplaced);
  const chosen = middlewarePackages.filter(each => moving.some(({ alias }) => alias === each.alias));
  const searches = chosen.map(each => ({ ...each, ofFiles: searchForFiles(each.name) }));
  const { findings, files, isPartial } = scan<MiddlewareDifference>(
    project,
    searches.flatMap(({ differences, ofFiles }) => [...differences, ofFiles]),
  );
  const places = new Map(findings.map(finding => [finding.difference, finding.places]));
  const edits = editsFor(project, moving, chosen);
  return {
    project,
    plan: { users: [], overridden: [], edits },
    report: {
      folder: project.home,
      manager: project.manager,
      source: tree.source,
      users: [],
      middleware: uses,
      replacements: searches.map(({ name, alias, differences, ofFiles }) => ({
        name,
        alias,
        readme: readmeOf(alias, home),
        differences: [...differences, ...(places.has(ofFiles) ? [ofFiles] : [])].map(difference => ({
          text: difference.text,
          places: places.get(difference) ?? [],
        })),
      })),
      copies: [],
      overridden: [],
      searched: { files, isPartial },
      differences: [],
      packages: [],
      notes,
      edits: diffsOf(edits),
    },
  };
}

function readmeOf(alias: string, home: string): string {
  return `${home}/blob/main/packages/middleware/${alias.replace('@ristretto/', '')}/Readme.md`;
}

/** The difference that is listed only for programs that load files of the original. */
function searchForFiles(name: string): MiddlewareDifference {
  return {
    text: `The package has other files than ${name}: load it by its name.`,
    // Both session packages have the directory `session/`.
    find: new RegExp(`['"]${name}/(?!package\\.json|session/)[^'"]+['"]`),
  };
}

function usesIn(manifest: ManifestFile, project: Project, tree: Tree): MiddlewareUse[] {
  const { root } = project;
  const names = new Set(middlewarePackages.map(({ name }) => name));
  return SECTIONS.flatMap(section =>
    Object.entries(manifest.data[section] ?? {})
      .filter(([name]) => names.has(name))
      .map(([name, written]) => {
        const range = rangeOf(project, name, written);
        const installed = findInstalled(name, manifest.folder, root.folder);
        const version = installed?.version ?? onlyVersion(tree, name);
        const replaced = /^npm:(@ristretto\/[^@]+)/.exec(range)?.[1];
        // A link, a fork or an alias of another package is not the original.
        const major = /[:/]/.test(range) ? undefined : majorOf(version ?? range);
        const fitting = middlewarePackages.find(
          each => each.name === name && majorOf(each.version) === major,
        );
        const file = relative(root.folder, manifest.file);
        const alias = replaced ?? fitting?.alias;
        return { file, section, name, range, version, alias, isReplaced: replaced !== undefined };
      }),
  );
}

/** Returns the version in a lock file, if nothing is installed and there is only one. */
function onlyVersion({ source, installed }: Tree, name: string): string | undefined {
  const versions = [...(installed.get(name) ?? [])];
  return source !== 'node_modules' && versions.length === 1 ? versions[0] : undefined;
}

function noteOn({ file, name, range, version, alias }: MiddlewareUse, project: Project): string[] {
  if (alias !== undefined) return [];
  const ours = middlewarePackages.filter(each => each.name === name);
  const majors = ours.map(each => String(majorOf(each.version)));
  const found = `${file} asks for ${name} ${JSON.stringify(range)}`;
  if (/[:/]/.test(range)) return [`${found}, and stays as it is.`];
  const major = majorOf(version ?? range);
  if (major === undefined)
    return [
      `${found}, which does not determine the version. Run ${installCommand(project)}, then try again.`,
    ];
  return [
    `${found}, which is version ${String(major)}. ${ours.map(each => each.alias).join(' and ')} replace${ours.length === 1 ? 's' : ''} version ${majors.join(' and ')}: update ${name} first.`,
  ];
}

function notesOnManifest(
  { file: absolute, data }: ManifestFile,
  { root }: Project,
  uses: readonly MiddlewareUse[],
  home: string,
): string[] {
  const file = relative(root.folder, absolute);
  const installed = { ...data.dependencies, ...data.devDependencies, ...data.optionalDependencies };
  const own = uses.filter(use => use.file === file && use.alias !== undefined);
  return [
    ...own
      .filter(({ name }) => installed[`@types/${name}`] !== undefined)
      .map(({ name, alias }) => `${file}: remove @types/${name}. ${String(alias)} includes types.`),
    ...Object.entries(rewritten)
      .filter(([name]) => installed[name] !== undefined)
      .map(
        ([name, { alias, advice }]) =>
          `${file}: ${name} ${advice}. What to change: ${readmeOf(alias, home)}#from-${name}`,
      ),
  ];
}

/** Writes the aliases, also into overrides: a version there would replace the alias, or conflict with it (EOVERRIDE). */
function editsFor(
  project: Project,
  moving: readonly MiddlewareUse[],
  chosen: readonly MiddlewarePackage[],
): Edit[] {
  const { root, packages } = project;
  const specs = new Map(chosen.map(({ alias, version }) => [alias, `npm:${alias}@^${version}`]));
  const texts = new Map<string, string>();
  const set = ({ file, text }: ManifestFile, member: readonly string[], spec: string) =>
    texts.set(file, setMember(texts.get(file) ?? text, member, spec));
  for (const { file, section, name, alias } of moving) {
    const spec = specs.get(alias!)!;
    const manifest = packages.find(each => relative(root.folder, each.file) === file)!;
    setRange(texts, project, manifest, [section, name], spec);
    const { overrides, resolutions, pnpm } = root.data;
    if (typeof overrides?.[name] === 'string' && overrides[name] !== `$${name}`)
      set(root, ['overrides', name], spec);
    if (resolutions?.[name] !== undefined) set(root, ['resolutions', name], spec);
    if (pnpm?.overrides?.[name] !== undefined) set(root, ['pnpm', 'overrides', name], spec);
  }
  return [...texts].map(([file, after]) => editOf(project, file, after));
}
