/** Finds the entries of an application that override the version of Express, in the syntax of each package manager. */
import fs from 'node:fs';
import path from 'node:path';
import type { Manifest } from './manifest';
import type { Project } from './project';
import { allows, majorOf } from './versions';

/** An override of Express, for all packages or for some. */
export interface OverrideEntry {
  /** Where it is, such as `package.json: overrides["a"]["express"]`. */
  label: string;
  /** The members of `package.json` that lead to it; its key alone in `pnpm-workspace.yaml`. */
  keys: string[];
  value: string;
  /** The only package whose dependency it overrides, if it names one. */
  parent: string | undefined;
  /** The range to which it applies, if it names one. */
  range: string | undefined;
}

/** A package in a key, with a range if one follows. */
const SPEC = /^(@?[^@]+)(?:@(.*))?$/;
const BLOCK = /^(?:\s*\n(?:[ \t]+.*)?)*/;
const LINE = /^[ \t]+(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"#][^\n:]*)):[ \t]+(?:'([^']*)'|"([^"]*)"|([^\s#]+))/gm;

/** Returns the overrides of Express in a `package.json`. */
export function overridesIn({ overrides, resolutions, pnpm }: Manifest, project: Project): OverrideEntry[] {
  if (project.manager === 'npm') return [...entriesIn(overrides, ['overrides'])];
  const ofPnpm = project.manager === 'pnpm' ? entriesIn(pnpm?.overrides, ['pnpm', 'overrides']) : [];
  return [...entriesIn(resolutions, ['resolutions']), ...ofPnpm];
}

function* entriesIn(value: unknown, keys: string[]): Generator<OverrideEntry> {
  if (typeof value === 'string') {
    const entry = entryOf(keys.slice(keys[0] === 'pnpm' ? 2 : 1), value);
    const place = keys.map((key, at) => (at === 0 ? key : `[${JSON.stringify(key)}]`)).join('');
    if (entry !== undefined) yield { ...entry, keys, label: `package.json: ${place}` };
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* entriesIn(inner, [...keys, key]);
}

/**
 * Returns the meaning of nested keys: `a>express` of pnpm, `a/express` of yarn, and the member `.` of an object of npm,
 * which is the version of the package itself.
 */
function entryOf(keys: readonly string[], value: string): Omit<OverrideEntry, 'label' | 'keys'> | undefined {
  const specs = keys
    .filter(key => key !== '.')
    // In a range, as in `express@>=4 <5`, `>` separates nothing
    .flatMap(key => key.split(/(?<=[^ |@])>/))
    .flatMap(key => key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [])
    .map(spec => SPEC.exec(spec));
  const [, name, range] = specs.at(-1) ?? [];
  if (name !== 'express') return undefined;
  const parents = specs.slice(0, -1).map(spec => spec?.[1]);
  const parent = parents.filter(each => each !== '*' && each !== '**').at(-1);
  return { value, range: range?.replace(/^npm:/, ''), parent };
}

/** The overrides in `pnpm-workspace.yaml`. */
export interface WorkspaceOverrides {
  entries: OverrideEntry[];
  /** The offsets of the lines below `overrides:`; undefined without such lines. */
  start: number | undefined;
  end: number;
}

/** Reads the overrides in the text of a `pnpm-workspace.yaml`. */
export function overridesInWorkspace(text: string): WorkspaceOverrides {
  const head = /^overrides:[ \t]*(?:#.*)?$/m.exec(text.replaceAll('\r\n', ' \n'));
  if (head === null) {
    // Not a list of lines, and so not edited
    const [, flow = ''] = /^overrides:[ \t]*(\S.*)$/m.exec(text) ?? [];
    const entry = { label: 'pnpm-workspace.yaml: overrides', keys: [], value: flow.trim() };
    const isOfExpress = /(?:^|[\s{'">/])express['"@:]/.test(flow);
    const entries = isOfExpress ? [{ ...entry, parent: undefined, range: undefined }] : [];
    return { entries, start: undefined, end: 0 };
  }
  const start = head.index + head[0].trimEnd().length;
  const [block] = BLOCK.exec(text.slice(start)) as [string];
  const entries = [...block.matchAll(LINE)].flatMap(found => {
    const [key, value] = [found.slice(1, 4), found.slice(4)].map(forms => forms.find(Boolean) ?? '');
    const entry = entryOf([key!], value!);
    const label = `pnpm-workspace.yaml: overrides[${JSON.stringify(key)}]`;
    return entry === undefined ? [] : [{ ...entry, keys: [key!], label }];
  });
  return { entries, start, end: start + block.length };
}

/** Whether an entry makes packages use Express 4, so that Ristretto can take its place. */
export function isOf4({ value, range }: OverrideEntry): boolean {
  const version = value.replace(/^npm:(?=[\d^~v<>=])/, '');
  if (majorOf(version) === 4) return true;
  // As `pnpm audit --fix` writes it: `express@<4.20.0: >=4.20.0`, for packages that ask for Express 4
  return range !== undefined && majorOf(range) === 4 && /^[\d^~v<>=]/.test(version) && allows(version, 4);
}

/** Whether an entry can keep Express for packages that ask for Express 4. */
export function keepsExpress({ value, range }: OverrideEntry): boolean {
  // `$express` is the version of the application, and `-` removes the dependency
  const isHarmless = /^(?:npm:ristretto5?@.*|\$express|-)$/.test(value);
  return !isHarmless && (range === undefined || allows(range, 4));
}

/** Returns the overrides of Express that an application has, after changes. @param texts changed texts by file name */
export function overridesOf(project: Project, texts: ReadonlyMap<string, string>): OverrideEntry[] {
  const { file, text } = project.root;
  const data = JSON.parse((texts.get(file) ?? text).replace(/^\uFEFF/, '')) as Manifest;
  const inManifest = overridesIn(data, project);
  if (project.manager !== 'pnpm') return inManifest;
  const workspace = workspaceFile(project);
  const { entries } = overridesInWorkspace(texts.get(workspace) ?? textOf(workspace));
  return [...(readsManifest(project) ? inManifest : []), ...entries];
}

/** Whether pnpm reads overrides from `package.json` (up to version 10) or `pnpm-workspace.yaml` (from 10.5 on). */
export function readsManifest(project: Project): boolean {
  return (project.major ?? Infinity) <= 10 && !/^overrides:/m.test(textOf(workspaceFile(project)));
}

export function workspaceFile({ root }: Project): string {
  return path.join(root.folder, 'pnpm-workspace.yaml');
}

/** Returns the text of a file, or none if there is no such file. */
export function textOf(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}
