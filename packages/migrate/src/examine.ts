/** Examines an application without changing or running anything. */
import { CommandError } from './command-error';
import { diffsOf } from './diff';
import { differences } from './differences';
import { installedOf } from './known-packages';
import type { ManifestFile } from './manifest';
import { relative } from './paths';
import { planOf } from './plan';
import type { Plan, User } from './plan';
import { installCommand } from './processes';
import { readProject } from './project';
import type { Project } from './project';
import type { Found, Report } from './report';
import { scan } from './sources';
import type { Finding, Search } from './sources';
import { readTree } from './tree';
import type { Tree } from './tree';
import { allows, majorOf } from './versions';

export interface Examined {
  project: Project;
  plan: Plan;
  report: Report;
}

/**
 * Reads an application and plans its migration.
 * @param version the version of this package
 * @throws CommandError if there is nothing to migrate
 */
export function examine(folder: string, version: string): Examined {
  const project = readProject(folder);
  const tree = readTree(project);
  const plan = planOf(project, tree, `npm:ristretto@^${version}`);
  if (!canMove(plan)) throw new CommandError(whyNot(project, plan.users, version));
  const { findings, files, isPartial } = scan(project, differences);
  const report: Report = {
    folder: project.home,
    manager: project.manager,
    source: tree.source,
    users: plan.users,
    copies: tree.copies,
    overridden: plan.overridden,
    searched: { files, isPartial },
    differences: foundIn(findings),
    packages: installedOf(tree.installed),
    notes: notesOn(project, tree, plan),
    edits: diffsOf(plan.edits),
  };
  return { project, plan, report };
}

/** Returns findings for the report. */
export function foundIn(findings: readonly Finding<Search & Omit<Found, 'packages' | 'places'>>[]): Found[] {
  return findings.map(({ difference: { id, title, advice }, packages, places }) => ({
    id,
    title,
    advice,
    packages,
    places,
  }));
}

function canMove({ users, overridden }: Plan): boolean {
  return overridden.length > 0 || users.some(({ uses }) => uses === 4 || uses === 'ristretto');
}

/** Returns why nothing can be migrated. */
export function whyNot(project: Project, users: readonly User[], version: string): string {
  const [user] = users;
  if (user === undefined) {
    return `No package.json in ${project.home} installs Express, and no installed package depends on Express 4.`;
  }
  const { file, range, uses } = user;
  const found = `${file} asks for express ${JSON.stringify(range)}`;
  if (uses === undefined)
    return `${found}, which does not determine the version. Run ${installCommand(project)}, then try again.`;
  const which = `${found}, which is Express ${user.version ?? String(uses)}.`;
  if (uses === 3 || uses === 5) {
    const name = `ristretto${String(uses)}`;
    const ofUses = `npm:${name}@^${version.replace(/^\d+/, String(uses))}`;
    return `${which} The package ${name} implements its API: write "express": "${ofUses}".`;
  }
  return `${which} Ristretto implements the API of Express 4, so it can't take its place.`;
}

function notesOn(project: Project, tree: Tree, plan: Plan): string[] {
  return [
    ...notesOnTree(project, tree),
    ...plan.users
      .filter(({ uses }) => uses !== 4 && uses !== 'ristretto')
      .map(({ file, range }) => `${file} asks for express ${JSON.stringify(range)}, and stays as it is.`),
    ...project.packages.flatMap(manifest => notesOnManifest(project, manifest)),
  ];
}

function notesOnManifest({ root, manager }: Project, { file: absolute, data }: ManifestFile): string[] {
  const file = relative(root.folder, absolute);
  const installed = { ...data.dependencies, ...data.devDependencies, ...data.optionalDependencies };
  const node = Number(/\d+/.exec(data.engines?.node ?? '20'));
  const ofExpress = data.overrides?.express;
  const notes = {
    [`${file}: the object "express" in overrides is for packages that Express depends on, and no longer needed.`]:
      typeof ofExpress === 'object' && ofExpress !== null && !('.' in ofExpress),
    [`${file}: @types/express is no longer needed, but does no harm: Ristretto includes types.`]:
      installed['@types/express'] !== undefined,
    [`${file} allows Node ${String(data.engines?.node)}; Ristretto needs Node.js 20 or newer.`]: node < 20,
    [`${file} has express only as a peer dependency, and pnpm installs Express for it. Add express to its devDependencies as well.`]:
      manager === 'pnpm' && data.peerDependencies?.express !== undefined && installed.express === undefined,
  };
  return Object.keys(notes).filter(note => notes[note]);
}

function notesOnTree({ root, home }: Project, { source, dependents }: Tree): string[] {
  const others = dependents.filter(({ range }) => !allows(range, 4));
  const isMember = home !== root.folder && dependents.some(({ range }) => majorOf(range) === 4);
  return [
    ...(source === undefined
      ? ['Nothing is installed, and there is no lock file: which packages depend on Express is unknown.']
      : []),
    ...others.map(({ name, range }) => `${name} depends on Express ${range}, and keeps it.`),
    ...(isMember
      ? [
          `Packages that depend on Express 4 keep it. To change that for the whole workspace, migrate ${root.folder}.`,
        ]
      : []),
  ];
}
