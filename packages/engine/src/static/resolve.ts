/**
 * Maps the path of a request to the path of a file. A path is decoded once, cannot leave its root in any spelling, and
 * names that begin with a dot are treated as the policy requires.
 */
import { join, normalize, parse, resolve, sep } from 'node:path';
import type { Dotfiles } from './file-options';

const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

const ON_WINDOWS = sep === '\\';

/** A `..` segment, between separators of any system. */
const UPWARDS = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
/** Characters that are never normalized: a backslash, and encoded separators and null bytes. */
const REFUSED = /\\|%(?:2f|5c|00)/i;
/** Device names and streams of Windows: opening one of these does not open a file. */
const DEVICE =
  /(?:^|[\\/])(?:con(?:in\$|out\$)?|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .][^\\/]*)?(?:[\\/]|$)|:/i;
/** Trailing dots and spaces of a name, which Windows drops. */
const DROPPED = /[^\\/][ .](?:[\\/]|$)|(?:^|[\\/]) (?:[\\/]|$)/;
/** A name that may be the short name of another file: `ENV~1` stands for `.env`. */
const SHORT = /(?:^|[\\/])(?=[^\\/.]{2,8}(?:[\\/.]|$))[^\\/.~]+~\d+(?:\.[^\\/.]{0,3})?(?:[\\/]|$)/;

/**
 * Decodes the path of a URL, once.
 * @returns undefined if a `%` is not followed by valid percent-encoded UTF-8
 */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the file for a path.
 *
 * @param path decoded path; without a root, absolute or relative to the working directory
 * @param root absolute directory
 * @returns the absolute path of the file, or the status of the response if there cannot be one
 * @example
 * locate('/css/main.css', '/srv/public', 'ignore'); // '/srv/public/css/main.css'
 * locate('/../secret', '/srv/public', 'ignore'); // 403
 */
export function locate(path: string, root: string | undefined, dotfiles: Dotfiles): string | 400 | 403 | 404 {
  if (isPlain(path)) {
    if (root === undefined) {
      if (!path.endsWith('/')) return path;
    } else if (root.length > 1) {
      return root + path;
    }
  }
  if (path.includes('\0')) return 400;
  if (root === undefined) {
    if (UPWARDS.test(path)) return 403;
    if (ON_WINDOWS && namesDevice(path.slice(parse(path).root.length))) return 404;
    return accessOf(normalize(path), dotfiles) ?? resolve(path);
  }
  const relative = path === '' ? path : normalize('.' + sep + path);
  if (UPWARDS.test(relative)) return 403;
  if (ON_WINDOWS && (namesDevice(relative) || namesOther(relative))) return 404;
  // The path is appended to the root after a separator, so that `/public` never reaches `/public-2`.
  return accessOf(relative, dotfiles) ?? normalize(join(root, relative));
}

/** Whether a path is absolute and needs no normalization, decoding or rejection: most requests have such a path. */
function isPlain(path: string): boolean {
  if (ON_WINDOWS || path.charCodeAt(0) !== SLASH) return false;
  let previous = 0;
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code === BACKSLASH || code === 0) return false;
    if (previous === SLASH && (code === SLASH || code === DOT)) return false;
    previous = code;
  }
  return true;
}

/** Returns the status for a path with a hidden name in it, or undefined if the policy allows it. */
function accessOf(path: string, dotfiles: Dotfiles): 403 | 404 | undefined {
  if (dotfiles === 'allow') return undefined;
  const names = path.split(sep);
  const hidden = dotfiles === 'ignore-files' ? isHidden(names[names.length - 1]!) : names.some(isHidden);
  if (!hidden) return undefined;
  return dotfiles === 'deny' ? 403 : 404;
}

function isHidden(name: string): boolean {
  return name.length > 1 && name.charCodeAt(0) === DOT;
}

/**
 * Whether a segment of a path refers to a device or a stream on Windows, whatever its directory.
 * @example namesDevice('docs/CON.txt'); // true
 */
export function namesDevice(path: string): boolean {
  return DEVICE.test(path);
}

/**
 * Whether Windows may resolve a name in a path to another name, which the dotfiles policy or a guard on a prefix has
 * not checked. Programs may use such names (the directory for temporary files often has a short one); clients do not
 * need them.
 *
 * @param path path without `.` and `..` segments
 * @example namesOther('docs/secret.txt.'); // true: it opens docs/secret.txt
 */
export function namesOther(path: string): boolean {
  return DROPPED.test(path) || SHORT.test(path);
}

/**
 * Whether a path of a URL has the canonical spelling, the only one in which files are served. A guard mounted on a
 * prefix compares the path as it was sent, so no other path may lead to the file after decoding and normalizing
 * (`/%61dmin/x`, `/admin%2Fx`, `//admin/x`, `/./admin/x`, `/a/../admin/x`). The canonical form is the normalized one of
 * RFC 3986, section 6.2.2: no dot segments, and no encoded unreserved characters.
 *
 * @param path path as it was sent, not decoded
 * @param separator separator of the file system: if it is a backslash, a backslash in a URL is a hidden separator
 */
export function isCanonical(path: string, separator = sep): boolean {
  let segment = 1;
  for (let at = 1; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code === SLASH) {
      if (at === segment || isDotSegment(path, segment, at)) return false;
      segment = at + 1;
    } else if (code === PERCENT) {
      if (isNeedless(Number.parseInt(path.slice(at + 1, at + 3), 16), separator)) return false;
    } else if (code === BACKSLASH && separator === '\\') {
      return false;
    }
  }
  return !isDotSegment(path, segment, path.length);
}

/**
 * Returns the canonical spelling of a path: without empty and `.` segments, and without needless escapes. It leads to
 * the same file as the path.
 *
 * @param path path as it was sent, not decoded
 * @returns the path without a trailing slash, so `''` for the root; undefined for a path that must not be rewritten:
 * one with a `..` segment or a hidden name, or with a backslash, an encoded separator or a null byte
 * @example
 * canonicalPath('//css/./m%61in.css'); // '/css/main.css'
 */
export function canonicalPath(path: string): string | undefined {
  let canonical = '';
  for (const segment of path.split('/')) {
    if (REFUSED.test(segment)) return undefined;
    const name = segment.replace(/%[\da-f]{2}/gi, escape => {
      const code = Number.parseInt(escape.slice(1), 16);
      return isNeedless(code, sep) ? String.fromCharCode(code) : escape;
    });
    if (name === '' || name === '.') continue;
    if (name.startsWith('.')) return undefined;
    canonical += '/' + name;
  }
  return canonical;
}

function isDotSegment(path: string, start: number, end: number): boolean {
  if (path.charCodeAt(start) !== DOT) return false;
  return end - start === 1 || (end - start === 2 && path.charCodeAt(start + 1) === DOT);
}

/**
 * Whether the character is a separator, or unreserved (section 2.3), so that encoding only hides it. The tilde is an
 * exception: it has not always been unreserved, and many clients still encode it.
 */
function isNeedless(code: number, separator: string): boolean {
  if (code === SLASH || (code === BACKSLASH && separator === '\\')) return true;
  return code < 0x80 && /[\w.-]/.test(String.fromCharCode(code));
}
