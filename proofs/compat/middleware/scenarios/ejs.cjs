/** ejs: the engine is found by its extension. */
'use strict';

const assert = require('node:assert/strict');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
  packages: ['ejs'],
  exercised:
    'by extension and app.engine for html, includes, partial templates with locals, an engine function with another delimiter and async templates, several view directories, the view cache, errors of templates',

  async run(tools) {
    const express = require('express');
    const ejs = require('ejs');
    write({
      'views/index.ejs':
        '<h1><%= title %></h1><% for (const item of list) { %><%- include("parts/item", { item }) %><% } %><%= locals.user %> <%= site %>',
      'views/parts/item.ejs': '<li><%= item %>, <%= site %></li>',
      'views/failing.ejs': 'before <%= fail() %>',
      'views/broken.ejs': '<% if (',
      'views/undefined.ejs': 'line one\n<%= nothing.here %>',
      'more/other.ejs': '<p><?= await title ?></p>',
      'more/page.html': '<html><%= locals.user %> <%= settings.env %></html>',
    });
    const app = express();
    app.set('view engine', 'ejs').set('views', ['views', 'more']).engine('html', ejs.renderFile);
    routes(app);
    app.get('/undefined', (req, res) =>
      res.render('undefined', (err, html) =>
        res.json({ html, message: err.message.replaceAll(process.cwd(), '') }),
      ),
    );
    app.get('/html', (req, res) => res.render('page.html'));
    const other = express();
    other.set('views', 'more').set('view engine', 'ejs').enable('view cache');
    other.engine('ejs', (file, locals, callback) =>
      ejs
        .renderFile(file, locals, { delimiter: '?', async: true })
        .then(html => callback(null, html), callback),
    );
    other.get('/', (req, res) => res.render('other', { title: Promise.resolve('async') }));
    app.use('/other', other);
    const { seen, statuses } = await tour(tools, app, ['/undefined', '/html?user=<b>', '/other', '/other']);
    assert.deepEqual(statuses, [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 200, 200, 200]);
    assert.match(
      seen[1].body,
      /^<h1>&lt;Title&gt;<\/h1><li>a, Site &amp; Söhne<\/li><li>b&lt;c&gt;, Site &amp; Söhne<\/li>Ada /,
    );
    assert.equal(seen[11].body, '<p>async</p>');
    tools.note(Object.keys(app.cache), Object.keys(other.cache));
    return seen;
  },
};
