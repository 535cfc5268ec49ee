/**
 * Windows, as far as names of files go: Ristretto and Express loaded with `path.win32`, and with a file system in which
 * a name means what it means there. The files are real, in a temporary folder that stands for the drives.
 */
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Web } from './oracle.js';
import { secondCopy } from './second-copy.js';

const { win32 } = path;

/** Where the working directory is on this Windows. */
export const WORKING_DIRECTORY = 'C:\\app';

const FILES: Record<string, string> = {
  'c/app/views/page.tmpl': 'a page',
  'c/app/views/blog/index.tmpl': 'a blog',
  'c/srv/secret.txt': 'secret',
  'c/srv/public/index.html': 'index',
  'c/srv/public/main.css': 'css',
  'c/srv/public/nested/index.html': 'nested',
  'c/srv/public/nested/a b.txt': 'a b',
  'c/srv/public/administration/report.txt': 'report',
  'c/srv/public/photo~1x.txt': 'a tilde',
  'c/srv/public/.env': 'hidden',
  'd/other.txt': 'other drive',
  'share/public/shared.txt': 'shared',
};

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'windows-'));
process.on('exit', () => {
  fs.rmSync(home, { recursive: true, force: true });
});
for (const [name, text] of Object.entries({ ...FILES, device: 'a device answers' })) {
  fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  fs.writeFileSync(path.join(home, name), text);
}

const DRIVES: Record<string, string> = { 'c:\\': 'c', 'd:\\': 'd', '\\\\server\\share\\': 'share' };
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *(?:[.:].*)?$/i;

/** The other name that NTFS gives to one that MS-DOS could not have. */
function shortName(name: string): string {
  const { name: base, ext } = path.parse(name.replace(/^\.+/, ''));
  return `${base.replace(/[ .]/g, '').slice(0, 6)}~1${ext.slice(0, 4)}`;
}

/** The real file behind a name. */
function realPath(name: string): string {
  const { root } = win32.parse(win32.resolve(WORKING_DIRECTORY, name));
  const drive = DRIVES[root.toLowerCase()];
  let found = path.join(home, drive ?? 'no such drive');
  for (const segment of win32.resolve(WORKING_DIRECTORY, name).slice(root.length).split('\\')) {
    if (DEVICE.test(segment)) return path.join(home, 'device');
    const meant = segment
      .replace(/:.*$/, '')
      .replace(/[ .]+$/, '')
      .toLowerCase();
    const names = fs.existsSync(found) && fs.statSync(found).isDirectory() ? fs.readdirSync(found) : [];
    const entry = names.find(each => [each, shortName(each)].some(one => one.toLowerCase() === meant));
    found = path.join(found, entry ?? meant);
  }
  return found;
}

type Named = (name: string, ...rest: unknown[]) => unknown;

/** A function of `fs` that takes a name first. */
function onWindows(member: 'open' | 'stat' | 'statSync' | 'createReadStream'): Named {
  return (name, ...rest) => (fs[member] as Named)(realPath(name), ...rest);
}

const windowsFs = {
  ...fs,
  open: onWindows('open'),
  stat: onWindows('stat'),
  statSync: onWindows('statSync'),
  createReadStream: onWindows('createReadStream'),
};

/** Those who are on Windows: the copy of Ristretto, and the parts of Express that handle names of files. */
const INHABITANTS =
  /[\\/](?:\.second-copy-\w+[\\/]lib|node_modules[\\/](?:express|send|serve-static|content-disposition))[\\/]/;
const SUBSTITUTES: Record<string, unknown> = { path: win32, fs: windowsFs };

type Load = (
  this: unknown,
  request: string,
  parent: { filename?: string } | undefined,
  ...rest: unknown[]
) => unknown;
const loader = Module as unknown as { _load: Load };
const load = loader._load;
loader._load = function (request, parent, ...rest) {
  const substitute = SUBSTITUTES[request.replace(/^node:/, '')];
  if (substitute !== undefined && INHABITANTS.test(parent?.filename ?? '')) return substitute;
  return load.call(this, request, parent, ...rest);
};

/** What asks for the working directory without saying for whom: relative paths, and paths without a drive. */
process.cwd = () => WORKING_DIRECTORY;

/** Both frameworks on Windows. Nothing else of the test may load Express before. */
export const frameworks: { ristretto: Web; express: Web } = {
  ristretto: secondCopy(),
  express: createRequire(__filename)('express') as Web,
};
