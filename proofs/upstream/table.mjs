/** Writes docs/proofs/upstream.md from the recorded results. */

const INTRO = `# Test suites of other projects

The tests of other projects, for Express, its middleware, and applications on it, run twice: with the package they were written for, and
with ours in its place (\`npm run upstream\`; \`-- word\` for some). A test that passes with Express and not here needs a reason, or the run
fails. Tests that fail with Express itself on the newer Node.js count on neither side. Suites "from a mirror" are Debian's sources.
`;

/** @typedef {Record<string, import('./project.mjs').Result>} Results by the project's name and version */

const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns losses with one reason together. */
function lossesOf(/** @type {import('./project.mjs').Result} */ { losses }) {
  const reasons = [...new Set(losses.map(({ reason }) => reason))];
  return reasons.map(reason => {
    const count = losses.filter(loss => loss.reason === reason).length;
    return `${count}: ${reason ?? 'no reason yet'}`;
  });
}

/** Says where a suite was taken from. */
function sourceOf(
  /** @type {string | undefined} */ repository,
  /** @type {import('./project.mjs').Result} */ { commit },
) {
  if (repository === undefined) return 'from npm';
  return commit ? `commit \`${commit.slice(0, 12)}\`` : 'from a mirror';
}

/**
 * Returns the page.
 *
 * @param {import('./catalog.mjs').Project[]} projects
 * @param {Results} results
 */
export function pageOf(projects, results) {
  const all = projects.flatMap(project => project.versions.map(version => ({ ...project, version })));
  const resultOf = (/** @type {typeof all[number]} */ { name, version }) => results[keyOf(name, version)];
  const rows = all.flatMap(project => {
    const result = resultOf(project);
    if (result === undefined) return [];
    const ours = Object.values(project.replaces).map(
      home => `\`${home.replace(/^packages\//, '').replace('#', '.')}\``,
    );
    const cells = [
      `${project.name} ${project.version}`,
      ours.join(', '),
      String(result.express),
      String(result.here),
      lossesOf(result).join('; ') || 'none',
      `Node ${result.node}, ${sourceOf(project.repository, result)}`,
    ];
    return [`| ${cells.map(cell).join(' | ')} |`];
  });
  const missing = all.filter(project => resultOf(project) === undefined);
  const names = missing.map(({ name, version }) => keyOf(name, version)).join(', ');
  const rest =
    missing.length > 0 ? [`\nNot run yet, until the first run of the weekly workflow: ${names}.`] : [];
  const head = [
    '| project | replaced by | passed with Express | passed here | lost | run |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  return [INTRO, ...head, ...rows, ...rest, ''].join('\n');
}

/** The name under which a result is recorded. */
export function keyOf(/** @type {string} */ name, /** @type {string} */ version) {
  return `${name} ${version}`;
}
