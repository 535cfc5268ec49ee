/** express-handlebars: layouts, partials and helpers. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
  packages: ['express-handlebars'],
  exercised:
    'engine() and create(), layouts (default, of one view, none), partials in several directories, helpers of the engine and of one view, extname, cached and uncached, _locals, errors of templates, renderView through an application',

  async run(tools) {
    const express = require('express');
    const { create, engine } = require('express-handlebars');
    write({
      'views/index.hbs': '<h1>{{title}}</h1>{{#each list}}{{> item}}{{/each}}{{> shared/user}}{{shout site}}',
      'views/failing.hbs': '{{fail}}',
      'views/broken.hbs': '{{#if}',
      'views/layouts/main.hbs': '<main>{{{body}}}</main><i>{{base settings.views}} {{cache}}</i>',
      'views/layouts/other.hbs': '<other>{{{body}}}</other>',
      'views/partials/item.hbs': '<li>{{this}}</li>',
      'parts/user.hbs': '<b>{{user}}</b>',
      'plain/index.handlebars': 'plain {{title}} {{user}}',
    });
    const app = express();
    const helpers = { shout: text => `${text}!`, base: folder => path.basename(folder) };
    const hbs = create({
      extname: '.hbs',
      helpers,
      partialsDir: ['views/partials', { dir: 'parts', namespace: 'shared' }],
    });
    app.engine('hbs', hbs.engine);
    app.set('view engine', 'hbs');
    app.enable('view cache');
    routes(app);
    const view = more => (req, res) => res.render('index', { title: 't', list: [1], ...more });
    app.get('/other', view({ layout: 'other' }));
    app.get('/none', view({ layout: false }));
    app.get('/helpers', view({ helpers: { shout: text => `¡${text}!` } }));
    app.get(
      '/partials',
      view({ partials: Promise.resolve({ item: () => 'partial', 'shared/user': () => '' }) }),
    );
    const plain = express();
    plain.engine('handlebars', engine({ defaultLayout: false }));
    plain.set('views', 'plain').set('view engine', 'handlebars');
    plain.get('/', (req, res) => res.render('index', { title: 'mounted' }));
    app.use('/plain', plain);
    const { seen, statuses } = await tour(tools, app, [
      '/other',
      '/none',
      '/helpers',
      '/partials',
      '/plain?user=x',
    ]);
    assert.deepEqual(statuses, [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 200, 200, 200, 200]);
    assert.match(
      seen[1].body,
      /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li><b>Ada<\/b>Site &amp; Söhne!/,
    );
    assert.match(seen[9].body, /^<other>/);
    return { seen, precompiled: Object.keys(await hbs.getPartials()).sort() };
  },
};
