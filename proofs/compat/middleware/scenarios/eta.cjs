/** eta: connected to app.engine by hand, as versions 2 and later require. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
  packages: ['eta'],
  exercised:
    'an engine function around render and renderAsync, layouts, includes, blocks, async templates, its cache beside the view cache, app.set("view") replaced by hand, errors of templates',

  async run(tools) {
    const express = require('express');
    const { Eta } = require('eta');
    write({
      'views/layout.eta': '<main><%~ it.body %></main><%= it.settings.env %>',
      'views/index.eta':
        '<% layout("./layout") %><h1><%= it.title %></h1><% it.list.forEach(item => { %><%~ include("./item", { item }) %><% }) %><%= it.user %> <%= it.site %>',
      'views/item.eta': '<li><%= it.item %></li>',
      'views/failing.eta': '<%= it.fail() %>',
      'views/broken.eta': '<% if ( %>',
      'views/async.eta': '<%= await it.wait() %>',
    });
    const app = express();
    const eta = new Eta({ views: path.resolve('views'), cache: true });
    app.engine('eta', (file, locals, callback) => {
      tools.note('options', path.basename(file), Object.keys(locals).sort(), locals.cache);
      try {
        const name = `./${path.basename(file, '.eta')}`;
        if (!locals.wait) return callback(null, eta.render(name, locals));
        eta.renderAsync(name, locals).then(text => callback(null, text), callback);
      } catch (err) {
        callback(err);
      }
    });
    app.set('view engine', 'eta').enable('view cache');
    routes(app);
    app.get('/async', (req, res) =>
      res.render('async', { wait: async () => `waited for ${req.query.user}` }),
    );
    app.get('/rejected', (req, res) =>
      res.render('async', {
        wait: () => Promise.reject(Object.assign(new Error('rejected'), { status: 409 })),
      }),
    );
    const direct = express();
    direct.set('view', function View(name) {
      this.path = name;
      this.render = (locals, callback) =>
        callback(null, eta.renderString('<%= it.x %> of <%= it.name %>', { ...locals, name }));
    });
    direct.get('/', (req, res) => res.render('by hand', { x: 'view' }));
    app.use('/direct', direct);
    const { seen, statuses } = await tour(tools, app, ['/async?user=Ada', '/rejected', '/direct']);
    assert.deepEqual(statuses.slice(0, 5), [200, 200, 201, 200, 200]);
    assert.match(
      seen[1].body,
      /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site &amp; Söhne<\/main>(?:test|development|production)/,
    );
    assert.deepEqual(
      seen.slice(9).map(({ body }) => body),
      ['waited for Ada', '{"name":"Error","message":"rejected"}', 'view of by hand'],
    );
    return seen;
  },
};
