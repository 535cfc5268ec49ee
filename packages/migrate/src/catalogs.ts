/**
 * Reads and changes the catalogs of pnpm and yarn: with `"express": "catalog:"` in a `package.json`, the range is in another
 * file, for all packages of the workspace.
 */
import path from 'node:path';
import { setMember } from './json-text';
import type { ManifestFile, SECTIONS } from './manifest';
import { textOf } from './override-entries';
import type { Texts } from './overrides';
import type { Project } from './project';

/** A key, and its value if that is on the same line. */
const LINE =
  /^([ \t]*)(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"#][^\n:]*)):(?:[ \t]+('[^'\n]*'|"[^"\n]*"|[^\s#'"][^\n#]*?))?[ \t]*(?:#.*)?\r?$/gm;

/** The place of a range in a file with catalogs. */
interface Entry {
  file: string;
  text: string;
  range: string;
  start: number;
  end: number;
}

/** Returns the range of a dependency: that in a catalog if its `package.json` refers to one. */
export function rangeOf(project: Project, name: string, range: string): string {
  return entryOf(project, name, range)?.range ?? range;
}

/**
 * Sets the range of a dependency where it is. A single package of a workspace must not change a catalog, which is for all.
 * @param texts changed texts by file name
 */
export function setRange(
  texts: Texts,
  project: Project,
  manifest: ManifestFile,
  [section, name]: readonly [(typeof SECTIONS)[number], string],
  spec: string,
): void {
  const isWhole = project.home === project.root.folder;
  const entry = isWhole ? entryOf(project, name, manifest.data[section]![name]!, texts) : undefined;
  if (entry === undefined) {
    texts.set(manifest.file, setMember(texts.get(manifest.file) ?? manifest.text, [section, name], spec));
  } else {
    const { file, text, start, end } = entry;
    texts.set(file, `${text.slice(0, start)}'${spec}'${text.slice(end)}`);
  }
}

function entryOf({ root, manager }: Project, name: string, range: string, texts?: Texts): Entry | undefined {
  const [, catalog] = /^catalog:(.*)$/.exec(range) ?? [];
  if (catalog === undefined) return undefined;
  const file = path.join(root.folder, manager === 'yarn' ? '.yarnrc.yml' : 'pnpm-workspace.yaml');
  const text = texts?.get(file) ?? textOf(file);
  const isDefault = catalog === '' || catalog === 'default';
  const wanted = [
    ...(isDefault ? [['catalog', name]] : []),
    ['catalogs', isDefault ? 'default' : catalog, name],
  ];
  const parents: { indent: number; key: string }[] = [];
  for (const { index, 0: line, 1: indent = '', 2: single, 3: double, 4: plain, 5: value } of text.matchAll(
    LINE,
  )) {
    while (parents.length > 0 && parents.at(-1)!.indent >= indent.length) parents.pop();
    const key = single ?? double ?? plain!;
    const keys = [...parents.map(parent => parent.key), key];
    // Anchors and the like are left alone
    const isText = value !== undefined && !/^[&*!{|>]/.test(value);
    if (isText && wanted.some(each => each.join('\n') === keys.join('\n'))) {
      const start = index + line.indexOf(value, line.indexOf(':', indent.length + key.length));
      return { file, text, range: value.replace(/^(['"])(.*)\1$/, '$2'), start, end: start + value.length };
    }
    parents.push({ indent: indent.length, key });
  }
  return undefined;
}
