/** Writes docs/proofs/upstream.md from the recorded results. */

const INTRO = `# Test suites of other projects

The tests of other projects, for Express, its middleware, and applications on it, run twice: with the package they were written for, and
with ours in its place. \`npm run upstream\` clones each at a fixed commit, or takes it from npm, and replaces Express by what \`npm pack\`
packs. A test that passes with Express and not here needs a reason in the catalogue, or the run fails.

\`npm run upstream -- word\` runs the projects whose name contains a word. Without a network, \`UPSTREAM_MIRROR\` names a
directory of clones. Tests that fail with Express itself on the newer Node.js count on neither side.

Rows "from a mirror" were run on the sources in Debian's source packages, without GitHub: what is lost in them is mostly what
newer versions of the same suite changed. Rows that are "not run yet" get their figures, and their commits in
\`proofs/upstream/commits.json\`, from the first run of the weekly workflow.
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
  const rows = projects.flatMap(({ name, repository, versions, replaces }) =>
    versions.map(version => {
      const result = results[keyOf(name, version)];
      const ours = Object.values(replaces).map(
        home => `\`${home.replace(/^packages\//, '').replace('#', '.')}\``,
      );
      const cells = result
        ? [
            String(result.express),
            String(result.here),
            lossesOf(result).join('; ') || 'none',
            `Node ${result.node}, ${sourceOf(repository, result)}`,
          ]
        : ['', '', '', 'not run yet'];
      return `| ${[`${name} ${version}`, ours.join(', '), ...cells].map(cell).join(' | ')} |`;
    }),
  );
  const head = [
    '| project | replaced by | passed with Express | passed here | lost | run |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  return [INTRO, ...head, ...rows, ''].join('\n');
}

/** The name under which a result is recorded. */
export function keyOf(/** @type {string} */ name, /** @type {string} */ version) {
  return `${name} ${version}`;
}
