/** Paths of files: never outside the root, never hidden, and each file is served under only one spelling. */
import assert from 'node:assert/strict';
import path from 'node:path';
import {
  canonicalPath,
  decodePath,
  isCanonical,
  locate,
  namesDevice,
} from '@ristretto/private-engine/lib/static/resolve';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const ROOTS = ['/srv/public', '/', '/srv/pub'];

export const target: Target = {
  seeds: [
    ...words(`/index.html /../x /%2e%2e/etc/passwd /a%00b /.git/config /a//b/./c/ /..%5c..
      /%252e%252e/ /x/../y //css/./m%61in.css`),
    '',
  ],
  dictionary: words(String.raw`/ .. . %2e %2F %5c \ %00 %25 // /./ /../ %c0%ae %61 con : ~ %7e %C3%A9`),
  run(text) {
    const decoded = decodePath(text);
    const isOne = isCanonical(text);
    namesDevice(text);
    if (decoded === undefined) return;
    if (text.startsWith('/')) assertRedirectable(text, decoded);
    for (const root of ROOTS) {
      for (const dotfiles of ['allow', 'deny', 'ignore'] as const) {
        const file = locate(decoded, root, dotfiles);
        if (typeof file === 'number') {
          assert.ok([400, 403, 404].includes(file));
          continue;
        }
        const relative = path.relative(root, file);
        assert.ok(path.isAbsolute(file) && relative !== '..' && !relative.startsWith('../'), file);
        assert.ok(!file.includes('\0'), 'a null byte');
        if (dotfiles !== 'allow') assert.ok(!/(?:^|\/)\.[^./]/.test(relative), 'hidden');
        if (isOne && text.startsWith('/') && root !== '/') assertSpelled(text, file.slice(root.length));
      }
    }
  },
};

/** Asserts that a guard sees the path of the served file: only encoding and a trailing slash may differ. */
function assertSpelled(sent: string, served: string): void {
  const segments = sent.split('/').map(segment => decodeURIComponent(segment));
  assert.equal(served.replace(/\/$/, ''), segments.join('/').replace(/\/$/, ''));
}

/** Asserts that a redirect from this spelling leads to the same file, on this site, without a further redirect. */
function assertRedirectable(sent: string, decoded: string): void {
  const canonical = canonicalPath(sent);
  if (canonical === undefined) return;
  assert.ok(/^\/(?![/\\])/.test(canonical + '/'), canonical);
  assert.ok(isCanonical(canonical || '/') && canonicalPath(canonical) === canonical, canonical);
  assert.ok(!/(?:^|\/)\.[^/]/.test(decodePath(canonical)!), 'hidden');
  const [file, other] = [decoded, decodePath(canonical || '/')!].map(path => locate(path, ROOTS[0], 'allow'));
  assert.equal(String(other).replace(/\/$/, ''), String(file).replace(/\/$/, ''));
}
