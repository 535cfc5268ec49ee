/** pug: the engine is found by its extension. */
'use strict';

const assert = require('node:assert/strict');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
  packages: ['pug'],
  exercised:
    'extends, blocks, includes, mixins, filters, pretty by app.locals, basedir, settings in views, the view cache and the cache of the engine, app.engine for another extension, errors with their line',
  override: true,

  async run(tools) {
    const express = require('express');
    const pug = require('pug');
    write({
      'views/layout.pug':
        'doctype html\nhtml\n  head\n    title= title\n  body\n    block content\n    footer= site + " " + settings.env',
      'views/index.pug':
        'extends layout\ninclude parts/mixins\nblock content\n  each item in list\n    +item(item)\n  b #{user} !{user}\n  include /absolute.pug',
      'views/parts/mixins.pug': 'mixin item(text)\n  li.item(data-text=text)= text',
      'absolute.pug': 'p from the base',
      'views/failing.pug': 'p= fail()',
      'views/broken.pug': 'p(',
      'views/missing-include.pug': 'include nowhere',
      'views/filter.jade': ':upper\n  text',
    });
    const app = express();
    app.set('view engine', 'pug').engine('jade', pug.__express);
    app.locals.basedir = process.cwd();
    routes(app);
    app.get('/filter', (req, res) =>
      res.render('filter.jade', { filters: { upper: text => text.toUpperCase() } }),
    );
    app.get('/include', (req, res) => res.render('missing-include'));
    const pretty = express();
    pretty.locals.pretty = true;
    pretty.locals.basedir = process.cwd();
    pretty.set('view engine', 'pug').enable('view cache');
    pretty.get('/', (req, res) => res.render('index', { title: 'pretty', list: [1] }));
    app.use('/pretty', pretty);
    const { seen, statuses } = await tour(tools, app, ['/filter', '/include', '/pretty', '/pretty?user=x']);
    assert.deepEqual(statuses, [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 500, 200, 200]);
    assert.match(
      seen[1].body,
      /<title>&lt;Title&gt;<\/title>.*data-text="b&lt;c&gt;".*<b>Ada Ada<\/b><p>from the base<\/p>/,
    );
    assert.equal(seen[9].body, 'TEXT');
    return seen;
  },
};
