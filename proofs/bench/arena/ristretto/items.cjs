/** The items in PostgreSQL (items.sql), and the validation of what clients send. No framework is needed here. */
const COLUMNS = 'id, name, category, price, quantity, active, tags, rating_score, rating_count';
const LARGEST = 2 ** 31 - 1;

const isText = value => typeof value === 'string' && value !== '' && value.length <= 100;
const isAmount = value => Number.isInteger(value) && value >= 0 && value <= LARGEST;
const RULES = { name: isText, category: isText, price: isAmount, quantity: isAmount };

/** Returns the names of the fields of an item that are missing or invalid. */
exports.invalidFields = item => Object.keys(RULES).filter(name => !RULES[name](item?.[name]));

/** Returns a whole number from a query or a path; undefined if it is not one, or outside of the range. */
exports.readNumber = (text, lowest, highest = LARGEST) => {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return number >= lowest && number <= highest ? number : undefined;
};

const shown = ({ rating_score: score, rating_count: count, ...item }) => ({
  ...item,
  rating: { score, count },
});

/** Returns the queries. @param {import('pg').Pool} pool */
exports.open = pool => {
  const rows = async (text, ...values) => (await pool.query(text, values)).rows;
  const first = async (...query) => {
    const [row] = await rows(...query);
    return row && shown(row);
  };
  return {
    /** Three queries, each awaited: items in a range of prices, how many there are in all, and the newest one. */
    async inPriceRange(min, max, limit) {
      const items = await rows(
        `SELECT ${COLUMNS} FROM items WHERE price BETWEEN $1 AND $2 ORDER BY id LIMIT $3`,
        ...[min, max, limit],
      );
      const [{ total }] = await rows(
        'SELECT count(*)::int AS total FROM items WHERE price BETWEEN $1 AND $2',
        ...[min, max],
      );
      const newest = await first(`SELECT ${COLUMNS} FROM items ORDER BY id DESC LIMIT 1`);
      return { items: items.map(shown), count: items.length, total, newest };
    },
    async list(category, page, limit) {
      const items = await rows(
        `SELECT ${COLUMNS} FROM items WHERE category = $1 ORDER BY id LIMIT $2 OFFSET $3`,
        ...[category, limit, (page - 1) * limit],
      );
      return { items: items.map(shown), page, limit };
    },
    find: id => first(`SELECT ${COLUMNS} FROM items WHERE id = $1`, id),
    create: ({ name, category, price, quantity }) =>
      first(
        `INSERT INTO items (name, category, price, quantity) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
        ...[name, category, price, quantity],
      ),
    update: (id, { name, category, price, quantity }) =>
      first(
        `UPDATE items SET name = $2, category = $3, price = $4, quantity = $5 WHERE id = $1 RETURNING ${COLUMNS}`,
        ...[id, name, category, price, quantity],
      ),
    remove: id => first(`DELETE FROM items WHERE id = $1 RETURNING ${COLUMNS}`, id),
  };
};
