/** Mutations: HTTP/2 sessions. */

const SAFETY = 'packages/ristretto/test/http2.safety.test.ts';
const GUARD = 'packages/ristretto/lib/http2/guard.js';

/** @type {import('./index.mjs').Mutation[]} */
export const http2 = [
  ...[
    'CVE-2023-44487',
    'CVE-2024-27983',
    'CVE-2025-8671',
    'CVE-2025-59465',
    'CVE-2026-21714',
    'CVE-2026-48937',
  ].map(id => ({
    id,
    without: 'nothing: Node ends the session',
    test: SAFETY,
  })),
  ...['CVE-2019-9512', 'CVE-2019-9515', 'CVE-2019-9518'].map(id => ({
    id,
    without: 'nothing: Node ends the session',
    test: SAFETY,
  })),
  {
    id: 'CVE-2026-56846',
    without: 'nothing: Node limits the memory of header blocks',
    test: SAFETY,
  },
  {
    id: 'CVE-2019-9517',
    without: 'an end of streams that wait for their client',
    test: SAFETY,
    edits: [[GUARD, 'open.filter(isWaitingForClient)', 'open.filter(() => false)']],
  },
  {
    id: 'requests that never end',
    without: 'a limit of concurrent streams',
    test: SAFETY,
    edits: [[GUARD, 'exports.MOST_STREAMS = 128;', 'exports.MOST_STREAMS = 4294967295;']],
  },
];
