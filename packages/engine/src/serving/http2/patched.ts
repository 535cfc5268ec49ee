/**
 * Detects Node.js versions in which a client can crash the process or exhaust its memory over HTTP/2, regardless of
 * the application.
 */
/**
 * The first version of each release line, as minor and patch numbers, with the HTTP/2 security fixes for
 * CVE-2023-44487, CVE-2024-27983, CVE-2025-23085, CVE-2025-59465, CVE-2026-21714, CVE-2026-48937, CVE-2026-56846 and
 * CVE-2026-56848. All other lines, including Node 20, ended before the last of these fixes.
 */
const FIRST_PATCHED: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  22: [23, 2],
  24: [18, 1],
  26: [5, 1],
};
const NEWEST_LINE = 26;

let hasWarned = false;

/** Emits a process warning, once and also in production, if this version of Node lacks an HTTP/2 security fix. */
export function warnIfUnpatched(): void {
  const { env, version, versions } = process;
  if (hasWarned || isPatched(version) || 'bun' in versions || 'deno' in versions) return;
  if (env.RISTRETTO_WARNINGS === 'off') return;
  hasWarned = true;
  // The other warnings are loaded in development only.
  process.emitWarning(
    `Node.js ${version} lacks security fixes for HTTP/2. Update to the latest release of a supported line.`,
    { type: 'RistrettoWarning', code: 'RISTRETTO_HTTP2_UNPATCHED' },
  );
}

/** @param version a version in the form of `process.version` */
export function isPatched(version: string): boolean {
  const [major, minor, patch] = version
    .slice(1)
    .split('.')
    .map(part => parseInt(part, 10)) as [number, number, number];
  if (major > NEWEST_LINE) return true;
  const first = FIRST_PATCHED[major];
  return first !== undefined && (minor > first[0] || (minor === first[0] && patch >= first[1]));
}
