/** Examines what moves an application from Express 4, or from Ristretto's version of it, to `ristretto5`. */
import fs from 'node:fs';
import path from 'node:path';
import { setRange } from './catalogs';
import { CommandError } from './command-error';
import { diffsOf } from './diff';
import { foundIn, whyNot } from './examine';
import type { Examined } from './examine';
import { declared } from './manifest';
import type { ManifestFile } from './manifest';
import { relative } from './paths';
import { notesOnNode } from './node-versions';
import type { Texts } from './overrides';
import { editOf, specOf, usersIn } from './plan';
import type { User } from './plan';
import { readProject } from './project';
import type { Project } from './project';
import type { Found } from './report';
import { changes, queryWriters, rests } from './rest-of-5';
import type { Rest } from './rest-of-5';
import { rewrite } from './rewrite';
import type { Rewritten } from './rewrite';
import { readable, scan } from './sources';
import type { Place, Readable } from './sources';
import { readTree } from './tree';
import { majorOf } from './versions';

const SETTING = "set('query writable', true);";
const IS_TEST = /(?:^|\/)(?:tests?|spec|__tests__|e2e)\/|[.-](?:test|spec)\.\w+$/;

interface Source extends Rewritten {
  file: string;
  before: string;
}

/**
 * Reads an application and plans its move to the API of Express 5.
 * @param version the version of this package
 * @throws CommandError if nothing in it uses Express 4
 */
export function examineTo5(folder: string, version: string): Examined {
  const project = readProject(folder);
  const tree = readTree(project);
  const packages = project.packages.map(manifest => ({ manifest, users: usersIn(manifest, project, tree) }));
  const users = packages.flatMap(each => each.users);
  const moving = packages.filter(each => each.users.some(isOf4));
  if (moving.length === 0) throw new CommandError(whyNot(project, users, version));
  const spec = specOf(5, version);
  const texts: Texts = new Map();
  for (const { manifest, users: own } of moving)
    for (const { section } of own.filter(isOf4))
      setRange(texts, project, manifest, [section, 'express'], spec);
  const manifests = [...texts].map(([file, text]) => editOf(project, file, text));
  const staying = packages.filter(({ users: own }) => own.length > 0 && !own.some(isOf4));
  const read = filesOutside(
    staying.map(({ manifest }) => manifest),
    project,
  );
  const { sources, skipped } = rewriteSources(project, read.files);
  const places = placesOf(sources, project);
  const writers = queryWriters.filter(name => moving.some(({ manifest }) => declared(manifest).has(name)));
  const applications = sources.flatMap(source =>
    IS_TEST.test(relative(project.home, source.file))
      ? []
      : source.applications.map(application => ({ source, application })),
  );
  const [only, ...others] = applications;
  const isNeeded = writers.length > 0 || places.has('query');
  if (isNeeded && others.length === 0 && only?.application.after !== undefined) {
    enableWrites(only.source, only.application.name, only.application.after);
    places.delete('query');
    writers.length = 0;
  }
  const edits = [...manifests, ...sources.map(({ file, text }) => editOf(project, file, text))].filter(
    ({ before, after }) => before !== after,
  );
  const { findings, files, isPartial } = scan(project, changes, read);
  return {
    project,
    plan: { users, overridden: [], edits },
    report: {
      to: 5,
      folder: project.home,
      manager: project.manager,
      source: tree.source,
      users,
      copies: tree.copies,
      overridden: [],
      searched: { files, isPartial },
      differences: [...restsIn(places, writers), ...foundIn(findings)],
      packages: [],
      notes: notesOn(project, skipped),
      edits: diffsOf(edits),
    },
  };
}

function isOf4({ uses }: User): boolean {
  return uses === 4 || uses === 'ristretto';
}

/** Returns the source files, without those of packages that use Express 5 already, or another version. */
function filesOutside(staying: readonly ManifestFile[], { home, packages }: Project): Readable {
  const ownerOf = (file: string): ManifestFile | undefined =>
    packages
      .filter(({ folder }) => file.startsWith(folder + path.sep))
      .sort((a, b) => b.folder.length - a.folder.length)[0];
  const { files, isPartial } = readable(home);
  return { files: files.filter(file => !staying.includes(ownerOf(file)!)), isPartial };
}

function rewriteSources(
  project: Project,
  files: readonly string[],
): { sources: Source[]; skipped: string[] } {
  const sources: Source[] = [];
  const skipped: string[] = [];
  for (const file of files) {
    const before = fs.readFileSync(file, 'utf8');
    const rewritten = rewrite(before);
    if (rewritten === undefined) skipped.push(relative(project.home, file));
    else sources.push({ ...rewritten, file, before });
  }
  return { sources, skipped };
}

/** Returns the places that were not rewritten, grouped by what the user must do there. */
function placesOf(sources: readonly Source[], { home }: Project): Map<Rest, Place[]> {
  const places = new Map<Rest, Place[]>();
  for (const { file, before, rest } of sources) {
    for (const { id, offset } of rest) {
      const line = before.slice(0, offset).split('\n').length;
      const text = before.split('\n')[line - 1]!.trim().slice(0, 120);
      const known = places.get(id) ?? [];
      places.set(id, [...known, { file: relative(home, file), line, text }]);
    }
  }
  return places;
}

function restsIn(places: ReadonlyMap<Rest, Place[]>, writers: readonly string[]): Found[] {
  const ids = (Object.keys(rests) as Rest[]).filter(
    id => places.has(id) || (id === 'query' && writers.length > 0),
  );
  return ids.map(id => ({
    id,
    title: rests[id].title,
    advice: rests[id].advice,
    packages: id === 'query' ? [...writers] : [],
    places: places.get(id) ?? [],
  }));
}

/** Adds the setting after the statement that creates the application. */
function enableWrites(source: Source, name: string, after: number): void {
  const { before } = source;
  const indent = /(?:^|\n)([ \t]*)[^\n]*$/.exec(before.slice(0, after))![1]!;
  const rewritten = rewrite(`${before.slice(0, after)}\n${indent}${name}.${SETTING}${before.slice(after)}`)!;
  source.text = rewritten.text;
}

function notesOn(project: Project, skipped: readonly string[]): string[] {
  const { root, packages } = project;
  const notes = packages.flatMap(({ file, data }) => {
    const name = path.relative(root.folder, file);
    const installed = { ...data.dependencies, ...data.devDependencies };
    const types = installed['@types/express'];
    return types === undefined || majorOf(types) === 5
      ? []
      : [`${name}: remove @types/express, or install its version 5. ristretto5 includes types.`];
  });
  return [
    ...notes,
    ...notesOnNode(project),
    ...skipped.map(name => `${name} could not be read as JavaScript, and was not rewritten.`),
  ];
}
