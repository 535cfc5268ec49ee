/** Examines an application without changing or running anything. */
import { CommandError } from './command-error';
import { diffsOf } from './diff';
import { differences } from './differences';
import { installedOf } from './known-packages';
import { notesOnNode } from './node-versions';
import type { ManifestFile } from './manifest';
import { relative } from './paths';
import { keepsExpress, overridesOf } from './override-entries';
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
 * @param home the URL of the repository, for links
 * @throws CommandError if there is nothing to migrate
 */
export function examine(folder: string, version: string, home: string): Examined {
  const project = readProject(folder);
  const tree = readTree(project);
  const plan = planOf(project, tree, version);
  if (!canMove(plan)) throw new CommandError(whyNot(project, plan.users, version));
  const isOf5Only =
    plan.users.length > 0 && plan.users.every(({ uses }) => uses === 5 || uses === 'ristretto5');
  // The tables are about Express 4
  const { findings, files, isPartial } = scan(project, isOf5Only ? [] : differences);
  const report: Report = {
    folder: project.home,
    manager: project.manager,
    source: tree.source,
    users: plan.users,
    copies: tree.copies,
    overridden: plan.overridden,
    searched: { files, isPartial },
    differences: foundIn(findings),
    packages: isOf5Only ? [] : installedOf(tree.installed),
    notes: notesOn(project, tree, plan, home),
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
  return overridden.length > 0 || users.some(moves);
}

/** Whether a package moves to Ristretto, or has moved. */
function moves({ uses }: User): boolean {
  return uses === 4 || uses === 5 || typeof uses === 'string';
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
  if (uses === 'ristretto5') return `${found}, which has the API of Express 5.`;
  if (uses === 5) return `${which} Without --to 5, ristretto migrate moves it to ristretto5.`;
  if (uses === 3) {
    const spec = `npm:ristretto3@^${version.replace(/^\d+/, '3')}`;
    return `${which} The package ristretto3 implements its API: write "express": "${spec}".`;
  }
  return `${which} Ristretto implements the API of Express 4, so it can't take its place.`;
}

function notesOn(project: Project, tree: Tree, plan: Plan, home: string): string[] {
  return [
    ...notesOnTree(project, tree),
    ...plan.users
      .filter(user => !moves(user))
      .map(({ file, range }) => `${file} asks for express ${JSON.stringify(range)}, and stays as it is.`),
    ...overridesOf(project, new Map(plan.edits.map(({ file, after }) => [file, after])))
      .filter(keepsExpress)
      .map(
        ({ label, value }) =>
          `${label} is ${JSON.stringify(value)}: what it applies to does not get Ristretto.`,
      ),
    ...project.packages.flatMap(manifest => notesOnManifest(project, manifest)),
    ...notesOnNode(project),
    ...plan.users
      .filter(isOlder)
      .map(
        ({ file, version }) =>
          `${file}: Express ${version!} is older than 4.22, with which the differences compare. What Express itself has changed since: https://github.com/expressjs/express/blob/4.x/History.md`,
      ),
    ...(plan.users.some(({ uses }) => uses === 5)
      ? [
          `What ristretto5 does differently: ${home}/blob/main/docs/which.md#differences-of-ristretto5-from-express-5`,
        ]
      : []),
  ];
}

function isOlder({ uses, version }: User): boolean {
  return uses === 4 && version !== undefined && Number(version.split('.')[1]) < 22;
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
