/** Compares the stored posts and events with those that clients received. */

/**
 * @param {{ sql: import('./site.mjs').Services['sql'] }} services
 * @param {number} from the last event before
 * @param {number} to the last event
 * @param {import('./load.mjs').Post[]} sent
 * @param {import('./clients.mjs').Page[]} pages
 */
export async function compare({ sql }, from, to, sent, pages) {
  const ids = (await sql`select id from events where id > ${from} and id <= ${to} order by id`).map(
    ({ id }) => id,
  );
  const stored =
    await sql`select text, count(*)::int as times from posts where text like 'under load %' group by text`;
  const times = new Map(stored.map(({ text, times: count }) => [text, count]));
  const missed = pages.map(page => ids.filter(id => !page.times.has(id)).length);
  return {
    lost: sent.filter(({ text, isConfirmed }) => isConfirmed && !times.has(text)).length,
    doubled: sent.filter(({ text }) => (times.get(text) ?? 0) > 1).length,
    events: ids.length,
    missed: missed.reduce((sum, count) => sum + count, 0),
    repeated: pages.reduce((sum, page) => sum + page.ids.length - page.times.size, 0),
    reloaded: pages.filter(({ isReloaded }) => isReloaded).length,
  };
}
