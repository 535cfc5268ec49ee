const { health } = require('@monorepo/http');
const express = require('express');
const jsonServer = require('json-server');

const app = express();

app.use(health);
// Its router comes from its own dependency on Express.
app.use(
  '/api',
  jsonServer.defaults({ logger: false, static: __dirname }),
  jsonServer.router({ posts: [{ id: 1, title: 'First' }] }),
);
app.get('/express', (req, res) =>
  res.json({ version: require('express/package.json').version.split('.')[0] }),
);

module.exports = app;
