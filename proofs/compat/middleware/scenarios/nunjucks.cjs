/** nunjucks: an environment that replaces the view lookup of an application. */
'use strict';

const assert = require('node:assert/strict');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
  packages: ['nunjucks'],
  exercised:
    'configure({ express }), inheritance, includes, macros, filters (async too), globals, extensions, noCache, throwOnUndefined, the view engine setting, an absolute name, errors with their location',

  async run(tools) {
    const express = require('express');
    const nunjucks = require('nunjucks');
    write({
      'views/layout.njk': '<main>{% block content %}{% endblock %}</main>{{ site }}',
      'views/index.njk':
        '{% extends "layout.njk" %}{% from "macros.njk" import item %}{% block content %}<h1>{{ title }}</h1>{% for each in list %}{{ item(each) }}{% endfor %}{{ user | shout }} {{ version }} {{ 1 | later }}{% include "part.html" ignore missing %}{% endblock %}',
      'views/macros.njk': '{% macro item(text) %}<li>{{ text }}</li>{% endmacro %}',
      'views/part.html': '<i>{{ settings.env }}</i>',
      'views/failing.njk': 'one\n{{ fail() }}',
      'views/broken.njk': '{% if %}',
      'views/page.html': '<p>{{ user }}</p>',
      'strict/index.html': '{{ nothing }}',
    });
    const app = express();
    const environment = nunjucks.configure('views', { autoescape: true, express: app });
    environment.addFilter('shout', text => `${text ?? 'nobody'}!`);
    environment.addFilter('later', (value, callback) => setImmediate(callback, null, `late ${value}`), true);
    environment.addGlobal('version', '1.0');
    app.set('view engine', 'njk');
    routes(app);
    app.get('/page', (req, res) => res.render('page.html'));
    const strict = express();
    nunjucks.configure('strict', { throwOnUndefined: true, noCache: true, express: strict });
    strict.get('/', (req, res) => res.render('index.html'));
    app.use('/strict', strict);
    const { seen, statuses } = await tour(tools, app, ['/page?user=<x>', '/strict']);
    assert.deepEqual(statuses, [200, 200, 201, 200, 200, 500, 500, 500, 200, 200, 500]);
    assert.match(
      seen[1].body,
      /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada! 1.0 late 1<i>(?:test|development|production)<\/i><\/main>Site &amp; Söhne/,
    );
    tools.note(app.get('view').name, app.settings.nunjucksEnv === environment);
    return seen;
  },
};
