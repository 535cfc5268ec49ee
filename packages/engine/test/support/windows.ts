/**
 * Windows, as far as file names are concerned: Ristretto and Express loaded with `path.win32` and a file system in
 * which names mean what they mean on Windows. The files are real, in a temporary folder that represents the drives.
 */
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Web } from './oracle.js';
import { secondCopy } from './second-copy.js';

const { win32 } = path;

/** The working directory on this Windows. */
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

/** The short name that NTFS gives to a file whose name is not valid in MS-DOS. */
function shortName(name: string): string {
  const { name: base, ext } = path.parse(name.replace(/^\.+/, ''));
  return `${base.replace(/[ .]/g, '').slice(0, 6)}~1${ext.slice(0, 4)}`;
}

/** The real file for a Windows name. */
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

/** Wraps a function of `fs` whose first argument is a name. */
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

/** Modules that run on Windows: the copy of Ristretto, and the parts of Express that handle file names. */
const INHABITANTS =
  /[\\/](?:\.second-copy-\w+[\\/](?:node_modules[\\/]@ristretto[\\/]private-engine[\\/])?lib|node_modules[\\/](?:express|send|serve-static|content-disposition))[\\/]/;
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

/** `path.win32` reads this for relative paths, and for paths without a drive. */
process.cwd = () => WORKING_DIRECTORY;

/** Both frameworks on Windows. No other code of the test may load Express before this. */
export const frameworks: { ristretto: Web; express: Web } = {
  ristretto: secondCopy(),
  express: createRequire(__filename)('express') as Web,
};
