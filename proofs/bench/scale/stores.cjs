/** Shared by all applications: the queries, the page, and the stores of sessions. */
'use strict';
const ejs = require('ejs');

const page = ejs.compile(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Posts</title></head>
<body><p>Hello, <%= name %>.</p>
<% for (const { id, text, author, created } of posts) { %>
<article id="post-<%= id %>"><h2><%= author %></h2><p><%= text %></p><time><%= created %></time></article>
<% } %></body></html>`);

const COLUMNS =
  'select p.id, p.text, p.created, u.name as author from posts p join users u on u.id = p.author';
const toPost = ({ id, text, author, created }) => ({ id, text, author, created: created.toISOString() });

/** Opens both stores, with the packages of the showcase. */
async function openStores() {
  const { Pool } = require('pg');
  const { createClient } = require('redis');
  const { RedisStore } = require('connect-redis');
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const redis = await createClient({ url: process.env.REDIS_URL }).connect();
  const query = async (name, text, values) => (await pool.query({ name, text, values })).rows.map(toPost);
  return {
    page,
    secret: 'a secret of this benchmark, long enough',
    sessions: new RedisStore({ client: redis, prefix: 'bench:', disableTouch: true }),
    newest: () => query('newest', `${COLUMNS} order by p.id desc limit 10`, []),
    find: async id => (await query('find', `${COLUMNS} where p.id = $1`, [id]))[0],
  };
}

module.exports = { openStores };
