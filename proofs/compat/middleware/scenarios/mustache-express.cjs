/** mustache-express: Mustache templates with partials. */
'use strict';

const assert = require('node:assert/strict');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
  packages: ['mustache-express'],
  exercised:
    'the directory and extension of partials, sections, lambdas, escaping, its cache beside the view cache, several extensions, a broken template',

  async run(tools) {
    const express = require('express');
    const mustache = require('mustache-express');
    write({
      'views/index.mustache':
        '<h1>{{title}}</h1>{{#list}}{{> item}}{{/list}}{{^nothing}}{{user}}{{/nothing}} {{{site}}}',
      'views/parts/item.mustache': '<li>{{.}}</li>',
      'views/failing.mustache': '{{nothing}}',
      'views/broken.mustache': '{{#open}}',
      'views/page.html': '<p>{{#bold}}{{user}}{{/bold}}</p>',
    });
    const app = express();
    app.engine('mustache', mustache('views/parts', '.mustache'));
    const html = mustache();
    app.engine('html', html).set('view engine', 'mustache');
    routes(app);
    app.get('/page', (req, res) =>
      res.render('page.html', { bold: () => (text, render) => `<b>${render(text)}</b>` }),
    );
    const cached = express();
    cached.engine('html', html).set('view engine', 'html').enable('view cache');
    cached.get('/', (req, res) => res.render('page', { bold: true, user: 'cached' }));
    app.use('/cached', cached);
    const { seen, statuses } = await tour(tools, app, ['/page?user=%3Cx%3E', '/cached', '/cached']);
    assert.deepEqual(statuses.slice(0, 5), [200, 200, 201, 200, 200]);
    assert.match(seen[1].body, /^<h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site & Söhne/);
    assert.equal(seen[9].body, '<p><b>&lt;x&gt;</b></p>');
    return seen;
  },
};
